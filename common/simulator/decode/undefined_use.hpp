#pragma once
/// \file Values that nobody has set, where they come from and where they matter.
///
/// As in memcheckers, reading such a value and passing it on is no defect: it may be padding, or belong to a
/// lane whose result is thrown away. What the machine reports is a use: something that others can see
/// depends on it.

#include "event.hpp"

namespace warpwise::simulator::machine {

/// Where a thread of the block first met an undefined value.
struct UndefinedOrigin {
  Pc pc = 0;                 ///< the load, or the first instruction that computes with the register
  bool is_register = false;  ///< no instruction had written the register; else nobody had written the memory
  std::uint32_t thread = 0;  ///< linear in the block
  // Of memory:
  ptx::Space space = ptx::Space::global;
  std::uint64_t address = 0;        ///< as Access::address
  std::uint32_t element_bytes = 0;  ///< of what was loaded
};

/// What depends on the value.
enum class ValueUse : std::uint8_t {
  branch,    ///< a branch, or a predicate in front of an instruction with side effects
  address,   ///< of memory, or of a function
  store,     ///< it becomes the contents of global memory
  atomic,    ///< an atomic takes it, or changes it in memory
  exchange,  ///< it names lanes of a shuffle, vote or match, or is what a block barrier exchanges
};

/// An instruction of some lanes that uses undefined values of one origin.
struct UndefinedUse {
  Pc pc = 0;
  ValueUse use = ValueUse::branch;
  LaneMask lanes = 0;
  UndefinedOrigin origin;
};

}  // namespace warpwise::simulator::machine
