/// \file What the checks of reductions hold that no attempt of a chapter is rejected by: attempts hold the
/// rest, each by the reason for which it is rejected.

#include "common/harness/check/reductions.hpp"

#include "common/harness/check/technique.hpp"
#include "common/harness/device/tests/kernels.hpp"
#include "common/testing/catch.hpp"
#include "sentence_of.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

constexpr BlockSums by_tree{sums_by_tree}, too_many{sums_by_tree, 2};  ///< of two elements a thread, it says
constexpr InPlaceSum in_first{in_place_by_tree, SumIsIn::first_element},
    in_last{in_place_by_tree, SumIsIn::last_element};

}  // namespace

TEST_CASE("additions: by thread, by warp, and what is read") {
  const Work tree =
      launch_and_work(device(), [](Device& one) { return expect_block_sums(one, by_tree, 256, 64); }).work;
  CHECK(tree.busiest.count == 6);
  CHECK(tree.busiest.block == 0);
  CHECK(tree.busiest.number == 0);
  // 32, 16, 8, 4, 2 and 1 threads add: six times the first warp of each block.
  CHECK(tree.by_all_threads == 4 * 63);
  CHECK(tree.total(&WarpWork::additions) == 4 * 6);
  REQUIRE(tree.warps.size() == 8);
  for (const WarpWork& warp : tree.warps) CHECK(warp.additions == (warp.warp == 0 ? 6 : 0));
  CHECK(tree.warps[5].block == 2);
  CHECK(tree.reads.at("in").requests == 8);
  CHECK(tree.reads.at("in").sectors == 32);
  CHECK(tree.reads.size() == 1);
  CHECK(tree.writers.at("out").highest == 0);  // thread 0 of each block alone writes its sum
  // The observer is gone with the count: nothing is counted twice.
  CHECK(device().options().observations.empty());
}

TEST_CASE("sums of any values") {
  FirstCheck check;
  CHECK(sentence_of([&] { check_block_sums_of_any_values(check, by_tree); }).empty());
  CHECK_THAT(sentence_of([&] { check_block_sums_of_any_values(check, too_many); }),
             ContainsSubstring("zeros and both signs: out[0] is"));
  CHECK(sentence_of([&] { check_sum_in_place_of_any_values(check, in_first); }).empty());
  CHECK_THAT(sentence_of([&] { check_sum_in_place_of_any_values(check, in_last); }),
             ContainsSubstring("n = 128, block = 64, zeros and both signs: values[127] is"));
}

TEST_CASE("a kernel that another is held against is right or not, and nothing fails") {
  CHECK(gives_block_sums(device(), by_tree, 255, 64));
  CHECK_FALSE(gives_block_sums(device(), too_many, 255, 64));
}

TEST_CASE("a sum in place takes the next size that a block can have") {
  CHECK(in_place_size_for(0) == 2);
  CHECK(in_place_size_for(33) == 64);
  CHECK(in_place_size_for(5000) == 2048);
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
