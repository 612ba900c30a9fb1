#pragma once
/// \file What the kernels of chapter 2 should have computed, and inputs for them.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ch02_divergence/operations.hpp"
#include "common/harness/check/inputs.hpp"

namespace warpwise::ch02 {

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

}  // namespace warpwise::ch02
