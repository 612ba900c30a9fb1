#pragma once
/// \file Given, not an exercise: the host code that turns the sums of blocks into one sum.

#include <utility>
#include <vector>

#include "ch01_naive/kernels.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch01 {

using harness::Buffer;
using harness::ceil_div;
using harness::Device;
using harness::Launch;
using harness::LaunchShape;

/// Enough blocks of `block` threads for n elements, and a float of shared memory for each thread. At least
/// one block: the sum of no elements is 0, and a block has to write it.
inline LaunchShape shape_for(unsigned n, unsigned block) {
  return harness::with_shared_floats(harness::thread_for_each(n, block));
}

/// The result of summing level by level: the sum, and all the launches.
struct LevelSum {
  float sum = 0;
  std::vector<Launch> launches;
};

/// The sum of all of `in`, any number of elements, by reduce_naive with blocks of `block` threads. Each
/// launch is a level: it leaves one sum for each block, and the next level adds those, until one is left. The
/// end of a launch is the barrier between two levels, because inside a kernel no block waits for another.
inline LevelSum reduce_levels(Device& device, const Buffer<float>& in, unsigned block) {
  LevelSum result;
  const auto n = static_cast<unsigned>(in.size());
  // [levels]
  unsigned left = shape_for(n, block).grid.x;  // how many sums are left after the first level
  Buffer<float> sums = device.poisoned<float>("sums", left);
  Buffer<float> next = device.poisoned<float>("next", ceil_div(left, block));
  result.launches.push_back(device.launch(reduce_naive, shape_for(n, block), in, sums, n));
  while (left > 1) {
    result.launches.push_back(device.launch(reduce_naive, shape_for(left, block), sums, next, left));
    left = ceil_div(left, block);
    std::swap(sums, next);  // the next level reads what this one wrote; no level reads what it writes
  }
  result.sum = sums.download()[0];
  // [/levels]
  return result;
}

/// Wrong on purpose: the same loop with one buffer for input and output. The kernel is right,
/// but the host misuses it: in one launch, block 1 writes data[1], which block 0 reads, and nothing orders
/// the two blocks. The sum comes out right whenever block 0 happens to read first, as it nearly always does.
inline LevelSum reduce_levels_in_place(Device& device, Buffer<float>& data, unsigned block) {
  LevelSum result;
  auto left = static_cast<unsigned>(data.size());
  do {
    result.launches.push_back(device.launch(reduce_naive, shape_for(left, block), data, data, left));
    left = shape_for(left, block).grid.x;
  } while (left > 1);
  result.sum = data.download()[0];
  return result;
}

}  // namespace warpwise::ch01
