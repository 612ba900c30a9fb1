/// \file Compares the figures that the lesson prints with the solution, so that they cannot drift.

#include "ch07_match_any/checks/launches.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/lesson_figures.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch07;
using warpwise::testing::check_figure;

namespace {

const std::string solution = WARPWISE_BINARY_DIR "/solution.ptx";

warpwise::simulator::Counters count(const MatchKernel& kernel, const Combinations& all) {
  SimulatedDevice device(solution);
  return launch_match(device, kernel, all, 32).launch.counters();
}

}  // namespace

TEST_CASE("the table of the matches: votes and instructions per warp with 1, 8 and 32 distinct keys") {
  for (const unsigned distinct : {1u, 8u, 32u}) {
    const Combinations all = full_warps(1, distinct);
    CHECK(count(match_any_by_broadcast, all).votes == 32);
    CHECK(count(match_any_skip_inactive, all).votes == 32);
    CHECK(count(match_any_by_leaders, all).votes == distinct);
    CHECK(count(match_any_intrinsic, all).matches == 1);
    check_figure(solution, count(match_any_by_broadcast, all).warp_instructions, 414);
    check_figure(solution, count(match_any_skip_inactive, all).warp_instructions, 548);
    check_figure(solution, count(match_any_intrinsic, all).warp_instructions, 28);
  }
  check_figure(solution, count(match_any_by_leaders, full_warps(1, 1)).warp_instructions, 51);
  check_figure(solution, count(match_any_by_leaders, full_warps(1, 8)).warp_instructions, 156);
  check_figure(solution, count(match_any_by_leaders, full_warps(1, 32)).warp_instructions, 516);
}

TEST_CASE("the leaders take as many rounds as there are distinct keys") {
  const Combinations all = random_combinations(2000);
  const auto counters = count(match_any_by_leaders, all);
  CHECK(counters.votes == distinct_keys(all.keys, all));
  CHECK(counters.shuffles == 2 * counters.votes);
}

TEST_CASE("an aggregated increment issues one atomic operation for each distinct address") {
  SimulatedDevice device(solution);
  const Combinations all = random_combinations(2000);
  CHECK(launch_increment(device, all, 32).launch.counters().global_atomic_sectors ==
        distinct_keys(increments_for(all).which, all));
}

TEST_CASE("the histogram: atomic operations for 2^16 keys in 4 bins") {
  SimulatedDevice device(solution);
  const unsigned n = 1u << 16;
  const auto keys = random_keys(n, 4, words_apart);
  const std::vector<unsigned> start(4 * words_apart);
  const LaunchShape shape = walking_blocks(n, 256, 128);
  CHECK(atomics(launch_histogram(device, histogram_plain, keys, start, shape).launch).value() == 65536);
  CHECK(atomics(launch_histogram(device, histogram_aggregated, keys, start, shape).launch).value() == 8189);
  CHECK(atomics(launch_private(device, keys, start, walking_blocks(n, 512, 64)).launch).value() == 128);
  CHECK(atomics(launch_compaction(device, sparse_elements(n, 2), shape).launch).value() == 2048);
}
