#include "locks.hpp"

#include <algorithm>

#include "../ptx/function_text.hpp"

namespace warpwise::simulator::observe {

namespace {

using Kind = ptx::Operand::Kind;

/// A number that stands in the text: in the operand itself, or in the `mov` that fills its register.
bool is_constant(const ptx::Operand& operand, const ptx::Function& function) {
  if (operand.kind == Kind::immediate) return true;
  if (operand.kind != Kind::reg) return false;
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& each) {
    return each.row->result == ptx::Result::copied && each.operands.size() == 2 &&
           each.operands[0].kind == Kind::reg && each.operands[0].reg == operand.reg &&
           each.operands[1].kind == Kind::immediate;
  });
}

bool tries_to_take(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (instruction.row->access != ptx::MemoryAccess::atomic) return false;
  const auto& operands = instruction.operands;
  if (instruction.has("cas") && operands.size() == 4)
    return is_constant(operands[2], function) && is_constant(operands[3], function);
  return instruction.has("exch") && operands.size() == 3 && is_constant(operands[2], function);
}

}  // namespace

bool is_behind_lock(const Program& program, Pc pc) {
  const ptx::Function& function = program.function_of(pc);
  const ptx::Instruction* const here = &program.text_of(pc);
  for (std::size_t i = 0; i < function.code.size() && &function.code[i] != here; ++i)
    if (tries_to_take(function.code[i], function) && ptx::is_in_loop(function, i, i)) return true;
  return false;
}

}  // namespace warpwise::simulator::observe
