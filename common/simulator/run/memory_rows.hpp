#pragma once
/// \file Moves values between rows and memory, for addresses that have been checked.

#include <cstddef>
#include <cstdint>

#include "../decode/code.hpp"

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

/// Room for what each lane of one access moves: lane i's bytes at bytes[offset[i]].
struct PackedLanes {
  alignas(16) std::array<std::byte, warp_size * 32> bytes;
  Lanes<std::uint64_t> offset;
  explicit PackedLanes(std::uint32_t lane_bytes) {
    for (std::uint32_t i = 0; i < warp_size; ++i) offset[i] = std::uint64_t{i} * lane_bytes;
  }
  LaneAddresses places() { return {bytes.data(), offset}; }
};

/// The same access to memory that no other thread sees.
inline MemoryOperation without_ordering(MemoryOperation operation) {
  operation.ordering = Ordering::weak;
  return operation;
}

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

// `atom` and `red`, for addresses that have been checked.

/// Lane by lane, lowest first, so that sums of floats do not depend on chance. Returns whether memory
/// changed. `is_shared_between_threads`: other host threads may update the same words at the same time.
bool perform_atomic(const MemoryOperation& operation, std::byte* frame, const Row* rows, LaneAddresses memory,
                    LaneMask active, bool is_shared_between_threads);

}  // namespace warpwise::simulator::run
