#pragma once
/// \file How the kernels of this chapter are launched: for the checks, the ladder and the counters.

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/block_sums.hpp"
#include "common/harness/inputs.hpp"

namespace warpwise::ch03 {

using harness::Device;
using harness::InOutKernel;
using harness::Launch;
using harness::LaunchShape;

/// The kernels whose blocks have a stretch of their own.
inline constexpr harness::BlockSums sequential{reduce_sequential}, first_add{reduce_first_add, 2};

/// A reduction with any grid, on whole numbers.
inline Launch run_walk(Device& device, const InOutKernel<float>& kernel, unsigned n,
                       const LaunchShape& shape) {
  const auto values = harness::random_integers(n, harness::seed_of(n, shape.block.x));
  return run_in_out(device, kernel, with_shared_floats(shape), values, shape.grid.x).launch;
}

inline LaunchShape tiles_for(unsigned columns) { return harness::thread_for_each(columns, 32); }

inline Launch run_column_sums(Device& device, unsigned columns) {
  const auto values = harness::random_integers(32 * columns, columns);
  return run_in_out(device, column_sums, tiles_for(columns), values, columns, columns).launch;
}

}  // namespace warpwise::ch03
