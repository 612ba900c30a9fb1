/// \file The checks that several chapters ask of their kernels, on kernels that are right and that are not.

#include "common/harness/block_sums.hpp"
#include "common/harness/in_place_sums.hpp"
#include "common/harness/inputs.hpp"
#include "common/harness/readers.hpp"
#include "common/harness/schedules.hpp"
#include "common/harness/technique.hpp"
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

}  // namespace

TEST_CASE("sums of blocks: a right kernel passes") {
  device();
  CHECK(sentence_of([] { check_block_sums(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_rounded_block_sums(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_under_every_schedule(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_are_safe(by_tree, 64); }).empty());
  CHECK(sentence_of([] { check_block_sums_are_safe_under_every_schedule(by_tree, 64); }).empty());
  CHECK(sentence_of([] { expect_a_tree(run_block_sums(device(), by_tree, 256, 64)); }).empty());
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
  CHECK_THAT(sentence_of([] { expect_a_tree(run_block_sums(device(), one_by_one, 256, 64)); }),
             ContainsSubstring("does one thread add everything?"));
}

TEST_CASE("sums in place: in the first element, by a tree") {
  device();
  CHECK(sentence_of([] { check_sum_in_place(in_place_by_tree, SumIsIn::first_element); }).empty());
  CHECK(sentence_of([] { check_tree_in_place(in_place_by_tree); }).empty());
  CHECK(sentence_of([] { check_in_place_is_safe(in_place_by_tree); }).empty());
  CHECK_THAT(sentence_of([] { check_sum_in_place(in_place_by_tree, SumIsIn::last_element); }),
             ContainsSubstring("n = 2: values[1] is 10, expected 20"));
  CHECK_THAT(sentence_of([] { check_tree_in_place(in_place_one_by_one); }),
             ContainsSubstring("exchanges between the threads for 64 values: 0, at least 5"));
  CHECK(in_place_size_for(0) == 2);
  CHECK(in_place_size_for(33) == 64);
  CHECK(in_place_size_for(5000) == 2048);
}

TEST_CASE("readers: every warp of a block takes part, or one that does not is named") {
  const LaunchShape shape = with_shared_floats({.grid = 2, .block = 64});
  const auto values = random_integers(128, 1);
  const auto out = device().poisoned<float>("out", 2);
  const auto run = [&](const auto& kernel) {
    return [&](const Buffer<float>& in) { return device().launch(kernel, shape, in, out, 128u); };
  };
  CHECK(readers_of(values, 32, run(sums_by_tree)) == std::set<Reader>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK(readers_of(values, 32, run(sums_one_by_one)) == std::set<Reader>{{0, 0}, {1, 0}});
  CHECK(sentence_of([&] { expect_every_warp_reads(shape, values, 32, run(sums_by_tree)); }).empty());
  CHECK(sentence_of([&] { expect_every_warp_reads(shape, values, 32, run(sums_one_by_one)); }) ==
        "n = 128, block = 64, grid = 2: warp 1 of block 0 reads no element, though there are enough for all: "
        "share the work out");
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
