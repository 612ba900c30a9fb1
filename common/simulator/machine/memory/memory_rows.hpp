#pragma once
/// \file Moves values between rows and memory, for addresses that have been checked.

#include <cstddef>
#include <cstdint>

#include "../decoding/instruction.hpp"

namespace warpwise::simulator::machine {

/// Lane i's element lies at base + offset[i].
struct LaneAddresses {
  std::byte* base = nullptr;
  const std::uint64_t* offset = nullptr;
};

/// Loads or stores all elements of `operation` for the lanes of `active`.
/// `is_shared_between_threads`: host threads may touch the memory at the same time; accesses that are not
/// weak are then single, indivisible ones.
void load_rows(const MemoryOperation& operation, std::byte* frame, const Row* rows, LaneAddresses memory,
               LaneMask active, bool is_shared_between_threads);
void store_rows(const MemoryOperation& operation, const std::byte* frame, const Row* rows,
                LaneAddresses memory, LaneMask active, bool is_shared_between_threads);
/// What a store is about to write, lane i at `to` + i * operation.bytes(); returns the row itself where it
/// has that form already.
const std::byte* pack_values(const MemoryOperation& operation, const std::byte* frame, const Row* rows,
                             LaneMask active, std::byte* to);

}  // namespace warpwise::simulator::machine
