#include "common/harness/check/expectations.hpp"

#include "common/harness/check/references.hpp"
#include "common/harness/device/tests/fake_memory.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
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
  launch.set_report(report);
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
  CHECK(sentence_of([&] { expect_equal(out, std::vector<double>{1, 2, 3}); }).empty());
  CHECK(sentence_of([&] { expect_equal(out, std::vector<float>{1, 2}); }).empty());
  CHECK(sentence_of([&] { expect_equal(out, 1.0); }).empty());
}

TEST_CASE("a mismatch is reported in one sentence, with the circumstances") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1, 5, 3});
  CHECK(sentence_of([&] {
          expect_equal(out, std::vector<double>{1, 9, 3}, {.n = 33, .block = 32});
        }) == "n = 33, block = 32: out[1] is 5, expected 9 (the only one of 3 that is wrong)");
  CHECK(sentence_of([&] {
          expect_equal(out, std::vector<double>{2, 9, 3}, {.note = "level 2"});
        }) == "level 2: out[0] is 1, expected 2 (2 of 3 are wrong)");
  CHECK(sentence_of([&] { expect_equal(out, 0.5); }) == "out[0] is 1, expected 0.5");
}

TEST_CASE("poison is recognised: the element was never written") {
  FakeMemory memory;
  const Buffer<float> out(memory, "out", 2);
  CHECK(sentence_of([&] {
          expect_equal(out, std::vector<double>{0, 4}, {.n = 0});
        }) == "n = 0: out[0] was never written, expected 0 (2 of 2 are wrong)");
  CHECK(sentence_of([&] { expect_close(out, 0, 1e30); }) == "out[0] was never written, expected 0");
}

TEST_CASE("of several wrong elements it is said how many were never written") {
  FakeMemory memory;
  Buffer<float> out(memory, "out", 3);
  out.upload(std::vector<float>{1});
  CHECK(sentence_of([&] {
          expect_equal(out, std::vector<double>{2, 3, 4});
        }) == "out[0] is 1, expected 2 (3 of 3 are wrong, 2 never written)");
}

TEST_CASE("close is as close as the bound says") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1.0f, 2.25f});
  CHECK(sentence_of([&] { expect_close(out, {1, 2}, {0, 0.25}); }).empty());
  CHECK_THAT(sentence_of([&] {
               expect_close(out, {1, 2}, {0, 0.24});
             }),
             ContainsSubstring("out[1] is 2.25, expected 2"));
  const auto nan = buffer_of<float>(memory, {std::nanf("")});
  CHECK_FALSE(sentence_of([&] { expect_close(nan, 1, 1e30); }).empty());
}

TEST_CASE("a check that expects more elements than there are is itself wrong") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {1});
  CHECK_THROWS_AS(expect_equal(out, std::vector<double>{1, 2}), std::logic_error);
  CHECK_FALSE(record().take_stray());
}

TEST_CASE("limits say what was counted, the limit, and why") {
  CHECK(sentence_of([] { expect_at_most("block barriers", Measured(9), 9); }).empty());
  CHECK(sentence_of([] { expect_at_most("block barriers", Measured(10), 9, "log2(256) + 1"); }) ==
        "block barriers: 10, at most 9 (log2(256) + 1)");
  CHECK(sentence_of([] { expect_at_least("shuffles", Measured(4.5), 5); }) == "shuffles: 4.5, at least 5");
  CHECK(sentence_of([] { expect_equal_count("votes", Measured(3), 1, "one a warp"); }) ==
        "votes: 3, expected 1 (one a warp)");
  CHECK(sentence_of([] { expect_that(false, "the sum is wrong"); }) == "the sum is wrong");
}

TEST_CASE("circumstances are spelled in one order, and only those that are known") {
  const LaunchShape shape{.grid = 3, .block = 64};
  CHECK(spelled(Case{}).empty());
  CHECK(spelled(case_of(33, shape, "real floats")) == "n = 33, block = 64, grid = 3, real floats");
  CHECK(sentence_of([] { expect_that(false, {.n = 4}, "no sum"); }) == "n = 4: no sum");
  CHECK(sentence_of([] { expect_that(true, {.n = 4}, "no sum"); }).empty());
}

TEST_CASE("one element may be looked at by itself") {
  FakeMemory memory;
  const auto out = buffer_of<float>(memory, {7, 1.5f});
  CHECK(sentence_of([&] { expect_element(out, 1, 1, 0.5); }).empty());
  CHECK(sentence_of([&] { expect_element(out, 1, 1, 0.25, {.n = 4}); }) ==
        "n = 4: out[1] is 1.5, expected 1");
  const Buffer<float> nothing(memory, "out", 2);
  CHECK(sentence_of([&] { expect_element(nothing, 1, 0, 1e30); }) == "out[1] was never written, expected 0");
}

TEST_CASE("findings fail with the headline of the first") {
  CHECK(sentence_of([] { expect_no_findings(launch_with({})); }).empty());
  CHECK(sentence_of([] {
          expect_no_findings(launch_with({race_at(14), race_at(15)}));
        }) == "exercise.cu:14: race: thread 32 reads s[32] while thread 0 may still write it (and 1 more)");
}

TEST_CASE("an expected finding has the right kind and line") {
  const Launch launch = launch_with({race_at(14)});
  CHECK(sentence_of([&] { expect_finding(launch, FindingKind::race); }).empty());
  CHECK(sentence_of([&] { expect_finding(launch, FindingKind::race, 14); }).empty());
  CHECK_THAT(
      sentence_of([&] { expect_finding(launch, FindingKind::race, 15); }),
      ContainsSubstring("expected the finding race at line 15, but there is only exercise.cu:14: race"));
  CHECK_THAT(sentence_of([&] { expect_finding(launch_with({}), FindingKind::sync); }),
             ContainsSubstring("expected the finding sync, but there is none"));
}

TEST_CASE("a launch on a real GPU has no counters, and says so") {
  const Launch launch("reduce_naive", {.grid = 2, .block = 64, .shared_bytes = 256});
  CHECK_THROWS_AS(launch.counters(), std::logic_error);
  CHECK(launch.completed());
  CHECK(spelled(launch.shape()) == "<<<2, 64, 256 bytes>>>");
  CHECK(spelled(LaunchShape{.grid = {2, 3}, .block = 32}) == "<<<{2, 3, 1}, 32>>>");
}
