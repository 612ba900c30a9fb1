#pragma once
/// \file Everything that decoding makes of a module: one array of instructions and the tables they point to.

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../memory.hpp"
#include "frame_layout.hpp"
#include "instruction.hpp"
#include "value_flow.hpp"

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

/// Where the variables of a module lie, by VariableId.
struct VariablePlaces {
  /// global, constant: device address; shared, local: offset. Dynamic shared arrays: 0.
  std::vector<std::uint64_t> address;
  std::vector<bool> is_dynamic;        ///< `extern .shared`
  std::vector<bool> is_common_shared;  ///< does not belong to one kernel
};

// Gives every variable of a module its place: global and constant ones in memory, shared ones in the
// block's shared memory, local ones in the frame of their function.

/// How far the variables of shared memory reach.
struct SharedTop {
  std::uint64_t bytes = 0;  ///< without gaps: what the program asked for
  std::uint64_t gaps = 0;   ///< bytes of all gaps, the one behind the last variable included
};

struct Placement {
  VariablePlaces places;
  std::map<std::string, Allocation*, std::less<>> variables;  ///< of module scope, by their PTX name
  SharedTop common_shared;  ///< after the shared variables that several functions may name
  std::map<std::string, SharedTop, std::less<>> kernel_shared;  ///< after a kernel's own
};

/// Shared memory of a block: first the common variables (only where the kernel, or a function that it may
/// call, names one), then the kernel's own, then the dynamic array. Behind each variable lies a gap, so that
/// an index past the end of an array does not meet the next one.
/// Throws ptx::Error for `.extern` variables that nobody defines.
Placement place_variables(const ptx::Module& module, GlobalMemory& memory);

/// Writes the addresses of variables and functions into the initial values that name them (PTX ISA 5.4.5).
void apply_relocations(const ptx::Module& module, const Placement& placement, const Code& code);

/// "_ZZ6kernelPiE7partial" -> "partial": as the source says it, without function and namespace.
std::string source_name(const std::string& name);

}  // namespace warpwise::simulator::decode
