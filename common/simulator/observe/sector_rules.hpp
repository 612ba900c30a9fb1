#pragma once
/// \file How many sectors a global-memory access moves, as an H200 counts them. A sector is an aligned piece
/// of 32 bytes, a quarter of a cache line (Nsight Compute documentation, "Memory tables").

#include <cstdint>

#include "../machine/access_shape.hpp"
#include "../machine/observer.hpp"

namespace warpwise::simulator {

/// Sectors of one warp instruction (which is one request) that moves `bytes` a lane, each lane of `lanes` at
/// `address[lane]` (a multiple of `bytes`; 32 entries, those outside `lanes` are ignored). No lane, none.
/// `shape` is shape_of the same access.
std::uint32_t global_sectors(machine::AccessKind kind, std::uint32_t bytes, machine::LaneMask lanes,
                             const std::uint64_t* address, machine::AccessShape shape);
std::uint32_t global_sectors(machine::AccessKind kind, std::uint32_t bytes, machine::LaneMask lanes,
                             const std::uint64_t* address);

}  // namespace warpwise::simulator
