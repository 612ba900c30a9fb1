#pragma once
/// \file Rows: how a warp's registers lie in memory.

#include <cstddef>
#include <cstdint>

#include "../../launch.hpp"

namespace warpwise::simulator::decode::instructions {

/// One value a lane, side by side, so that the compiler vectorises a loop over lanes.
template <class T>
using Lanes = T[warp_size];

/// How one register of a warp is stored in a frame.
/// Every type of at most 32 bits has 32-bit cells: lane i's value in the low bits of cell i, the rest
/// unspecified.
enum class Width : std::uint8_t {
  pred,  ///< one LaneMask for the whole warp
  b32,   ///< std::uint32_t[32]
  b64,   ///< std::uint64_t[32]
  b128,  ///< two std::uint64_t[32], low halves first
};

/// Byte offset of a row (or of a predicate's mask) in a warp's frame. Registers, immediates and special
/// registers are all rows of the frame, so that an instruction never asks what kind its operand is.
using Row = std::uint32_t;

template <class T>
T* row_of(std::byte* frame, Row row) {
  return reinterpret_cast<T*>(frame + row);
}

}  // namespace warpwise::simulator::decode::instructions
