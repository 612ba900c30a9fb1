#pragma once
/// \file The parts of TraceRecorder (recording.cpp): one access written down, and which value came from
/// which.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "../ptx.hpp"
#include "../trace.hpp"
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

// ---- recording_provenance.cpp

/// Index into Trace::values plus 1; 0: not followed.
using ValueNode = std::uint32_t;

/// What the threads and the shared memory of one block hold.
struct BlockValues {
  using Registers = std::vector<ValueNode>;  ///< 32 for each register of a function
  std::map<std::pair<std::uint32_t, const ptx::Function*>, Registers> registers;  ///< by warp and function
  std::unordered_map<std::uint64_t, ValueNode> shared;                            ///< by word
};

/// Who executes what.
struct ProvenancePlace {
  BlockValues* values = nullptr;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  Pc pc = 0;
  LaneMask lanes = 0;
  std::uint32_t step = 0;
};

/// Which value came from which: follows values from memory through registers, shared memory, shuffles
/// and atomics back to memory. From the program's text and the machine's events alone.
///
/// A value begins where it is read from global memory that nobody has written in this launch. An instruction
/// that has one followed operand hands it on; one that has several makes a new value of them, unless it only
/// puts the two halves of one value together. Not followed: predicates, addresses of other spaces, parameters
/// of calls, other parts of values, compare-and-swap.
class Provenance {
 public:
  Provenance(const LaunchContext& launch, Trace& trace);

  /// An instruction that works lane by lane; does nothing for any other.
  void compute(const ProvenancePlace& place);
  /// A selp: lanes of `first` take the first operand.
  void select(const ProvenancePlace& place, LaneMask first);
  /// Lanes that executed a redux together all get one value of all theirs.
  void reduce(const ProvenancePlace& place);
  /// `from[lane]`: whose value the lane gets. Fills in the nodes for the lanes, ascending.
  void shuffle(const ProvenancePlace& place, const std::uint8_t* from, std::vector<ValueNode>& nodes);
  /// What comes out of a collective is a new fact, not anybody's value.
  void forget_result(const ProvenancePlace& place);

  /// A load, store or atomic at `address[lane]` in the space of `access`. Fills in access.nodes, one for
  /// each element of each lane; of an atomic, what its lane leaves.
  void access(const ProvenancePlace& place, const Access& access, const std::uint64_t* address,
              std::vector<ValueNode>& nodes);

 private:
  using Memory = std::unordered_map<std::uint64_t, ValueNode>;

  BlockValues::Registers& registers(const ProvenancePlace& place);
  ValueNode read(const ProvenancePlace& place, const ptx::Operand& operand, std::uint32_t lane);
  void write(const ProvenancePlace& place, const ptx::Operand& operand, std::uint32_t lane, ValueNode node);
  ValueNode make(const ProvenancePlace& place, std::uint32_t lane, std::string name,
                 std::vector<ValueNode> from);
  ValueNode combined(const ProvenancePlace& place, std::uint32_t lane, const std::string& name, ValueNode a,
                     ValueNode b);
  ValueNode in_memory(const ProvenancePlace& place, std::uint32_t lane, bool is_shared, std::uint64_t address,
                      std::uint32_t bytes);
  void put_in_memory(const ProvenancePlace& place, bool is_shared, std::uint64_t address, std::uint32_t bytes,
                     ValueNode node);
  void atomic(const ProvenancePlace& place, const Access& access, const std::uint64_t* address,
              std::vector<ValueNode>& nodes);

  const LaunchContext& launch_;
  Naming naming_;
  Trace& trace_;
  Memory global_;  ///< by word
};

}  // namespace warpwise::simulator::observe
