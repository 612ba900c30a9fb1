#pragma once
/// \file Follows the undefined values of one warp from instruction to instruction, and reports their uses.
///
/// Called for a frame only while it has a shadow, and for accesses to memory, which may bring undefined
/// values into it. Kept out of the interpreter, which is slower with more code in it.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../decode/code.hpp"
#include "../observer.hpp"
#include "frame.hpp"
#include "groups.hpp"

namespace warpwise::simulator::run {

/// For each lane of an access, bit i for byte i of what it touches.
using LaneBytes = std::array<std::uint32_t, warp_size>;

/// Which bytes have been written: one byte a 4-byte word, whose bit i stands for byte i of the word, as in
/// Allocation::written. For shared memory of one block at a time, for local memory of its threads, and for
/// global memory, where the maps are those of the allocations. In other spaces everything counts as written.
class WrittenBits {
 public:
  /// For the next block; the last `cleared` of its `shared_bytes` count as written.
  void begin(std::uint32_t shared_bytes, std::uint32_t cleared, std::uint32_t threads);
  /// Marks what a store or an atomic writes. Of a load or an atomic: true, and which bytes in `unwritten`,
  /// where nobody had written some; else `unwritten` is left alone.
  bool enter(const WarpContext& warp, const Access& access, LaneBytes& unwritten);
  /// The bytes `which` of a store count as not written: what was stored there is undefined.
  void forget(const WarpContext& warp, const Access& access, const LaneBytes& which);
  /// True where one of the 16 bytes around `address`, aligned, has been written.
  bool is_written_nearby(const WarpContext& warp, const Access& access, std::uint32_t lane);

 private:
  /// The map that a lane's access goes to. Without words everything counts as written.
  struct Map {
    std::uint8_t* words = nullptr;
    std::uint64_t size = 0, base = 0;
  };

  Map map_of(const WarpContext& warp, const Access& access, std::uint32_t lane);

  std::vector<std::uint8_t> shared_;
  std::vector<std::vector<std::uint8_t>> local_;  ///< by thread; grows as it is used
  bool has_used_local_ = false;
};

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

class UndefinedValues {
 public:
  /// All outlive it.
  UndefinedValues(const Code& code, const ObserverList& observers, UndefinedMemory& memory,
                  const WarpContext& warp)
      : code_(code), observers_(observers), memory_(memory), warp_(warp) {}

  /// To be asked anew for each block: observers come after the warps.
  void begin() { are_followed_ = observers_.on_undefined_use.is_wanted(); }
  bool are_followed() const { return are_followed_; }

  /// Before `active`, those of `reached` for which its guard holds, execute an instruction: all that the
  /// table of value flow says of it, hence not what goes to and from memory or to other lanes
  /// (undefined_values_rules.cpp).
  [[gnu::noinline]] void follow(Frame& frame, Pc pc, LaneMask active, LaneMask reached);
  /// Before an instruction that depends on a row: reports those of `lanes` that are undefined, and says
  /// which.
  [[gnu::noinline]] LaneMask use(Frame& frame, Pc pc, Row row, Width width, LaneMask lanes, ValueUse use);

  /// Before an access, whose addresses are good (undefined_values_accesses.cpp).
  [[gnu::noinline]] void access(Frame& frame, const MemoryOperation& operation, const Row* rows,
                                const Access& access);
  /// What is undefined in a `piece` of 64 bits, from byte `done` of the 128 bits of `data` on.
  void join(Frame& frame, Row data, Row piece, std::uint32_t done, LaneMask lanes);
  /// Lanes that load nothing because their addresses are bad: what they get is an error of its own.
  [[gnu::noinline]] void skip_load(Frame& frame, const MemoryOperation& operation, const Row* rows,
                                   LaneMask lanes);

  /// Before `lanes`, at the places where their groups stand, execute a `*.sync` together.
  [[gnu::noinline]] void exchange(Groups& groups, LaneMask lanes);
  /// After a shuffle by which `lanes` have read from lanes that took no part.
  [[gnu::noinline]] void receive_from_absent(Groups& groups, LaneMask lanes);

 private:
  struct Meeting;

  OriginId resolved(Shadow& shadow, Pc pc, Row row, Width width, std::uint32_t lane);
  void report(Pc pc, ValueUse use, LaneMask lanes, OriginId origin);

  // undefined_values_rules.cpp
  void flow(Frame& frame, Pc pc, LaneMask lanes);
  void flow_guarded(Frame& frame, Pc pc, LaneMask lanes, LaneMask active);
  bool touches(const Shadow& shadow, const Instruction& instruction, const ValueFlow& flow) const;
  LaneMask find_origins(Shadow& shadow, Pc pc, LaneMask lanes, Lanes<OriginId>& origin);
  void flow_by_rule(Frame& frame, const Instruction& instruction, const ValueFlow& flow, LaneMask lanes);
  void flow_moved(Frame& frame, const Instruction& instruction, const ValueFlow& flow, LaneMask lanes);
  void flow_parameter(Frame& frame, Pc pc, const ValueFlow& flow, LaneMask lanes);

  // undefined_values_accesses.cpp
  void load(Frame& frame, const MemoryOperation& operation, const Row* rows, const Access& access);
  void set_loaded(Frame& frame, const MemoryOperation& operation, const Row* rows, const Access& access,
                  const LaneBytes& undefined);
  std::byte undefined_bits(const Access& access, std::uint32_t lane, std::uint32_t byte) const;
  OriginId origin_of_load(const Access& access, std::uint32_t lane, std::uint32_t element,
                          std::uint32_t undefined);
  void store(Frame& frame, const MemoryOperation& operation, const Row* rows, const Access& access);
  bool puts_word_back(Pc store, OriginId origin);
  bool is_data(const MemoryOperation& operation, Pc pc, OriginId origin, std::uint32_t element,
               std::uint32_t undefined) const;
  void update(Frame& frame, const MemoryOperation& operation, const Row* rows, const Access& access);
  void bring(Meeting& meeting, Groups& groups);
  void take(const Meeting& meeting, Groups& groups);

  const Code& code_;
  const ObserverList& observers_;
  UndefinedMemory& memory_;
  const WarpContext& warp_;
  bool are_followed_ = false;
  std::unordered_map<Pc, bool> puts_back_;  ///< stores that were asked of: puts_word_back
};

}  // namespace warpwise::simulator::run
