#pragma once
/// \file Lanes of a warp that are at the same place.

#include "frame.hpp"

namespace warpwise::simulator::machine {

struct Group {
  enum class State : std::uint8_t {
    ready,
    at_sync,     ///< waits at a `*.sync` for the lanes of `need`
    at_barrier,  ///< waits at block barrier `barrier`
  };
  Frame* frame = nullptr;
  Pc pc = 0;
  LaneMask mask = 0;
  State state = State::ready;
  std::uint8_t barrier = 0;
  bool has_yielded = false;  ///< polls without success: others first
  bool has_polled = false;   ///< did an atomic or a volatile load since the last backward branch
  LaneMask need = 0;
  std::uint32_t fruitless = 0;   ///< backward branches after polling, since it last changed memory
  std::uint32_t turns = 0;       ///< backward branches since it last made way
  std::uint32_t yields = 0;      ///< times it made way because it polled, since it last changed memory
  std::uint64_t state_hash = 0;  ///< of place and registers when it last made way
  bool is_stuck = false;         ///< made way twice in the very same state: only others can help it
  Pc polled_pc = 0;              ///< its last atomic or volatile load
};

/// Where lanes that took different sides of a branch wait for each other (schedule lockstep only).
struct Meeting {
  Frame* frame = nullptr;
  Pc pc = 0;
  LaneMask lanes = 0;
};

}  // namespace warpwise::simulator::machine
