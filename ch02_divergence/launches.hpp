#pragma once
/// \file What the checks of chapter 2 share: launches of its kernels with inputs of their kind.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "ch02_divergence/kernels.hpp"
#include "ch02_divergence/references.hpp"
#include "common/harness/device.hpp"
#include "common/harness/inputs.hpp"

namespace warpwise::ch02 {

using harness::ceil_div;
using harness::Device;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::random_integers;
using harness::random_words;
using harness::seed_of;
using simulator::Counters;

inline constexpr unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024};
inline constexpr unsigned several_blocks = 8;  ///< of a launch whose counters are looked at, each full

/// The kernels that sum `values` in place: the same tree, seen from the left and from the right.
using SumInPlace = Kernel<void(float*)>;

/// Levels of a tree of pairs over `values` values, a power of two.
inline unsigned levels_of(unsigned values) { return std::countr_zero(values); }

/// Times at which a block or a warp lets values pass from one thread to another.
inline std::uint64_t exchanges(const Counters& counters) {
  return counters.block_barriers + counters.warp_barriers + counters.shuffles;
}

inline LaunchShape shape_for(unsigned n, unsigned block, std::size_t shared_words = 0) {
  return {.grid = std::max(1u, ceil_div(n, block)), .block = block, .shared_bytes = 4 * shared_words};
}

inline Launch run_reduce_contiguous(Device& device, unsigned n, unsigned block) {
  const LaunchShape shape = shape_for(n, block, block);
  const auto in = device.upload("in", random_integers(n, seed_of(n, block)));
  const auto out = device.poisoned<float>("out", shape.grid.x);
  return device.launch(reduce_contiguous, shape, in, out, n);
}

inline Launch run_alternate_by_warp(Device& device, unsigned n, unsigned block) {
  const auto in = device.upload("in", random_words(n, seed_of(n, block)));
  const auto out = device.poisoned<unsigned>("out", n);
  return device.launch(alternate_by_warp, shape_for(n, block), in, out, n);
}

inline Launch run_score_matches(Device& device, unsigned n, unsigned block) {
  const Matches matches = random_matches(n, seed_of(n, block));
  const auto home_goals = device.upload("home_goals", matches.home_goals);
  const auto away_goals = device.upload("away_goals", matches.away_goals);
  const auto home_points = device.upload("home_points", matches.home_points);
  const auto away_points = device.upload("away_points", matches.away_points);
  return device.launch(score_matches, shape_for(n, block), home_goals, away_goals, home_points, away_points,
                       n);
}

inline Launch run_partition_by_sign(Device& device, unsigned n, unsigned block) {
  const auto in = device.upload("in", random_signed(n, seed_of(n, block)));
  const auto out = device.poisoned<unsigned>("out", n);
  return device.launch(partition_by_sign, shape_for(n, block, 2 * block + 32), in, out, n);
}

inline Launch run_in_place(const SumInPlace& kernel, Device& device, unsigned n) {
  const auto values = device.upload("values", random_integers(n, seed_of(n)));
  return device.launch(kernel, {.grid = 1, .block = n / 2}, values);
}

}  // namespace warpwise::ch02
