#pragma once
/// \file Gives every variable of a module its place: global and constant ones in memory, shared ones in the
/// block's shared memory, local ones in the frame of their function.

#include <map>

#include "../memory.hpp"
#include "code.hpp"

namespace warpwise::simulator::decode {

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
