#pragma once
/// \file What checks_blocks.cpp and checks_roof.cpp expect of kernels whose blocks share n elements out among
/// themselves.

#include <cmath>
#include <string>
#include <vector>

#include "ch05_shuffle/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/code.hpp"

namespace warpwise::ch05 {

using harness::Check;

/// Grids to try: one block, three, and some more than there are elements for.
inline std::vector<LaunchShape> shapes_for(unsigned n, unsigned block) {
  return {{.grid = 1, .block = block},
          {.grid = 3, .block = block},
          {.grid = harness::ceil_div(n, block) + 2, .block = block}};
}

/// Every element of `out` is written, and together they differ from `expected` by no more than `bound`; where
/// that is an infinity or NaN, they come to the same.
inline void expect_sum_of_blocks(const Buffer<float>& out, double expected, double bound,
                                 const harness::Case& where) {
  const double total = harness::sum(harness::download_written(out, where));
  const bool is_same = total == expected || (std::isnan(total) && std::isnan(expected));
  harness::expect_that(is_same || std::abs(total - expected) <= bound, where,
                       "the sums of the blocks add up to " + harness::text_of(total) + ", expected " +
                           harness::text_of(expected));
}

// The four kernels of blocks, on random input of n elements: a launch, and what it leaves is right. On a real
// GPU it is repeated and timed, and nobody looks. (checks_blocks.cpp)
Launch expect_reduce_shuffle(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_atomic(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_argmax(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_dot_product(Device& device, unsigned n, const LaunchShape& shape);

/// Additions that a value passes through at most: those of its thread, then a tree in the warp, then the sums
/// of up to 32 warps in any order, then `after` more.
inline unsigned additions_for(unsigned n, const LaunchShape& shape, unsigned after = 0) {
  return harness::ceil_div(n, 32 * warps_of(shape)) + 5 + 32 + after;
}

/// Two stages: the values of a warp by at most `shuffles` of them, then those of the block's up to 32 warps
/// in any way, by one thread or by every one. Between them one barrier; through shared memory passes what a
/// warp has found, `values` words of it.
inline void expect_two_stages(const harness::SimulatedDevice& device, const Launch& launch,
                              unsigned shuffles_a_stage, unsigned values) {
  using harness::Counters;
  using harness::expect_at_most;
  const double warps = static_cast<double>(launch.shape().block.x) / 32;
  expect_at_most("shared atomic requests", launch.count(&Counters::shared_atomic_requests), 0,
                 "atomics on one word add one value after the other");
  expect_at_most("block barriers a block", launch.count(&Counters::block_barriers).per_block(), 1,
                 "one, between the sums of the warps and the sum of these");
  expect_at_most("shuffles a warp", launch.count(&Counters::shuffles).per_warp(), 2 * shuffles_a_stage,
                 "two stages of five steps, since 2^5 = 32");
  expect_at_most("shared memory store requests a warp",
                 launch.count(&Counters::shared_store_requests).per_warp(), values,
                 "each warp stores what it has found, once");
  expect_at_most("shared memory load requests a warp",
                 launch.count(&Counters::shared_load_requests).per_warp(), values * warps,
                 "a warp loads what each of the block's warps has found, once at most");
  expect_at_most("bytes of shared memory",
                 harness::Measured(harness::shared_bytes_of(device.program(), launch.kernel())),
                 4 * 32 * values, "a word for each of the 32 warps that a block may have");
}

/// `arrays` arrays of n elements are read once, 32 neighbours at a time, by all warps of all blocks.
inline void expect_read_once(const Launch& launch, const harness::Work& work, unsigned n, unsigned arrays) {
  harness::expect_each_element_is_read_once(launch, arrays * n, "32 neighbouring elements fill 4 sectors");
  harness::expect_shared_out(work, 4.0 * n * arrays);
}

}  // namespace warpwise::ch05
