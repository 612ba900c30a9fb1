#pragma once
/// \file Which bytes have been written: one byte a 4-byte word, whose bit i stands for byte i of the word, as
/// in machine::WrittenMap.

#include <cstdint>
#include <optional>
#include <vector>

#include "../machine/access_shape.hpp"
#include "../machine/observer.hpp"

namespace warpwise::simulator {

/// A value that a lane reads and that nobody has written.
struct UnwrittenRead {
  std::uint32_t lane = 0;
  std::uint64_t address = 0;  ///< as Access::address
};

/// For shared memory of one block at a time, for local memory of its threads, and for global memory, where
/// the maps are those of the allocations. A vector's elements count one by one. An element counts as
/// unwritten where *none* of its bytes was written: padding that is copied along with its neighbours is
/// nobody's bug.
class WrittenBits {
 public:
  /// For the next block; the last `cleared` of its `shared_bytes` count as written.
  void begin(std::uint32_t shared_bytes, std::uint32_t cleared, std::uint32_t threads);
  /// Marks what a store writes; finds the first lane that loads an unwritten element.
  std::optional<UnwrittenRead> check(const machine::WarpContext& warp, const machine::Access& access,
                                     machine::AccessShape shape, bool is_exchange);

 private:
  std::optional<UnwrittenRead> check_lane(const machine::Access& access, std::uint32_t lane,
                                          std::uint8_t* words, std::uint64_t size, std::uint64_t offset,
                                          bool reads);

  machine::WrittenMap shared_;
  std::vector<machine::WrittenMap> local_;  ///< by thread; grows as it is used
  bool has_used_local_ = false;
};

}  // namespace warpwise::simulator
