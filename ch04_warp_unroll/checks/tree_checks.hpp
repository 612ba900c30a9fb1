#pragma once
/// \file What the checks of chapter 4 share.

#include <vector>

#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch04 {

/// What holds for all kernels of the chapter. Of the n elements, a thread has `own`. A tree has `values`
/// values.
inline void expect_plain_loads_and_a_tree(const harness::LaunchAndWork& run, unsigned n, unsigned values,
                                          unsigned own) {
  using namespace harness;
  expect_each_element_is_read_once(run, n);
  expect_at_most("bank conflicts", run.launch.count(shared_load_and_store_conflicts), 0,
                 "neighbouring lanes use neighbouring words, so each lane has its own bank");
  expect_no_atomics(run.launch);
  expect_a_tree(run, values, own);
}

/// The block of block_sum_by_warps that takes element i.
inline std::size_t block_of(std::size_t i, std::size_t /*n*/, unsigned grid, unsigned block) {
  return i / block % grid;
}
/// The sums of the blocks.
inline std::vector<double> sums_by_warps(const std::vector<float>& values, unsigned grid, unsigned block) {
  std::vector<double> sums(grid);
  for (std::size_t i = 0; i < values.size(); ++i)
    sums[block_of(i, values.size(), grid, block)] += static_cast<double>(values[i]);
  return sums;
}

/// How block_sum_by_warps is launched: any grid.
inline harness::LaunchShape by_warps_shape(unsigned grid, unsigned block) {
  return harness::with_shared_floats({.grid = grid, .block = block});
}

}  // namespace warpwise::ch04
