#pragma once
/// \file What the checks of chapter 2 share: inputs, what the kernels should make of them, and launches.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ch02_divergence/kernels.hpp"
#include "ch02_divergence/operations.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch02 {

using harness::Device;
using harness::Launch;
using harness::LaunchShape;
using harness::random_words;
using harness::seed_of;

inline std::vector<unsigned> alternated(const std::vector<unsigned>& values) {
  std::vector<unsigned> results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back(i % 2 == 0 ? stir(values[i]) : shake(values[i]));
  return results;
}

/// Each stretch of `block` elements with its elements >= 0 first.
inline std::vector<unsigned> partitioned(const std::vector<int>& values, unsigned block) {
  std::vector<unsigned> results;
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    const std::size_t end = std::min<std::size_t>(begin + block, values.size());
    for (std::size_t i = begin; i < end; ++i)
      if (values[i] >= 0) results.push_back(stir(static_cast<unsigned>(values[i])));
    for (std::size_t i = begin; i < end; ++i)
      if (values[i] < 0) results.push_back(shake(static_cast<unsigned>(values[i])));
  }
  return results;
}

/// n whole numbers of both signs, from -500 to 500.
inline std::vector<int> random_signed(unsigned n, std::uint64_t seed) {
  const std::vector<float> values = harness::random_integers(n, seed, -500, 500);
  return {values.begin(), values.end()};
}

struct Matches {
  std::vector<int> home_goals, away_goals, home_points, away_points;
};

/// From 0 to `most` goals for each side (with 3, a quarter of the matches are draws), and from 0 to 60 points
/// so far.
inline Matches random_matches(unsigned n, std::uint64_t seed, int most = 3) {
  const auto draw = [&](std::uint64_t which, int high) {
    const std::vector<float> values = harness::random_integers(n, harness::seed_of(seed, which), 0, high);
    return std::vector<int>(values.begin(), values.end());
  };
  return {draw(1, most), draw(2, most), draw(3, 60), draw(4, 60)};
}

inline Matches scored(Matches matches) {
  for (std::size_t i = 0; i < matches.home_goals.size(); ++i) {
    if (matches.home_goals[i] > matches.away_goals[i]) {
      matches.home_points[i] += 3;
    } else if (matches.home_goals[i] < matches.away_goals[i]) {
      matches.away_points[i] += 3;
    } else {
      matches.home_points[i] += 1;
      matches.away_points[i] += 1;
    }
  }
  return matches;
}

// --- Launches ---------------------------------------------------------------------------------------------

inline constexpr unsigned several_blocks = 8;  ///< of a launch whose counters are checked; all are full

/// 2 * block + 32 words of shared memory.
inline LaunchShape partition_shape(unsigned n, unsigned block) {
  return harness::thread_for_each(n, block, (2 * block + 32) * sizeof(unsigned));
}

/// These three launch on random input and, unless the launch is timed, compare the results, so that only
/// right launches are counted or searched for findings.
inline Launch run_alternate_by_warp(Device& device, unsigned n, unsigned block) {
  const auto values = random_words(n, seed_of(n, block));
  auto [launch, out] = run_in_out(device, alternate_by_warp, harness::thread_for_each(n, block), values, n);
  if (!launch.is_timed()) harness::expect_equal(out, alternated(values), {.n = n, .block = block});
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
  if (!launch.is_timed()) board.expect(scored(matches), {.n = n, .block = block});
  return launch;
}

inline Launch run_partition_by_sign(Device& device, unsigned n, unsigned block) {
  const auto values = random_signed(n, seed_of(n, block));
  auto [launch, out] = run_in_out(device, partition_by_sign, partition_shape(n, block), values, n);
  if (!launch.is_timed()) harness::expect_equal(out, partitioned(values, block), {.n = n, .block = block});
  return std::move(launch);
}

}  // namespace warpwise::ch02
