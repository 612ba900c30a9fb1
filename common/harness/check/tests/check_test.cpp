#include "common/harness/check/check.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

#include "common/harness/check/reductions.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr BlockSums by_tree{sums_by_tree}, racing{sums_without_barriers};

/// How `body` fails as a check of this aspect; empty where it passes.
std::optional<Failure> failure_of(Aspect aspect, const Check::Body& body) {
  FirstCheck check;
  return check.failure_of(aspect, body);
}
std::string sentence_of_check(Aspect aspect, const Check::Body& body) {
  const auto failure = failure_of(aspect, body);
  return failure ? failure->sentence : "";
}

}  // namespace

TEST_CASE("awkward sizes hold those at which kernels break") {
  const FirstCheck check;
  for (const unsigned block : {32u, 256u, 1024u}) {
    const auto sizes = check.awkward_sizes(block);
    CHECK(std::is_sorted(sizes.begin(), sizes.end() - 1));
    CHECK(std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end());
    CHECK(sizes.front() == 1);
    CHECK(sizes.back() == 0);  // what fails for 1 too is told of 1
    for (const unsigned n :
         {0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, block - 1, block, block + 1, 2 * block + 1}) {
      CHECK(std::count(sizes.begin(), sizes.end(), n) == 1);
    }
    const unsigned largest = *(sizes.end() - 2);
    CHECK(largest > 3 * block);
    CHECK(largest % block != 0);
  }
}

TEST_CASE("with a seed of the run there are sizes that nobody can know, and other inputs") {
  const FirstCheck check;
  const auto usual = check.awkward_sizes(256);
  const auto values = random_floats(100, 1);
  set_run_seed(20261);
  const auto more = check.awkward_sizes(256);
  const auto others = random_floats(100, 1);
  set_run_seed(7);
  const auto elsewhere = check.awkward_sizes(256);
  set_run_seed(0);
  CHECK(more.size() == usual.size() + 3);
  for (const unsigned n : usual) CHECK(std::ranges::count(more, n) == 1);
  CHECK(std::ranges::max(more) < 6 * 256);
  CHECK(more != elsewhere);
  CHECK(others != values);
  CHECK(random_floats(100, 1) == values);
}

TEST_CASE("every block size comes with its own awkward sizes") {
  const FirstCheck check;
  const auto all = check.sizes();
  for (const unsigned block : check.block_sizes())
    for (const unsigned n : check.awkward_sizes(block))
      CHECK(std::ranges::count_if(all, [&](Sizes one) { return one.n == n && one.block == block; }) == 1);
  CHECK(check.sizes({96}).size() == check.awkward_sizes(96).size());
}

TEST_CASE("a result is checked under six schedules, and a failure says under which") {
  unsigned in_usual = 0, in_others = 0;
  const auto count_orders = [&](Check& check) {
    ++(check.is_in_another_order() ? in_others : in_usual);
    CHECK(check.block_sizes().size() == (check.is_in_another_order() ? 2 : 6));
    expect_block_sums(check.simulated(), by_tree, 100, 64);
  };
  CHECK_FALSE(failure_of(Aspect::technique, count_orders));
  CHECK(in_others == 0);
  CHECK_FALSE(failure_of(Aspect::result, count_orders));
  CHECK(in_usual == 2);
  CHECK(in_others == 5);
  const auto ask_for_much = [&](Check& check) {
    device().poisoned<float>("large", 1 << 20);
    ++(check.is_in_another_order() ? in_others : in_usual);
  };
  CHECK_FALSE(failure_of(Aspect::result, ask_for_much));  // in another order it ends where much begins
  CHECK(in_usual == 3);
  CHECK(in_others == 5);
  const auto fail_in_split_3 = [](Check& check) {
    const bool is_split_3 = check.simulated().options().launch.schedule.spelled() == "split:3";
    expect_that(!is_split_3, "out[0] is 300, expected 496");
  };
  CHECK(sentence_of_check(Aspect::result, fail_in_split_3) ==
        "under the schedule split:3: out[0] is 300, expected 496");
  CHECK(device().options().launch.schedule.spelled() != "split:3");
}

TEST_CASE("a failure is told with the latest launch, and the lines that write a wrong element") {
  const auto failure = failure_of(Aspect::result, [](Check& check) {
    expect_block_sums(check.simulated(), by_tree, 256, 64);
    const auto out = check.simulated().zeroed<int>("out", 1);
    check.simulated().launch(first_only, {.grid = 1, .block = 32, .n = 1}, out);
    expect_equal(out, 3);
  });
  REQUIRE(failure);
  CHECK(failure->n == 1);
  CHECK(failure->block == 32);
  CHECK(failure->schedule == "converged");
  REQUIRE(failure->lines.size() == 1);
  CHECK(failure->lines[0].share == "writes results");
  CHECK_FALSE(failure->is_broken);
}

TEST_CASE("a launch that ends early fails the check, with its findings") {
  const auto failure = failure_of(Aspect::technique, [](Check& check) {
    const auto flag = check.simulated().zeroed<int>("flag", 1);
    check.simulated().launch(endless, {.grid = 1, .block = 32}, flag);
  });
  REQUIRE(failure);
  CHECK_THAT(failure->sentence, ContainsSubstring("endless<<<1, 32>>> ended early"));
  REQUIRE(failure->findings.size() == 1);
  CHECK(failure->findings[0].kind == FindingKind::timeout);
  CHECK_FALSE(failure->is_broken);
}

TEST_CASE("a check that throws anything else is a broken check") {
  const auto failure = failure_of(Aspect::safety, [](Check&) { throw std::out_of_range("no such element"); });
  REQUIRE(failure);
  CHECK(failure->is_broken);
  CHECK(failure->sentence == "no such element");
  CHECK_FALSE(failure->is_out_of_memory);
}

TEST_CASE("a check that meets the end of memory says so, and breaks off") {
  const auto failure = failure_of(Aspect::technique, [](Check&) { throw std::bad_alloc(); });
  REQUIRE(failure);
  CHECK(failure->is_broken);
  CHECK(failure->is_out_of_memory);
  CHECK(failure->sentence == std::bad_alloc().what());
}

TEST_CASE("a check that launches and compares nothing is a broken check") {
  const auto in = device().upload("in", random_integers(64, 1));
  const auto launch = [&](const Buffer<float>& out) {
    device().launch(sums_by_tree, {.grid = 1, .block = 64, .shared_bytes = 256}, in, out, 64u);
  };
  CHECK_FALSE(failure_of(Aspect::technique, [&](Check&) {
    const auto out = device().poisoned<float>("out", 1);
    launch(out);
    expect_equal(out, sum(random_integers(64, 1)));
  }));
  const auto failure = failure_of(Aspect::technique, [&](Check&) {
    const auto out = device().poisoned<float>("out", 1);
    launch(out);
  });
  REQUIRE(failure);
  CHECK(failure->is_broken);
  CHECK_THAT(failure->sentence,
             ContainsSubstring("nothing has been compared of what sums_by_tree<<<1, 64, 256 bytes>>> wrote"));
}

TEST_CASE("a check of the safety prefers findings to a wrong result, also those of later launches") {
  const auto launch = [](Device& device, const BlockSums& sums, double expected) {
    const auto written = run_in_out(device, sums.kernel, sums.shape(64, 64), random_integers(64, 1), 1);
    expect_equal(written.out, expected);
    return written.launch;
  };
  const double right = sum(random_integers(64, 1));
  CHECK(sentence_of_check(Aspect::safety, [&](Check& check) {
          check.expect_safe(launch, by_tree, right);
        }).empty());
  // A wrong result alone fails at the end, and the first one counts.
  unsigned launches = 0;
  const auto wrong = failure_of(Aspect::safety, [&](Check& check) {
    check.expect_safe(launch, by_tree, right + 1);
    check.expect_safe(launch, by_tree, right + 2);
    ++launches;
  });
  CHECK(launches == 1);
  REQUIRE(wrong);
  CHECK_THAT(wrong->sentence, ContainsSubstring(", expected " + text_of(right + 1)));
  CHECK(wrong->n == 64);
  // A finding takes its place, of the same launch or of a later one.
  CHECK_THAT(
      sentence_of_check(Aspect::safety, [&](Check& check) { check.expect_safe(launch, racing, right + 1); }),
      ContainsSubstring("race: thread"));
  CHECK_THAT(sentence_of_check(Aspect::safety,
                               [&](Check& check) {
                                 check.expect_safe(launch, by_tree, right + 1);
                                 check.expect_safe(launch, racing, right);
                               }),
             ContainsSubstring("race: thread"));
}

TEST_CASE("an expected finding has the right kind, and nobody looks at what its launch wrote") {
  const auto expect = [](const auto& kernel, FindingKind kind) {
    return sentence_of_check(Aspect::safety, [&](Check& check) {
      const auto in = check.simulated().upload("in", random_integers(64, 1));
      const auto out = check.simulated().poisoned<float>("out", 1);
      const LaunchShape shape{.grid = 1, .block = 64, .shared_bytes = 256};
      check.expect_finding(check.simulated().launch(kernel, shape, in, out, 64u), kind);
    });
  };
  CHECK(expect(sums_without_barriers, FindingKind::race).empty());
  CHECK_THAT(expect(sums_without_barriers, FindingKind::sync),
             ContainsSubstring("expected the finding sync, but there is only kernels.cu:"));
  CHECK(expect(sums_by_tree, FindingKind::sync) == "expected the finding sync, but there is none");
}

TEST_CASE("what the launches of one check may spend together has a limit, and outside of checks none") {
  SimulatedDevice own(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  const auto out = own.poisoned<int>("out", 32);
  const auto spend = [&] {
    for (int i = 0; i < 2; ++i) own.launch(counts_to, {.grid = 1, .block = 32}, out, 20'000);
  };
  const warpwise::report::Report none_before;
  {
    Check check(own, nullptr, none_before, 100'000);
    const auto failure = check.failure_of(Aspect::technique, [&](Check&) { spend(); });
    REQUIRE(failure);
    CHECK_THAT(failure->sentence, ContainsSubstring("counts_to takes too long to be checked"));
  }
  spend();
}

TEST_CASE("every schedule is set while it is tried, and put back") {
  const std::string before = device().options().launch.schedule.spelled();
  std::vector<std::string> tried;
  FirstCheck check;
  check.under_every_schedule(
      [&](Device& one, const std::string& note) {
        CHECK(&one == &device());
        tried.push_back(note);
        CHECK(note == "schedule " + device().options().launch.schedule.spelled());
      },
      2);
  CHECK(tried == std::vector<std::string>{"schedule converged", "schedule lockstep", "schedule split:1",
                                          "schedule split:2"});
  CHECK(device().options().launch.schedule.spelled() == before);
}
