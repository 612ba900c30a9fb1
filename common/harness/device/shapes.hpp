#pragma once
/// \file The shapes in which chapters launch their kernels.

#include <algorithm>

#include "device.hpp"
#include "launch.hpp"

namespace warpwise::harness {

/// A thread for each of n elements; one block at least, because the result of no elements has to be written
/// too.
constexpr LaunchShape thread_for_each(unsigned n, unsigned block, std::size_t shared_bytes = 0) {
  return {.grid = std::max(1u, ceil_div(n, block)), .block = block, .shared_bytes = shared_bytes};
}

/// Blocks that walk over n elements: at most `most_blocks`, none without an element, one at least.
constexpr LaunchShape walking_blocks(unsigned n, unsigned block, unsigned most_blocks) {
  return {.grid = std::clamp(ceil_div(n, block), 1u, most_blocks), .block = block};
}

/// As many blocks that walk as the device runs at once: 2048 threads a multiprocessor, on the GPUs that have
/// most.
inline LaunchShape walking_grid(const Device& device, unsigned n, unsigned block) {
  return walking_blocks(n, block, device.properties().multiprocessors * (2048 / block));
}

/// The same launch, with a float of dynamic shared memory for each thread of a block.
constexpr LaunchShape with_shared_floats(LaunchShape shape) {
  shape.shared_bytes = shape.block.volume() * sizeof(float);
  return shape;
}

/// Warps of the whole grid. Blocks are whole warps.
constexpr unsigned warps_of(const LaunchShape& shape) {
  return static_cast<unsigned>(shape.grid.volume() * shape.block.volume() / 32);
}

}  // namespace warpwise::harness
