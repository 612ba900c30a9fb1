#pragma once
/// \file Everything that decoding makes of a module: one array of instructions and the tables they point to.

#include <vector>

#include "instruction.hpp"
#include "placement.hpp"

namespace warpwise::simulator::decode {

/// Function pointers are this plus the pc of the function's entry: no memory has such an address.
inline constexpr std::uint64_t function_window = 0xF500'0000'0000'0000;

struct DecodedFunction {
  const ptx::Function* function = nullptr;
  Pc entry = 0, end = 0;  ///< instructions [entry, end); the last one is a `ret` that closes the body
  FrameLayout layout;
  std::vector<LanePlace> formals, returns;  ///< in this function's frame
  std::vector<std::uint32_t> callees;       ///< indices into Code::functions
  bool has_indirect_calls = false;
  bool names_common_shared = false;  ///< uses shared variables that do not belong to one kernel
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<const ptx::Instruction*> texts;  ///< as parsed, by pc
  std::vector<ValueFlow> flows;                ///< by pc; of lane-wise instructions
  std::vector<std::uint32_t> owners;           ///< index into `functions`, by pc
  std::vector<DecodedFunction> functions;      ///< as Module::functions
  std::vector<MemoryOperation> memory;
  std::vector<AsyncCopy> copies;
  std::vector<VectorAtomic> vector_atomics;
  std::vector<Collective> collectives;
  std::vector<BlockBarrier> barriers;
  std::vector<std::vector<Pc>> branch_tables;
  std::vector<Call> calls;
};

}  // namespace warpwise::simulator::decode
