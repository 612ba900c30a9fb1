#pragma once
/// \file Instructions of PTX that the machine executes as several accesses to memory, one after the other.

#include <array>
#include <cstdint>
#include <vector>

#include "instruction.hpp"

namespace warpwise::simulator::machine {

/// `cp.async` (PTX ISA 9.7.9.25.3.1): a load from global memory and a store to shared memory. The copy is
/// made at once, and told as one that lands when its lane waits for it (Access::is_async, on_copy_wait).
struct AsyncCopy {
  std::array<Instruction, 5>
      loads;  ///< of 1, 2, 4, 8 and 16 bytes; the whole copy's into `data`, else `piece`
  Instruction store;
  Row data = no_row;   ///< b128: what is copied
  Row piece = no_row;  ///< b64
  std::uint8_t bytes = 0;
  Row size = no_row;     ///< src-size: bytes to read, the rest is filled with zeros
  Row ignored = no_row;  ///< ignore-src: a predicate, true where zeros are written and nothing is read
  bool is_ignored_negated = false;
};

/// `atom` and `red` with .v2, .v4 or .v8 (PTX ISA 9.7.13.5): each element is atomic, the vector is not.
struct VectorAtomic {
  std::vector<Instruction> elements;
  std::uint32_t bytes = 0;  ///< of the vector, which has to be aligned to them
  Width address_width = Width::b64;
};

}  // namespace warpwise::simulator::machine
