#pragma once
/// \file What the checks of chapter 2 share: launches of its kernels with inputs of their kind.

#include <utility>
#include <vector>

#include "ch02_divergence/checks/references.hpp"
#include "ch02_divergence/kernels.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch02 {

using harness::Device;
using harness::Launch;
using harness::LaunchShape;
using harness::random_words;
using harness::seed_of;

inline constexpr unsigned several_blocks = 8;  ///< of a launch whose counters are checked; all are full

/// 2 * block + 32 words of shared memory.
inline LaunchShape partition_shape(unsigned n, unsigned block) {
  return harness::thread_for_each(n, block, (2 * block + 32) * sizeof(unsigned));
}

/// These three launch on random input. On the simulated GPU they also compare the results, so that only right
/// launches are counted or searched for findings. (On a real GPU the launch is repeated and timed.)
inline Launch run_alternate_by_warp(Device& device, unsigned n, unsigned block) {
  const auto values = random_words(n, seed_of(n, block));
  auto [launch, out] = run_in_out(device, alternate_by_warp, harness::thread_for_each(n, block), values, n);
  if (device.is_simulated()) harness::expect_equal(out, alternated(values), {.n = n, .block = block});
  return std::move(launch);
}

/// The matches, on a device.
struct ScoreBoard {
  ScoreBoard(Device& device, const Matches& matches)
      : home_goals(device.upload("home_goals", matches.home_goals)),
        away_goals(device.upload("away_goals", matches.away_goals)),
        home_points(device.upload("home_points", matches.home_points)),
        away_points(device.upload("away_points", matches.away_points)) {}
  Launch launch(Device& device, const LaunchShape& shape, unsigned n) const {
    return device.launch(score_matches, shape, home_goals, away_goals, home_points, away_points, n);
  }
  /// Expects the points of `matches`.
  void expect(const Matches& matches, const harness::Case& where) const {
    harness::expect_equal(home_points, matches.home_points, where);
    harness::expect_equal(away_points, matches.away_points, where);
  }
  harness::Buffer<int> home_goals, away_goals, home_points, away_points;
};

inline Launch run_score_matches(Device& device, unsigned n, unsigned block) {
  const Matches matches = random_matches(n, seed_of(n, block));
  const ScoreBoard board(device, matches);
  Launch launch = board.launch(device, harness::thread_for_each(n, block), n);
  if (device.is_simulated()) board.expect(scored(matches), {.n = n, .block = block});
  return launch;
}

inline Launch run_partition_by_sign(Device& device, unsigned n, unsigned block) {
  const auto values = random_signed(n, seed_of(n, block));
  auto [launch, out] = run_in_out(device, partition_by_sign, partition_shape(n, block), values, n);
  if (device.is_simulated()) harness::expect_equal(out, partitioned(values, block), {.n = n, .block = block});
  return std::move(launch);
}

}  // namespace warpwise::ch02
