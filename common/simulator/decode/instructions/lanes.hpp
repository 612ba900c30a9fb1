#pragma once
/// \file Lanes, masks and rows: how a warp's registers lie in memory.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpwise::simulator::machine {

inline constexpr std::uint32_t warp_size = 32;

/// Bit i stands for lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = 0xffffffffu;

inline constexpr LaneMask lane_bit(std::uint32_t lane) { return LaneMask{1} << lane; }
inline std::uint32_t count(LaneMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }
inline std::uint32_t lowest(LaneMask mask) { return static_cast<std::uint32_t>(std::countr_zero(mask)); }

/// The lanes of a mask, ascending: `for (const std::uint32_t lane : lanes_in(mask))`.
class LaneRange {
 public:
  struct Iterator {
    LaneMask rest;
    std::uint32_t operator*() const { return lowest(rest); }
    void operator++() { rest &= rest - 1; }
    bool operator!=(Iterator other) const { return rest != other.rest; }
  };
  explicit LaneRange(LaneMask mask) : mask_(mask) {}
  Iterator begin() const { return {mask_}; }
  Iterator end() const { return {0}; }

 private:
  LaneMask mask_;
};
inline LaneRange lanes_in(LaneMask mask) { return LaneRange(mask); }

/// Those of `lanes`, at least one, whose key is that of the lowest.
template <class Key>
LaneMask agreeing(LaneMask lanes, Key key_of) {
  const auto first = key_of(lowest(lanes));
  LaneMask same = 0;
  for (const std::uint32_t lane : lanes_in(lanes))
    if (key_of(lane) == first) same |= lane_bit(lane);
  return same;
}

/// Calls part(same) for each set of lanes whose keys are the same, in the order of their lowest lanes.
template <class Key, class Part>
void for_each_agreeing(LaneMask lanes, Key key_of, Part part) {
  while (lanes != 0) {
    const LaneMask same = agreeing(lanes, key_of);
    part(same);
    lanes &= ~same;
  }
}

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

}  // namespace warpwise::simulator::machine
