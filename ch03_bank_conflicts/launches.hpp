#pragma once
/// \file How the kernels of this chapter are launched: for the checks, the ladder and the counters.

#include <algorithm>

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/device.hpp"
#include "common/harness/inputs.hpp"

namespace warpwise::ch03 {

using harness::ceil_div;
using harness::Device;
using harness::Launch;
using harness::LaunchShape;
using ReductionKernel = harness::Kernel<void(const float*, float*, unsigned)>;

/// `blocks` blocks of `block` threads, with a float of shared memory for each thread.
inline LaunchShape grid_of(unsigned blocks, unsigned block) {
  return {.grid = blocks, .block = block, .shared_bytes = block * sizeof(float)};
}

/// Enough blocks that sum `a_block` elements each; one at least: the sum of nothing is 0, and somebody has to
/// write it.
inline LaunchShape shape_for(unsigned n, unsigned block, unsigned a_block) {
  return grid_of(std::max(1u, ceil_div(n, a_block)), block);
}

/// A grid that walks: as many blocks as the device runs at once (2048 threads a multiprocessor, on the GPUs
/// that have most), but none that has no element.
inline LaunchShape walking_grid(const Device& device, unsigned n, unsigned block) {
  const unsigned at_once = device.properties().multiprocessors * (2048 / block);
  return grid_of(std::clamp(ceil_div(n, block), 1u, at_once), block);
}

/// One of the four reductions, on whole numbers.
inline Launch run_reduction(Device& device, const ReductionKernel& kernel, unsigned n,
                            const LaunchShape& shape) {
  const auto in = device.upload("in", harness::random_integers(n, harness::seed_of(n, shape.block.x)));
  const auto out = device.poisoned<float>("out", shape.grid.x);
  return device.launch(kernel, shape, in, out, n);
}

inline LaunchShape tiles_for(unsigned columns) {
  return {.grid = std::max(1u, ceil_div(columns, 32)), .block = 32};
}

inline Launch run_column_sums(Device& device, unsigned columns) {
  const auto in = device.upload("in", harness::random_integers(32 * columns, columns));
  const auto out = device.poisoned<float>("out", columns);
  return device.launch(column_sums, tiles_for(columns), in, out, columns);
}

}  // namespace warpwise::ch03
