#pragma once
/// \file What the text of a function says of its instructions: where they may lead, and which registers they
/// name. In which order they run is not looked at.

#include <cstdint>
#include <vector>

#include "../ptx.hpp"

namespace warpwise::simulator::ptx {

/// The instructions that `instruction`, of `function`, may jump to.
std::vector<std::uint32_t> targets_of(const Function& function, const Instruction& instruction);

inline bool jumps(const Instruction& instruction) {
  return instruction.row->then == Then::label || instruction.row->then == Then::table;
}
/// The one behind it may come next.
inline bool goes_on(const Instruction& instruction) {
  return instruction.row->then == Then::next || instruction.guard.has_value();
}

/// Whether a branch at or behind `last` leads back to `first` or further up: all that stands from `first` to
/// `last`, indices into the function's code, is in a loop.
bool is_in_loop(const Function& function, std::size_t first, std::size_t last);

/// Whether both are addresses of memory that stand in the text in the same words.
bool is_same_place(const Operand& a, const Operand& b);

/// The elements of a vector, a pair or a list; else the operand itself.
std::vector<const Operand*> parts_of(const Operand& operand);

/// Calls visit(register) for each that the operand names: itself, as the base of an address, or in a vector.
template <class Visit>
void visit_registers(const Operand& operand, const Visit& visit) {
  const bool is_base = operand.kind == Operand::Kind::address && operand.base == Operand::Kind::reg;
  if (operand.kind == Operand::Kind::reg || is_base) visit(operand.reg);
  for (const Operand& element : operand.elements) visit_registers(element, visit);
}

/// Calls visit(register) for each that the instruction reads.
template <class Visit>
void visit_reads(const Instruction& instruction, const Visit& visit) {
  for (std::size_t i = instruction.has_destination(); i < instruction.operands.size(); ++i)
    visit_registers(instruction.operands[i], visit);
  if (instruction.guard) visit(instruction.guard->reg);
}

}  // namespace warpwise::simulator::ptx
