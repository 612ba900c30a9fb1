#pragma once
/// \file Moves values between rows and memory, for addresses that have been checked.

#include <cstddef>
#include <cstdint>

#include "../decode/instruction.hpp"

namespace warpwise::simulator::run {

using namespace decode;  // what runs is what decoding has made

/// Lane i's element lies at base + offset[i]; without a base the offsets are the addresses themselves.
struct LaneAddresses {
  std::byte* base = nullptr;
  const std::uint64_t* offset = nullptr;

  /// `skipped` bytes behind it. Added up as integers: no pointer may be counted from null.
  std::byte* at(std::uint32_t lane, std::uint64_t skipped = 0) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(base) + skipped + offset[lane]);
  }
};

/// Loads or stores all elements of `operation` for the lanes of `active`.
/// `is_shared_between_threads`: host threads may touch the memory at the same time; accesses that are not
/// weak are then single, indivisible ones.
void load_rows(const MemoryOperation& operation, std::byte* frame, const Row* rows, LaneAddresses memory,
               LaneMask active, bool is_shared_between_threads);
/// Likewise where the compiler has widened the load: reads the bytes that are used, the others are poison.
[[gnu::noinline]] void load_used_bytes(const MemoryOperation& operation, std::byte* frame, const Row* rows,
                                       LaneAddresses memory, LaneMask active);
void store_rows(const MemoryOperation& operation, const std::byte* frame, const Row* rows,
                LaneAddresses memory, LaneMask active, bool is_shared_between_threads);
/// What a store is about to write, lane i at `to` + i * operation.bytes(); returns the row itself where it
/// has that form already.
const std::byte* pack_values(const MemoryOperation& operation, const std::byte* frame, const Row* rows,
                             LaneMask active, std::byte* to);

}  // namespace warpwise::simulator::run
