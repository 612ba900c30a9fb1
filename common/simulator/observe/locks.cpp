#include "locks.hpp"

#include <algorithm>

namespace warpwise::simulator::observe {

namespace {

using Kind = ptx::Operand::Kind;

/// A number that stands in the text: in the operand itself, or in the `mov` that fills its register.
bool is_constant(const ptx::Operand& operand, const ptx::Function& function) {
  if (operand.kind == Kind::immediate) return true;
  if (operand.kind != Kind::reg) return false;
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& each) {
    return each.opcode == "mov" && each.operands.size() == 2 && each.operands[0].kind == Kind::reg &&
           each.operands[0].reg == operand.reg && each.operands[1].kind == Kind::immediate;
  });
}

bool tries_to_take(const ptx::Instruction& instruction, const ptx::Function& function) {
  if (instruction.opcode != "atom") return false;
  const auto& operands = instruction.operands;
  if (instruction.has("cas") && operands.size() == 4)
    return is_constant(operands[2], function) && is_constant(operands[3], function);
  return instruction.has("exch") && operands.size() == 3 && is_constant(operands[2], function);
}

}  // namespace

bool is_in_loop(const ptx::Function& function, std::size_t place) {
  return is_in_loop(function, place, place);
}

bool is_in_loop(const ptx::Function& function, std::size_t first, std::size_t last) {
  for (std::size_t i = last; i < function.code.size(); ++i) {
    const auto& operands = function.code[i].operands;
    const bool leads_back = std::any_of(operands.begin(), operands.end(), [&](const ptx::Operand& operand) {
      return operand.kind == Kind::label && operand.target <= first;
    });
    if (leads_back) return true;
  }
  return false;
}

bool is_behind_lock(const Program& program, Pc pc) {
  const ptx::Function& function = program.function_of(pc);
  const ptx::Instruction* const here = &program.text_of(pc);
  for (std::size_t i = 0; i < function.code.size() && &function.code[i] != here; ++i)
    if (tries_to_take(function.code[i], function) && is_in_loop(function, i)) return true;
  return false;
}

}  // namespace warpwise::simulator::observe
