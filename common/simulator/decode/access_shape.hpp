#pragma once
/// \file The two shapes that most accesses have: found first, so that counting and checking can be quick.

#include <cstdint>

#include "lanes.hpp"

namespace warpwise::simulator::machine {

enum class AccessShape : std::uint8_t {
  uniform,      ///< every active lane has the same address
  consecutive,  ///< lane i has the address of lane 0 plus i times the bytes of a lane
  other,
};

/// The shape of an access of `bytes` a lane. `address` has 32 entries, those outside `lanes` are ignored.
/// Of one active lane, which has both shapes, it says `uniform`.
AccessShape shape_of(std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address);

}  // namespace warpwise::simulator::machine
