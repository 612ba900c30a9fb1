#pragma once
/// \file Which bytes have been written: one byte a 4-byte word, whose bit i stands for byte i of the word, as
/// in WrittenMap.

#include <array>
#include <cstdint>
#include <vector>

#include "../observer.hpp"

namespace warpwise::simulator::run {

/// For each lane of an access, bit i for byte i of what it touches.
using LaneBytes = std::array<std::uint32_t, warp_size>;

/// For shared memory of one block at a time, for local memory of its threads, and for global memory, where
/// the maps are those of the allocations. In other spaces everything counts as written.
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

  WrittenMap shared_;
  std::vector<WrittenMap> local_;  ///< by thread; grows as it is used
  bool has_used_local_ = false;
};

}  // namespace warpwise::simulator::run
