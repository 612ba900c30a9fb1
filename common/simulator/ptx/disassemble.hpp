#pragma once
/// \file One instruction back to text, for messages and listings.

#include <string>

#include "module.hpp"

namespace warpwise::simulator::ptx {

/// `@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];` Labels, which have no name any more, are written `@12`: the
/// index in the function's code. `function` holds the instruction; both must be valid (validation.hpp).
std::string disassemble(const Module& module, const Function& function, const Instruction& instruction);
std::string disassemble(const Module& module, const Function& function, const Operand& operand);
/// The whole function: header, then one line an instruction with its index.
std::string disassemble(const Module& module, const Function& function);

}  // namespace warpwise::simulator::ptx
