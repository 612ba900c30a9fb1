#pragma once
/// \file Which value came from which: follows values from memory through registers, shared memory, shuffles
/// and atomics back to memory. From the program's text and the machine's events alone.
///
/// A value begins where it is read from global memory that nobody has written in this launch. An instruction
/// that has one followed operand hands it on; one that has several makes a new value of them, unless it only
/// puts the two halves of one value together. Not followed: predicates, addresses of other spaces, parameters
/// of calls, other parts of values, compare-and-swap.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "../program.hpp"
#include "../trace.hpp"
#include "naming.hpp"

namespace warpwise::simulator::observe {

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
