#pragma once
/// \file What blocks.cpp and roof.cpp expect of kernels whose blocks divide n elements among
/// them.

#include <cmath>
#include <string>
#include <vector>

#include "ch05_shuffle/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/technique.hpp"

namespace warpwise::ch05 {

using harness::Check;

/// Grids to try: one block, three blocks, and two blocks more than the elements need.
inline std::vector<LaunchShape> shapes_for(unsigned n, unsigned block) {
  return {{.grid = 1, .block = block},
          {.grid = 3, .block = block},
          {.grid = harness::ceil_div(n, block) + 2, .block = block}};
}

/// Every element of `out` is written, and their sum differs from `expected` by at most `bound`. If `expected`
/// is an infinity or NaN, so is the sum.
inline void expect_sum_of_blocks(const Buffer<float>& out, double expected, double bound,
                                 const harness::Case& where) {
  const double total = harness::sum(harness::download_written(out, where));
  const bool is_same = total == expected || (std::isnan(total) && std::isnan(expected));
  harness::expect_that(is_same || std::abs(total - expected) <= bound, where,
                       "the sums of the blocks add up to " + harness::text_of(total) + ", expected " +
                           harness::text_of(expected));
}

// The four kernels of blocks, launched on random input of n elements. On the simulated GPU the result is
// compared; on a real GPU the launch is repeated and timed, and its result is not. (blocks.cpp)
Launch expect_reduce_shuffle(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_atomic(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_argmax(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_dot_product(Device& device, unsigned n, const LaunchShape& shape);

/// The most additions that a value can go through: those of its thread, then a tree in the warp, then the
/// sums of up to 32 warps in any order, then `after` more.
inline unsigned additions_for(unsigned n, const LaunchShape& shape, unsigned after = 0) {
  return harness::ceil_div(n, 32 * warps_of(shape)) + 5 + 32 + after;
}

/// Two stages: first the values of a warp, with at most `shuffles_a_stage` shuffles, then the results of the
/// block's up to 32 warps, in any way, in one thread or in all. There is one barrier between the two, and
/// only the warps' results go through shared memory, `values` words for each.
inline void expect_two_stages(const harness::SimulatedDevice& device, const Launch& launch,
                              unsigned shuffles_a_stage, unsigned values) {
  using harness::Counters;
  using harness::expect_at_most;
  const double warps = static_cast<double>(launch.shape().block.x) / 32;
  expect_at_most("shared atomic requests", launch.count(&Counters::shared_atomic_requests), 0,
                 "atomics on the same word add one value after the other");
  expect_at_most("block barriers per block", launch.count(&Counters::block_barriers).per_block(), 1,
                 "one, between the warps' sums and the sum of these sums");
  expect_at_most("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 2 * shuffles_a_stage,
                 "two stages of five steps, since 2^5 = 32");
  expect_at_most("shared memory store requests per warp",
                 launch.count(&Counters::shared_store_requests).per_warp(), values,
                 "each warp stores its result once");
  expect_at_most("shared memory load requests per warp",
                 launch.count(&Counters::shared_load_requests).per_warp(), values * warps,
                 "a warp loads the result of each warp of the block at most once");
  expect_at_most("bytes of shared memory",
                 harness::Measured(harness::shared_bytes_of(device.program(), launch.kernel())),
                 4 * 32 * values, "a word for each of the 32 warps that a block can have");
}

/// `arrays` arrays of n elements are read once, 32 neighbours at a time, by all warps of all blocks.
inline void expect_read_once(const Launch& launch, const harness::Work& work, unsigned n, unsigned arrays) {
  harness::expect_each_element_is_read_once(launch, arrays * n, "32 neighbouring elements fill 4 sectors");
  harness::expect_shared_out(work, 4.0 * n * arrays);
}

}  // namespace warpwise::ch05
