#include "../observer.hpp"

namespace warpwise::simulator {

namespace {

AccessShape shape_of_full_warp(std::uint64_t bytes, const std::uint64_t* address) {
  const std::uint64_t first = address[0];
  const std::uint64_t step = address[1] - first;
  if (step != 0 && step != bytes) return AccessShape::other;
  // No early exit: without one the compiler compares several lanes at a time.
  std::uint64_t difference = 0;
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) difference |= address[lane] ^ (first + step * lane);
  if (difference != 0) return AccessShape::other;
  return step == 0 ? AccessShape::uniform : AccessShape::consecutive;
}

}  // namespace

AccessShape shape_of(std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address) {
  if ((lanes & (lanes - 1)) == 0) return AccessShape::uniform;
  if (lanes == all_lanes) return shape_of_full_warp(bytes, address);
  const std::uint32_t first = lowest_lane(lanes);
  bool is_uniform = true;
  bool is_consecutive = true;
  for (const std::uint32_t lane : lanes_in(lanes & (lanes - 1))) {
    is_uniform &= address[lane] == address[first];
    is_consecutive &= address[lane] == address[first] + std::uint64_t{lane - first} * bytes;
    if (!is_uniform && !is_consecutive) return AccessShape::other;
  }
  return is_uniform ? AccessShape::uniform : AccessShape::consecutive;
}

}  // namespace warpwise::simulator
