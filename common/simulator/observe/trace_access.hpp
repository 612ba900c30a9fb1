#pragma once
/// \file Writes down one memory instruction: where, what, and what it cost.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../observer.hpp"
#include "../ptx.hpp"
#include "../trace.hpp"

namespace warpwise::simulator::observe {

// Values of a launch's memory and registers, as a reader wants to see them.

/// The value of `bytes` (1, 2, 4 or 8) at `from`, of an instruction that calls it `type`. Where that says
/// nothing but its size (.b32), bits that make a number of ordinary size are taken for a float, all others
/// for a whole number: the compiler keeps no more. Of whole numbers without a sign those just below 2^32
/// (2^64) are taken for negative ones.
std::string value_text(const std::byte* from, std::uint32_t bytes, ptx::Type type);

/// What stands for a value that nobody has written.
inline constexpr const char* unwritten_text = "unwritten";

/// The words of a block's shared memory that somebody has written: bit i of an entry is byte i.
using SharedWords = std::map<std::uint64_t, std::uint8_t>;

/// With what the machine said of it, for as long as that is needed.
struct RecordedAccess {
  TraceAccess access;
  Access event;  ///< its pointers are dead
  std::array<std::uint64_t, warp_size> address{};
  bool is_atomic() const { return event.kind == AccessKind::atomic || event.kind == AccessKind::reduction; }
};

/// Of one launch. Finds the arrays by address, and adds those that it meets to the trace.
class AccessRecorder {
 public:
  AccessRecorder(const LaunchContext& launch, Trace& trace);

  /// Appends the access to `to`: one entry for each array that its lanes touch, of which the first carries
  /// the costs. Shared and global memory; nothing for other spaces.
  void record(const BlockContext& block, const Access& access, SharedWords& written,
              std::vector<RecordedAccess>& to);
  /// Once an atomic has happened: what its places hold now.
  void settle(const BlockContext& block, RecordedAccess& recorded);

 private:
  std::uint32_t array_of(const Access& access, std::uint32_t lane);
  void fill(const BlockContext& block, SharedWords& written, RecordedAccess& recorded);

  const LaunchContext& launch_;
  Trace& trace_;
  std::map<std::uint64_t, std::uint32_t> allocations_;  ///< by id, indices of trace_.arrays
};

/// A register of 32 bits whose type is not known.
std::string register_text(std::uint32_t bits);

}  // namespace warpwise::simulator::observe
