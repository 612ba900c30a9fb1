/// \file The checks of reductions that several chapters ask for, on kernels that are right and that are not.

#include "common/harness/check/reductions.hpp"

#include "common/harness/check/technique.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr BlockSums by_tree{sums_by_tree}, one_by_one{sums_one_by_one}, racing{sums_without_barriers},
    by_votes{sums_by_votes}, as_integers{sums_as_integers};

/// On four full blocks, right or wrong.
LaunchAndWork counted(const BlockSums& sums, unsigned block) {
  const unsigned n = 4 * sums.stretch(block);
  return launch_and_work(device(), [&](Device&) {
    return run_in_out(device(), sums.kernel, sums.shape(n, block), random_integers(n, 1), 4).launch;
  });
}

}  // namespace

TEST_CASE("additions: by thread, by warp, and what is read") {
  FirstCheck check;
  const Work tree = counted(by_tree, 64).work;
  CHECK(tree.busiest.count == 6);
  CHECK(tree.busiest.block == 0);
  CHECK(tree.busiest.number == 0);
  // 32, 16, 8, 4, 2 and 1 threads add: six times the first warp of each block.
  CHECK(tree.by_all_threads == 4 * 63);
  CHECK(tree.total(&WarpWork::additions) == 4 * 6);
  for (const WarpWork& warp : tree.warps) CHECK(warp.additions == (warp.warp == 0 ? 6 : 0));
  CHECK(tree.reads.at("in").requests == 8);
  CHECK(tree.reads.at("in").sectors == 32);
  CHECK(tree.reads.size() == 1);
  // The observer is gone with the count: nothing is counted twice.
  CHECK(device().options().observations.empty());
}

TEST_CASE("sums of blocks: a right kernel passes") {
  FirstCheck check;
  CHECK(sentence_of([&] { check_block_sums(check, by_tree, 64); }).empty());
  CHECK(sentence_of([&] { check_rounded_block_sums(check, by_tree, 64); }).empty());
  CHECK(sentence_of([&] { check_block_sums_under_every_schedule(check, by_tree, 64); }).empty());
  CHECK(sentence_of([&] { check_block_sums_are_safe(check, by_tree, 64); }).empty());
  CHECK(sentence_of([&] { check_block_sums_are_safe_under_every_schedule(check, by_tree, 64); }).empty());
  CHECK(sentence_of([&] { check_block_sums_with_any_grid(check, by_tree, 64, 64); }).empty());
  CHECK(sentence_of([&] { check_block_sums_of_any_values(check, by_tree); }).empty());
  CHECK(gives_block_sums(device(), by_tree, 255, 64));
  CHECK(sentence_of([&] { expect_one_tree_a_block(counted(by_tree, 1024), 4096); }).empty());
  CHECK(sentence_of([&] { expect_idle_warps_rest(counted(by_tree, 1024)); }).empty());
}

TEST_CASE("sums of blocks: half of the elements are missed, a race is found, one thread is no tree") {
  FirstCheck check;
  const BlockSums too_many{sums_by_tree, 2};  // says that a thread takes two elements
  CHECK_THAT(sentence_of([&] { check_block_sums(check, too_many, 64); }),
             ContainsSubstring("n = 127, block = 64: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_rounded_block_sums(check, too_many, 64); }),
             ContainsSubstring("n = 383, block = 64, real floats: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_block_sums_under_every_schedule(check, too_many, 64); }),
             ContainsSubstring("n = 379, block = 64, schedule converged: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_block_sums_are_safe(check, racing, 64); }),
             ContainsSubstring("race: thread"));
  CHECK_THAT(sentence_of([&] { check_block_sums_are_safe_under_every_schedule(check, racing, 64); }),
             ContainsSubstring("race: thread"));
  CHECK(sentence_of([&] { check_block_sums(check, one_by_one, 64); }).empty());
  CHECK(
      sentence_of([&] { expect_a_tree(counted(one_by_one, 64), 64); })
          .starts_with(
              "additions by thread 0 of block 0 in a block of 64: 64, at most 13 (a tree over 64 values has "
              "6 levels"));
  CHECK_THAT(sentence_of([&] { expect_idle_warps_rest(counted(racing, 1024)); }),
             ContainsSubstring("additions by the warps of a block of 1024: 32768, at most 104"));
  CHECK_THAT(sentence_of([&] { check_block_sums_with_any_grid(check, too_many, 64, 64); }),
             ContainsSubstring("block = 64, grid = 1, fewer blocks than n needs: out[0] is"));
  CHECK_THAT(sentence_of([&] { check_block_sums_of_any_values(check, too_many); }),
             ContainsSubstring("out[0] is"));
  CHECK_FALSE(gives_block_sums(device(), too_many, 255, 64));
}

constexpr InPlaceSum in_first{in_place_by_tree, SumIsIn::first_element},
    in_last{in_place_by_tree, SumIsIn::last_element};

TEST_CASE("sums in place: in the first element, by a tree") {
  FirstCheck check;
  CHECK(sentence_of([&] { check_sum_in_place(check, in_first); }).empty());
  CHECK(sentence_of([&] { check_tree_in_place(check, in_first); }).empty());
  CHECK(sentence_of([&] { check_in_place_is_safe(check, in_first); }).empty());
  CHECK_THAT(sentence_of([&] { check_sum_in_place(check, in_last); }),
             ContainsSubstring("n = 2, block = 1: values[1] is 10, expected 20"));
  CHECK(sentence_of([&] { check_sum_in_place_of_any_values(check, in_first); }).empty());
  CHECK_THAT(sentence_of([&] { check_sum_in_place_of_any_values(check, in_last); }),
             ContainsSubstring("n = 128, block = 64, zeros and both signs: values[127] is"));
  CHECK_THAT(sentence_of([&] { check_tree_in_place(check, {in_place_one_by_one}); }),
             ContainsSubstring("additions by thread 0 of block 0 in a block of 8: 15, at most 9"));
  CHECK(in_place_size_for(0) == 2);
  CHECK(in_place_size_for(33) == 64);
  CHECK(in_place_size_for(5000) == 2048);
}

TEST_CASE("sums of blocks: what is counted is compared, at the sizes of the result") {
  FirstCheck check;
  const auto one_tree = [&](const BlockSums& sums) {
    return sentence_of([&] { check_every_block_sum_is_counted(check, sums, 64, expect_one_tree_a_block); });
  };
  CHECK(one_tree(by_tree).empty());
  const BlockSums idle{sums_but_not_of_eight_blocks};
  const auto no_limits = [](const LaunchAndWork&, unsigned) {};
  CHECK(sentence_of([&] { check_every_block_sum_is_counted(check, one_by_one, 64, no_limits); }).empty());
  CHECK_THAT(sentence_of([&] { check_every_block_sum_is_counted(check, idle, 64, no_limits); }),
             ContainsSubstring("additions by all threads of 8 blocks of 64: 0, at least 504"));
  CHECK_THAT(sentence_of([&] {
               check_every_block_sum_is_counted(check, {sums_by_tree, 2}, 64, no_limits);
             }),
             ContainsSubstring("additions by all threads"));
  const BlockSums tree_when_full{sums_by_tree_when_full};
  CHECK(sentence_of([&] { check_block_sums(check, tree_when_full, 64); }).empty());
  CHECK_THAT(sentence_of([&] {
               check_every_block_sum_is_counted(
                   check, tree_when_full, 64,
                   [](const LaunchAndWork& run, unsigned) { expect_a_tree(run, 64); });
             }),
             ContainsSubstring("additions by thread 0 of block 0"));
}

TEST_CASE("a tree: votes and integers are told from additions") {
  FirstCheck check;
  CHECK(sentence_of([&] { check_block_sums(check, by_votes, 32); }).empty());
  CHECK_THAT(sentence_of([&] { expect_a_tree(counted(by_votes, 32), 32); }),
             ContainsSubstring("votes and sums over a warp per block of 32: 16, at most 0"));
  CHECK(sentence_of([&] { check_block_sums(check, as_integers, 32); }).empty());
  CHECK_THAT(sentence_of([&] { expect_all_are_added(counted(as_integers, 32), 128, 4); }),
             ContainsSubstring("additions by all threads of 4 blocks of 32: 0, at least 124"));
  CHECK(sentence_of([&] { expect_all_are_added(counted(by_tree, 32), 128, 4); }).empty());
}

TEST_CASE("masks of warp barriers: a mask that names lanes that have left is told with its line") {
  const auto out = device().poisoned<int>("out", 32);
  CHECK(sentence_of([] {
          expect_masks_name_who_comes(device(), [] { expect_block_sums(device(), by_tree, 64, 64); });
        }).empty());
  CHECK_THAT(sentence_of([&] {
               expect_masks_name_who_comes(
                   device(), [&] { device().launch(mask_names_who_left, {.grid = 1, .block = 32}, out); });
             }),
             ContainsSubstring("the mask 0xffffffff of the warp barrier at line ") &&
                 ContainsSubstring(" names lanes 16 to 31, which never arrive: they have left the kernel"));
}

TEST_CASE("a slot of shared memory that nobody has written is told with who reads it") {
  const auto in = device().upload("in", std::vector<float>(64, 1.0f));
  const auto out = device().poisoned<float>("out", 1);
  const auto run = [&](const auto& kernel) {
    return unwritten_slot(device(), [&] {
      device().launch(kernel, {.grid = 1, .block = 64, .shared_bytes = 256}, in, out, 64u);
    });
  };
  CHECK_FALSE(run(sums_by_tree));
  expect_slots_are_written(run(sums_by_tree), "so that nothing is read that nobody has written");
  const auto unwritten = run(sums_without_barriers);
  REQUIRE(unwritten);
  CHECK(unwritten->word == 32);
  CHECK_THAT(sentence_of([&] { expect_slots_are_written(unwritten, "no barrier"); }),
             ContainsSubstring("thread 0 of block 0 reads word 32 of shared memory at line ") &&
                 ContainsSubstring(", which no thread has written (no barrier)"));
}
