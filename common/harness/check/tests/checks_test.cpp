/// \file The checks that several chapters ask of their kernels, on kernels that are right and that are not.

#include "common/harness/check/block_sums.hpp"
#include "common/harness/check/in_place_sums.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/other_orders.hpp"
#include "common/harness/check/schedules.hpp"
#include "common/harness/check/sizes.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/check/unread_launches.hpp"
#include "common/harness/check/warp_masks.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

/// The device that checks find.
SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  use_devices({the_device});
  return the_device;
}

constexpr BlockSums by_tree{sums_by_tree}, one_by_one{sums_one_by_one}, racing{sums_without_barriers},
    by_votes{sums_by_votes}, as_integers{sums_as_integers}, of_first_launch{sums_of_first_launch};

/// On four full blocks, right or wrong.
CountedLaunch counted(const BlockSums& sums, unsigned block) {
  const unsigned n = 4 * sums.stretch(block);
  return count_additions([&] {
    return run_in_out(device(), sums.kernel, sums.shape(n, block), random_integers(n, 1), 4).launch;
  });
}

}  // namespace

TEST_CASE("additions: by thread, by warp, and what is read") {
  device();
  const Additions tree = counted(by_tree, 64).additions;
  CHECK(tree.busiest.additions == 6);
  CHECK(tree.busiest.block == 0);
  CHECK(tree.busiest.number == 0);
  // 32, 16, 8, 4, 2 and 1 threads add: six times the first warp of each block.
  CHECK(tree.by_all_threads == 4 * 63);
  CHECK(tree.warp_instructions == 4 * 6);
  CHECK(tree.by_warp == std::vector<std::uint64_t>{6, 0, 6, 0, 6, 0, 6, 0});
  CHECK(tree.reads.at("in").requests == 8);
  CHECK(tree.reads.at("in").sectors == 32);
  CHECK(tree.reads.size() == 1);
  // The observer is gone with the count: nothing is counted twice.
  CHECK(device().options().observations.empty());
}

TEST_CASE("masks of warp barriers: a mask that names lanes that have left is told with its line") {
  const auto out = device().poisoned<int>("out", 32);
  CHECK(sentence_of([] { check_masks([] { run_block_sums(device(), by_tree, 64, 64); }); }).empty());
  CHECK_THAT(sentence_of([&] {
               check_masks([&] { device().launch(mask_names_who_left, {.grid = 1, .block = 32}, out); });
             }),
             ContainsSubstring("the mask 0xffffffff of the warp barrier at line ") &&
                 ContainsSubstring(" names lanes 16 to 31, which do not come: they have left the kernel"));
}

TEST_CASE("sums of blocks: a right kernel passes") {
  device();
  CHECK(sentence_of([] { check_block_sums(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_rounded_block_sums(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_under_every_schedule(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_are_safe(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_are_safe_under_every_schedule(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_with_any_grid(by_tree, 64, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_of_any_values(by_tree); }).empty());
  CHECK(gives_block_sums(device(), by_tree, 255, 64));
  CHECK(sentence_of([] { expect_one_tree_a_block(counted(by_tree, 1024), 4096); }).empty());
  CHECK(sentence_of([] { expect_idle_warps_rest(counted(by_tree, 1024)); }).empty());
}

TEST_CASE("sums of blocks: half of the elements are missed, a race is found, one thread is no tree") {
  device();
  const BlockSums too_many{sums_by_tree, 2};  // says that a thread takes two elements
  CHECK_THAT(sentence_of([&] { check_block_sums(too_many, 64); }),
             ContainsSubstring("n = 127, block = 64: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_rounded_block_sums(too_many, 64); }),
             ContainsSubstring("n = 383, block = 64, real floats: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_block_sums_under_every_schedule(too_many, 64); }),
             ContainsSubstring("n = 379, block = 64, schedule converged: out[0] is"));
  CHECK_THAT(sentence_of([] { check_block_sums_are_safe(racing, 64); }), ContainsSubstring("race: thread"));
  CHECK_THAT(sentence_of([] { check_block_sums_are_safe_under_every_schedule(racing, 64); }),
             ContainsSubstring("race: thread"));
  CHECK(sentence_of([] { check_block_sums(one_by_one, 64); }).empty());
  CHECK(
      sentence_of([] { expect_a_tree(counted(one_by_one, 64), 64); })
          .starts_with(
              "additions by thread 0 of block 0 in a block of 64: 64, at most 13 (a tree over 64 values has "
              "6 levels"));
  CHECK_THAT(sentence_of([] { expect_idle_warps_rest(counted(racing, 1024)); }),
             ContainsSubstring("additions by the warps of a block of 1024: 32768, at most 104"));
  CHECK_THAT(sentence_of([&] { check_block_sums_with_any_grid(too_many, 64, 64); }),
             ContainsSubstring("block = 64, grid = 1, fewer blocks than n needs: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_block_sums_of_any_values(too_many); }), ContainsSubstring("out[0] is"));
  CHECK_FALSE(gives_block_sums(device(), too_many, 255, 64));
}

constexpr InPlaceSum in_first{in_place_by_tree, SumIsIn::first_element},
    in_last{in_place_by_tree, SumIsIn::last_element};

TEST_CASE("sums in place: in the first element, by a tree") {
  device();
  CHECK(sentence_of([] { check_sum_in_place(in_first); }).empty());
  CHECK(sentence_of([] { check_tree_in_place(in_first); }).empty());
  CHECK(sentence_of([] { check_in_place_is_safe(in_first); }).empty());
  CHECK_THAT(sentence_of([] { check_sum_in_place(in_last); }),
             ContainsSubstring("n = 2, block = 1: values[1] is 10, expected 20"));
  CHECK(sentence_of([] { check_sum_in_place_of_any_values(in_first); }).empty());
  CHECK_THAT(sentence_of([] { check_sum_in_place_of_any_values(in_last); }),
             ContainsSubstring("n = 128, block = 64, zeros and both signs: values[127] is"));
  CHECK_THAT(sentence_of([] { check_tree_in_place({in_place_one_by_one}); }),
             ContainsSubstring("additions by thread 0 of block 0 in a block of 8: 15, at most 9"));
  CHECK(in_place_size_for(0) == 2);
  CHECK(in_place_size_for(33) == 64);
  CHECK(in_place_size_for(5000) == 2048);
}

TEST_CASE("sums of blocks: what is counted is compared, at the sizes of the result") {
  device();
  const auto one_tree = [](const BlockSums& sums) {
    return sentence_of([&] { check_every_block_sum_is_counted(sums, 64, expect_one_tree_a_block); });
  };
  CHECK(one_tree(by_tree).empty());
  const BlockSums idle{sums_but_not_of_eight_blocks};
  const auto no_limits = [](const CountedLaunch&, unsigned) {};
  CHECK(sentence_of([&] { check_every_block_sum_is_counted(one_by_one, 64, no_limits); }).empty());
  CHECK_THAT(sentence_of([&] { check_every_block_sum_is_counted(idle, 64, no_limits); }),
             ContainsSubstring("additions by all threads of 8 blocks of 64: 0, at least 504"));
  CHECK_THAT(sentence_of([&] {
               check_every_block_sum_is_counted({sums_by_tree, 2}, 64, no_limits);
             }),
             ContainsSubstring("additions by all threads"));
  const BlockSums tree_when_full{sums_by_tree_when_full};
  CHECK(sentence_of([&] { check_block_sums(tree_when_full, 64); }).empty());
  CHECK_THAT(sentence_of([&] {
               check_every_block_sum_is_counted(
                   tree_when_full, 64, [](const CountedLaunch& run, unsigned) { expect_a_tree(run, 64); });
             }),
             ContainsSubstring("additions by thread 0 of block 0"));
}

TEST_CASE("a tree: votes and integers are told from additions") {
  device();
  CHECK(sentence_of([] { check_block_sums(by_votes, 32); }).empty());
  CHECK_THAT(sentence_of([] { expect_a_tree(counted(by_votes, 32), 32); }),
             ContainsSubstring("votes and sums over a warp a block of 32: 16, at most 0"));
  CHECK(sentence_of([] { check_block_sums(as_integers, 32); }).empty());
  CHECK_THAT(sentence_of([] { expect_all_are_added(counted(as_integers, 32), 128, 4); }),
             ContainsSubstring("additions by all threads of 4 blocks of 32: 0, at least 124"));
  CHECK(sentence_of([] { expect_all_are_added(counted(by_tree, 32), 128, 4); }).empty());
}

TEST_CASE("a launch meets the module's variables as they are at its start, but where they are kept") {
  device();
  const auto launched_twice = [] {
    expect_block_sums(device(), of_first_launch, 40, 32);
    expect_block_sums(device(), of_first_launch, 40, 32);
  };
  CHECK(sentence_of(launched_twice).empty());
  const KeptModuleMemory kept;
  CHECK_THAT(sentence_of(launched_twice), ContainsSubstring("out[0] was never written"));
}

TEST_CASE("a check that launches and compares nothing is a broken check") {
  record().begin_case("sums_by_tree: technique");
  const auto in = device().upload("in", random_integers(64, 1));
  {
    const auto out = device().poisoned<float>("out", 1);
    device().launch(sums_by_tree, {.grid = 1, .block = 64, .shared_bytes = 256}, in, out, 64u);
    CHECK(unread_launches().complaint());
    expect_equal(out, sum(random_integers(64, 1)));
    CHECK_FALSE(unread_launches().complaint());
    device().launch(sums_by_tree, {.grid = 1, .block = 64, .shared_bytes = 256}, in, out, 64u);
  }
  // Another array, perhaps in the same place: it tells nothing of the one that is gone.
  CHECK(device().poisoned<float>("other", 1).download().size() == 1);
  CHECK_THAT(*unread_launches().complaint(),
             ContainsSubstring("nobody has looked at what sums_by_tree<<<1, 64, 256 bytes>>> wrote"));
  record().end_case();
  CHECK(record().has_broken());
}

namespace {
unsigned in_converged = 0, in_other_orders = 0;
void count_orders() {
  ++(other_order() ? in_other_orders : in_converged);
  if (other_order()) CHECK(every_block_size.end() - every_block_size.begin() == 2);
  expect_block_sums(device(), by_tree, 100, 64);
}
void fail_in_split_3() { expect_that(other_order() != "split:3", "out[0] is 300, expected 496"); }
void ask_for_much() {
  random_integers(1 << 20, 1);
  ++(other_order() ? in_other_orders : in_converged);
}
}  // namespace

TEST_CASE("a result is checked under six schedules, and a failure says under which") {
  device();
  run_check(Aspect::technique, count_orders);
  CHECK(in_other_orders == 0);
  run_check(Aspect::result, count_orders);
  CHECK(in_converged == 2);
  CHECK(in_other_orders == 5);
  run_check(Aspect::result, ask_for_much);  // in another order it ends where much begins
  CHECK(in_converged == 3);
  CHECK(in_other_orders == 5);
  CHECK(sentence_of([] { run_check(Aspect::result, fail_in_split_3); }) ==
        "under the schedule split:3: out[0] is 300, expected 496");
  CHECK_FALSE(other_order());
}

namespace {
void eat_all_memory() { throw std::bad_alloc(); }
void break_off_at_second_run() {
  if (looks_for_findings_alone()) throw std::out_of_range("the check counts on what it expects");
  expect_that(false, "out[0] is 300, expected 496");
}
}  // namespace

TEST_CASE("a check that meets the end of memory says so, and breaks off") {
  record().begin_case("sums_by_tree: technique");
  CHECK_THROWS_AS(run_check(Aspect::technique, eat_all_memory), std::bad_alloc);
  REQUIRE(record().has_failed_here());  // so the listener adds nothing
  const Failure failure = record().take_failure();
  CHECK(failure.is_broken);
  CHECK(failure.is_out_of_memory);
  CHECK(failure.sentence == std::bad_alloc().what());
  record().end_case();
}

TEST_CASE("who looks for findings alone stops doing so, however the check ends") {
  record().begin_case("sums_by_tree: safety");
  CHECK_THROWS_AS(run_check(Aspect::safety, break_off_at_second_run), std::out_of_range);
  CHECK_FALSE(looks_for_findings_alone());
  record().end_case();
}

TEST_CASE("every schedule is set while it is tried, and put back") {
  const std::string before = device().options().launch.schedule.spelled();
  std::vector<std::string> tried;
  under_every_schedule(
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

TEST_CASE("what is counted too often is told with the n and the block of its launch") {
  record().begin_case("sums_by_tree: technique");
  const Launch launch = run_block_sums(device(), by_tree, 256, 64);
  run_block_sums(device(), by_tree, 32, 32);
  CHECK_THROWS_WITH(expect_at_most("barriers", launch.count(&Counters::block_barriers), 1),
                    ContainsSubstring("n = 256, block = 64: barriers: "));
  CHECK_THROWS_WITH(expect_at_most("block barriers", Measured(2), 1), "block barriers: 2, at most 1");
  record().end_case();
}
