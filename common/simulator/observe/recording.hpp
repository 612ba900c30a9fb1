#pragma once
/// \file The parts of TraceRecorder (recording.cpp): one access written down, and which value came from
/// which.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "../ptx.hpp"
#include "../trace.hpp"
#include "../values/term_observer.hpp"
#include "findings.hpp"

namespace warpwise::simulator::observe {

// ---- recording_trace_access.cpp: one memory instruction, where, what, and what it cost

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
  bool is_atomic() const { return simulator::is_atomic(event.kind); }
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

// ---- recording_values.cpp

/// Index into Trace::values plus 1; 0: not followed.
using ValueNode = std::uint32_t;

/// Which value came from which: the terms of the launch (terms.hpp), as a picture has them. A value begins
/// where it is read from global memory that nobody has written in this launch. An operation that has one
/// value among its parts hands it on; one that has several is a new value. Not drawn: predicates, addresses,
/// parameters of calls, values of less than 32 bits in memory.
class ValueRecorder {
 public:
  ValueRecorder(const LaunchContext& launch, Trace& trace, std::uint32_t slots);

  void begin_block(const BlockContext& block) { observer_->on_block_begin(block); }
  /// Appends to Trace::values what the instruction makes; of each, the step is still to be set.
  void follow(const WarpContext& warp, const Operands& operands);
  void skip(const WarpContext& warp, const Fault& fault) { observer_->on_fault(warp, fault); }
  /// As TermObserver::moved.
  ValueNode moved(std::size_t e, std::uint32_t lane) const;

 private:
  ValueNode drawn(Term term, const WarpContext& warp, const Access* access, std::size_t before);
  ValueNode element(const TermNode& node, const WarpContext& warp, const Access& access);
  ValueNode make(TraceValue value);

  const Program& program_;
  Naming naming_;
  Trace& trace_;
  values::Followed terms_;
  std::optional<values::TermObserver> observer_;
  std::vector<ValueNode> value_of_;  ///< by term
};

}  // namespace warpwise::simulator::observe
