/// \file The checks that several chapters ask of their kernels, on kernels that are right and that are not.

#include "common/harness/block_sums.hpp"
#include "common/harness/in_place_sums.hpp"
#include "common/harness/inputs.hpp"
#include "common/harness/schedules.hpp"
#include "common/harness/technique.hpp"
#include "common/harness/warp_masks.hpp"
#include "common/testing/catch.hpp"
#include "kernels.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

/// The device that checks find.
SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/tests/kernels.ptx");
  use_devices({the_device});
  return the_device;
}

constexpr BlockSums by_tree{sums_by_tree}, one_by_one{sums_one_by_one}, racing{sums_without_barriers};

/// On four full blocks.
CountedLaunch counted(const BlockSums& sums, unsigned block) {
  return count_additions([&] { return run_block_sums(device(), sums, 4 * block, block); });
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

TEST_CASE("sums in place: in the first element, by a tree") {
  device();
  CHECK(sentence_of([] { check_sum_in_place(in_place_by_tree, SumIsIn::first_element); }).empty());
  CHECK(sentence_of([] { check_tree_in_place(in_place_by_tree); }).empty());
  CHECK(sentence_of([] { check_in_place_is_safe(in_place_by_tree); }).empty());
  CHECK_THAT(sentence_of([] { check_sum_in_place(in_place_by_tree, SumIsIn::last_element); }),
             ContainsSubstring("n = 2: values[1] is 10, expected 20"));
  CHECK(sentence_of([] {
          check_sum_in_place_of_any_values(in_place_by_tree, SumIsIn::first_element);
        }).empty());
  CHECK_THAT(sentence_of([] { check_sum_in_place_of_any_values(in_place_by_tree, SumIsIn::last_element); }),
             ContainsSubstring("n = 128, zeros and both signs: values[127] is"));
  CHECK_THAT(sentence_of([] { check_tree_in_place(in_place_one_by_one); }),
             ContainsSubstring("additions by thread 0 of block 0 in a block of 8: 15, at most 9"));
  CHECK(in_place_size_for(0) == 2);
  CHECK(in_place_size_for(33) == 64);
  CHECK(in_place_size_for(5000) == 2048);
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
  CHECK_THROWS_WITH(expect_at_most("block barriers", launch.counters().block_barriers, 1),
                    ContainsSubstring("n = 256, block = 64: block barriers: "));
  CHECK_THROWS_WITH(expect_at_most("elements that one block takes", 2, 1),
                    "elements that one block takes: 2, at most 1");
  record().end_case();
}
