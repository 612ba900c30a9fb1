#include "function_text.hpp"

#include <algorithm>

namespace warpwise::simulator::ptx {

std::vector<std::uint32_t> targets_of(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> targets;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Operand::Kind::label) targets.push_back(operand.target);
    if (operand.kind != Operand::Kind::text || instruction.row->then != Then::table) continue;
    for (const Function::TargetList& list : function.target_lists)
      if (list.name == operand.symbol)
        targets.insert(targets.end(), list.targets.begin(), list.targets.end());
  }
  return targets;
}

bool is_in_loop(const Function& function, std::size_t first, std::size_t last) {
  for (std::size_t i = last; i < function.code.size(); ++i) {
    const auto& operands = function.code[i].operands;
    const bool leads_back = std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::label && operand.target <= first;
    });
    if (leads_back) return true;
  }
  return false;
}

}  // namespace warpwise::simulator::ptx
