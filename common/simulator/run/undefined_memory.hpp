#pragma once
/// \file What is undefined in the memory that one block sees, and the origins of all that is undefined in it.

#include <unordered_map>
#include <vector>

#include "shadow.hpp"
#include "written_bits.hpp"

namespace warpwise::simulator::run {

/// The origins that a block has met, one for each instruction.
class Origins {
 public:
  void clear();
  /// The number of `origin`, or of the one that was first at its instruction.
  OriginId add(const UndefinedOrigin& origin);
  const UndefinedOrigin& at(OriginId id) const { return origins_[(id & ~origin_flags) - 1]; }

 private:
  std::vector<UndefinedOrigin> origins_;  ///< number 1 first: 0 is not_read_yet
  std::unordered_map<Pc, OriginId> by_pc_;
};

/// One byte of which some bits are undefined because an undefined value was stored there.
struct StoredByte {
  OriginId origin = not_read_yet;
  std::byte bits{};  ///< that are undefined
};

/// Undefined values go through shared and local memory, as in memcheckers: such bytes count as not written,
/// and what is known of them is kept.
class UndefinedMemory {
 public:
  void begin(const BlockContext& block);

  WrittenBits written;
  Origins origins;

  /// Byte `byte` of a lane's access to shared or local memory.
  void set_stored(const WarpContext& warp, const Access& access, std::uint32_t lane, std::uint32_t byte,
                  StoredByte stored);
  /// nullptr where nothing undefined was stored.
  const StoredByte* stored(const WarpContext& warp, const Access& access, std::uint32_t lane,
                           std::uint32_t byte) const;

 private:
  /// Of a byte of shared memory; holds while `block` is `block_`.
  struct InShared {
    StoredByte stored;
    std::uint32_t block = 0;
  };
  static std::uint64_t key_of(const WarpContext& warp, const Access& access, std::uint32_t lane,
                              std::uint32_t byte);

  std::uint32_t block_ = 0;
  std::uint32_t shared_bytes_ = 0;
  std::vector<InShared> in_shared_;  ///< by address; made when it is first needed
  std::unordered_map<std::uint64_t, StoredByte> in_local_;
};

}  // namespace warpwise::simulator::run
