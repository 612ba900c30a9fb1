#include "common/harness/check/matchers.hpp"

#include "common/harness/device/tests/fake_memory.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::report::LineShare;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::simulator::LaunchReport;
using warpwise::testing::ContainsSubstring;

namespace {

template <class T>
Buffer<T> buffer_of(FakeMemory& memory, const std::vector<T>& values) {
  Buffer<T> buffer(memory, "out", values.size());
  buffer.upload(values);
  return buffer;
}

Launch launch_with(std::vector<Finding> findings) {
  Launch launch("reduce_naive", {.grid = 1, .block = 32});
  warpwise::simulator::LaunchReport report;
  report.findings = std::move(findings);
  launch.set_report(report, "converged");
  return launch;
}

Finding race_at(unsigned line) {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.file = "/somewhere/exercise.cu";
  finding.line = line;
  finding.message = "thread 32 reads s[32] while thread 0 may still write it";
  return finding;
}

}  // namespace

TEST_CASE("equal buffers pass") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1, 2, 3});
  CHECK(sentence_of([&] { require(out, Holds(std::vector<double>{1, 2, 3})); }).empty());
  CHECK(sentence_of([&] { require(out, Holds(std::vector<float>{1, 2})); }).empty());
  CHECK(sentence_of([&] { require(out, Holds(1.0)); }).empty());
}

TEST_CASE("a mismatch is reported in one sentence, with the circumstances") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1, 5, 3});
  CHECK(sentence_of([&] {
          require(out, Holds(std::vector<double>{1, 9, 3}).where({.n = 33, .block = 32}));
        }) == "n = 33, block = 32: out[1] is 5, expected 9 (the only one of 3 that is wrong)");
  CHECK(sentence_of([&] {
          require(out, Holds(std::vector<double>{2, 9, 3}).where({.note = "level 2"}));
        }) == "level 2: out[0] is 1, expected 2 (2 of 3 are wrong)");
  CHECK(sentence_of([&] { require(out, Holds(0.5)); }) == "out[0] is 1, expected 0.5");
}

TEST_CASE("poison is recognised: the element was never written") {
  FakeMemory memory;
  const Buffer<float> out(memory, "out", 2);
  CHECK(sentence_of([&] {
          require(out, Holds(std::vector<double>{0, 4}).where({.n = 0}));
        }) == "n = 0: out[0] was never written, expected 0 (2 of 2 are wrong)");
  CHECK(sentence_of([&] { require(out, Holds(0.0).within({1e30})); }) ==
        "out[0] was never written, expected 0");
}

TEST_CASE("an element that a real GPU has left out is told with the GPU") {
  FakeMemory memory;
  memory.name = "on NVIDIA H200";
  const Buffer<float> out(memory, "out", 2);
  CHECK(sentence_of([&] { require(out, Holds(0.0).where({.n = 6})); }) ==
        "n = 6: out[0] was never written, expected 0, on NVIDIA H200");
  CHECK(sentence_of([&] { download_written(out, {.n = 6}); }) ==
        "n = 6: out[0] was never written, on NVIDIA H200");
}

TEST_CASE("what is written, and looks like poison, is written") {
  const auto out = device().poisoned<int>("out", 2);
  device().launch(first_only, {.grid = 1, .block = 32}, out);
  CHECK(sentence_of([&] { require(out, Holds(std::vector<unsigned>{0xCDCDCDCD})); }).empty());
  CHECK(sentence_of([&] { download_written(out, {.n = 2}); }) == "n = 2: out[1] was never written");
  const auto one = device().poisoned<int>("one", 1);
  device().launch(first_only, {.grid = 1, .block = 32}, one);
  CHECK(download_written(one, {}) == std::vector<int>{static_cast<int>(0xCDCDCDCD)});
}

TEST_CASE("a counter that did not start at 0 says at what") {
  FakeMemory memory;
  Buffer<unsigned> out(memory, "histogram", 2);
  out.upload(std::vector<unsigned>{0, 266});
  CHECK(sentence_of([&] { require(out, Holds(267u).at(1)); }) ==
        "histogram[1] is 266, expected 267: it started at 266");
  CHECK(sentence_of([&] { require(out, Holds(1u)); }) == "histogram[0] is 0, expected 1");
}

TEST_CASE("of several wrong elements it is said how many were never written") {
  FakeMemory memory;
  Buffer<float> out(memory, "out", 3);
  out.upload(std::vector<float>{1});
  CHECK(sentence_of([&] {
          require(out, Holds(std::vector<double>{2, 3, 4}));
        }) == "out[0] is 1, expected 2 (3 of 3 are wrong, 2 never written)");
}

TEST_CASE("close is as close as the bound says") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1.0f, 2.25f});
  CHECK(sentence_of([&] { require(out, Holds(std::vector<double>{1, 2}).within({0, 0.25})); }).empty());
  CHECK_THAT(sentence_of([&] {
               require(out, Holds(std::vector<double>{1, 2}).within({0, 0.24}));
             }),
             ContainsSubstring("out[1] is 2.25, expected 2"));
  const auto nan = buffer_of<float>(memory, {std::nanf("")});
  CHECK_FALSE(sentence_of([&] { require(nan, Holds(1.0).within({1e30})); }).empty());
}

TEST_CASE("a check that expects more elements than there are is itself wrong") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1});
  CHECK_THROWS_AS(require(out, Holds(std::vector<double>{1, 2})), std::logic_error);
}

TEST_CASE("limits say what was counted, the limit, and why") {
  CHECK(sentence_of([] { require(Measured(9), AtMost(9, "block barriers")); }).empty());
  CHECK(sentence_of([] { require(Measured(10), AtMost(9, "block barriers", "log2(256) + 1")); }) ==
        "block barriers: 10, at most 9 (log2(256) + 1)");
  CHECK(sentence_of([] { require(Measured(4.5), AtLeast(5, "shuffles")); }) == "shuffles: 4.5, at least 5");
  CHECK(sentence_of([] { require(Measured(3), Exactly(1, "votes", "one a warp")); }) ==
        "votes: 3, expected 1 (one a warp)");
  CHECK(sentence_of([] { fail("the sum is wrong"); }) == "the sum is wrong");
}

TEST_CASE("what is counted too often is told with the n and the block of its launch") {
  Launch launch("reduce_naive", {.grid = 1, .block = 64, .n = 256});
  warpwise::simulator::LaunchReport report;
  report.block = {64, 1, 1};
  report.counters.block_barriers = 3;
  launch.set_report(report, "converged");
  CHECK(sentence_of([&] { require(launch.count(&Counters::block_barriers), AtMost(1, "barriers")); }) ==
        "n = 256, block = 64: barriers: 3, at most 1");
}

TEST_CASE("circumstances are spelled in one order, and only those that are known") {
  CHECK(spelled(Case{}).empty());
  CHECK(spelled(Case{.n = 33, .block = 64, .grid = 3, .note = "real floats"}) ==
        "n = 33, block = 64, grid = 3, real floats");
  CHECK(sentence_of([] { fail("no sum", {.where = spelled(Case{.n = 4})}); }) == "n = 4: no sum");
}

TEST_CASE("one element may be looked at by itself") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {7, 1.5f});
  CHECK(sentence_of([&] { require(out, Holds(1.0).at(1).within({0.5})); }).empty());
  CHECK(sentence_of([&] { require(out, Holds(1.0).at(1).within({0.25}).where({.n = 4})); }) ==
        "n = 4: out[1] is 1.5, expected 1");
  const Buffer<float> unwritten(memory, "out", 2);
  CHECK(sentence_of([&] { require(unwritten, Holds(0.0).at(1).within({1e30})); }) ==
        "out[1] was never written, expected 0");
}

TEST_CASE("findings fail with the headline of the first") {
  CHECK(sentence_of([] { require(launch_with({}), HasNoFindings()); }).empty());
  CHECK(sentence_of([] {
          require(launch_with({race_at(14), race_at(15)}), HasNoFindings());
        }) == "exercise.cu:14: race: thread 32 reads s[32] while thread 0 may still write it (and 1 more)");
}

TEST_CASE("a finding that is asked for has the right kind") {
  const Launch racing = launch_with({race_at(14)});
  CHECK(sentence_of([&] { require(racing, HasFinding(FindingKind::race)); }).empty());
  CHECK_THAT(sentence_of([&] { require(racing, HasFinding(FindingKind::sync)); }),
             ContainsSubstring("expected the finding sync, but there is only exercise.cu:14: race"));
  CHECK(sentence_of([] { require(launch_with({}), HasFinding(FindingKind::sync)); }) ==
        "expected the finding sync, but there is none");
}

TEST_CASE("each stretch is reduced by itself, and what is beyond n is the identity") {
  FakeMemory memory;
  const std::vector<float> in{1, 2, 3};
  CHECK(sentence_of([&] {
          require(buffer_of<float>(memory, {3, 3, 0}), EqualsSums(in, stretches_of(2)));
        }).empty());
  CHECK(sentence_of([&] {
          require(buffer_of<float>(memory, {3, 3, 1}), EqualsSums(in, stretches_of(2)));
        }) == "out[2] is 1, expected 0 (the only one of 3 that is wrong)");
  CHECK(sentence_of([&] {
          require(buffer_of<float>(memory, {9, 7}), EqualsSums(in, one_stretch()).at(1));
        }) == "out[1] is 7, expected 6");
}

namespace {

/// 4 blocks of 2 warps. Line 10 has 24 barriers, line 12 8; atomics: 3 shared at line 11, 5 global at
/// line 12.
LineShare share(unsigned line, const char* text) { return {"a.cu", line, "", text}; }

}  // namespace

TEST_CASE("the lines that spend a count, the most first, in its unit") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK(lines_that_spend(barriers) == std::vector{share(10, "24 of the 32"), share(12, "8 of the 32")});
  CHECK(lines_that_spend(barriers.per_block()) ==
        std::vector{share(10, "6 of the 8"), share(12, "2 of the 8")});
  CHECK(lines_that_spend(barriers / 16).front() == share(10, "1.5 of the 2"));
  const Count shuffles = count(a_launch(), &Counters::shuffles).per_warp();
  CHECK(lines_that_spend(shuffles) == std::vector{share(11, "2 of the 2")});
}

TEST_CASE("counters that are added up") {
  const Count atomics = count(a_launch(), atomic_requests);
  CHECK(lines_that_spend(atomics) == std::vector{share(12, "5 of the 8"), share(11, "3 of the 8")});
}

TEST_CASE("where some are left out, lines have shares of all in percent") {
  const Count barriers = count(a_launch(), &Counters::block_barriers);
  CHECK(lines_that_spend((barriers - 4).per_block()).front() == share(10, "75 % of them"));
  CHECK(lines_that_spend(barriers - 0).front() == share(10, "24 of the 32"));
  CHECK(lines_that_spend(barriers.only(7)).front() == share(10, "75 % of them"));
  CHECK(lines_that_spend(barriers.only(32)).front() == share(10, "24 of the 32"));
}

TEST_CASE("the lines that write results") {
  LaunchReport launch = a_launch();
  launch.lines[0].counters.global_store_requests = 9;
  CHECK(lines_that_write(launch) == std::vector{share(10, "writes results"), share(12, "writes results")});
  CHECK(lines_that_write(LaunchReport{}).empty());
}

TEST_CASE("at most three lines") {
  LaunchReport launch;
  for (unsigned line = 1; line <= 5; ++line) {
    Counters counters;
    counters.votes = line;
    launch.lines.push_back({"a.cu", line, counters});
    launch.counters += counters;
  }
  CHECK(lines_that_spend(count(launch, &Counters::votes)) ==
        std::vector{share(5, "5 of the 15"), share(4, "4 of the 15"), share(3, "3 of the 15")});
}
