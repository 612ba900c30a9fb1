#pragma once
/// \file Given, not an exercise: the host code that scans a whole array in three launches.

#include "ch06_scan/checks/launches.hpp"

namespace warpwise::ch06 {

/// out = the inclusive scan of `in`, for any number of elements, with blocks of `block` threads. `out` is as
/// long as `in`.
inline void scan_in_three_launches(Device& device, const Buffer<int>& in, const Buffer<int>& out,
                                   unsigned block) {
  const auto n = static_cast<unsigned>(in.size());
  const LaunchShape shape = thread_for_each(n, block);
  const Buffer<int> sums = device.poisoned<int>("sums", shape.grid.x);
  device.launch(scan_block_inclusive_int, shape, in, out, sums, n);
  device.launch(scan_sums, {.grid = 1, .block = block}, sums, shape.grid.x);
  device.launch(add_sums, shape, out, sums, n);
}

}  // namespace warpwise::ch06
