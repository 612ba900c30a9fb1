#include "value_flow.hpp"

#include <algorithm>

namespace warpwise::simulator {

namespace {

using ptx::Operand;
using Registers = std::unordered_set<ptx::RegisterId>;

/// Is a register, or an address that is based on one.
bool has_register(const Operand& operand) {
  const bool is_based = operand.kind == Operand::Kind::address && operand.base == Operand::Kind::reg;
  return operand.kind == Operand::Kind::reg || is_based;
}

/// Of a vector those of its elements.
void add_registers(const Operand& operand, Registers& to) {
  if (has_register(operand)) to.insert(operand.reg);
  for (const Operand& element : operand.elements) add_registers(element, to);
}

bool meets(const Operand& operand, const Registers& registers) {
  return (has_register(operand) && registers.contains(operand.reg)) ||
         std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const Operand& element) { return meets(element, registers); });
}

bool is_float(ptx::Type type) { return type >= ptx::Type::f16 && type <= ptx::Type::f64; }

bool is_32(const Operand& operand) { return operand.kind == Operand::Kind::immediate && operand.bits == 32; }

/// Moves one half of 64 bits to the place of the other.
bool is_shift_by_half(const ptx::Instruction& instruction, const char* opcode) {
  return instruction.opcode == opcode && instruction.operands.size() == 3 && is_32(instruction.operands[2]) &&
         ptx::bytes_of(instruction.type(0)) == 8;
}

/// Hands on its sources' bits: moves them, takes a half of 64 bits, or puts two halves together.
/// `upper_halves`: the registers that a shift has filled, of which an `or` makes the whole.
bool is_move(const ptx::Instruction& instruction, const Registers& upper_halves) {
  const auto& operands = instruction.operands;
  if (operands.size() == 2)
    return instruction.opcode == "mov" ||
           (instruction.opcode == "cvt" && !is_float(instruction.type(0)) && !is_float(instruction.type(1)));
  if (instruction.opcode == "or")
    return operands.size() == 3 && (meets(operands[1], upper_halves) || meets(operands[2], upper_halves));
  return joins_two_words(instruction) || is_shift_by_half(instruction, "shl") ||
         is_shift_by_half(instruction, "shr");
}

bool is_exchange(const ptx::Instruction& instruction) {
  return instruction.opcode == "atom" && instruction.has("cas") && instruction.operands.size() == 4;
}

std::pair<bool, bool> space_of(const ptx::Instruction& instruction) {
  return {instruction.has("shared"), instruction.has("global")};
}

}  // namespace

bool joins_two_words(const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  return instruction.opcode == "bfi" && instruction.has("b64") && operands.size() == 5 &&
         is_32(operands[3]) && is_32(operands[4]);
}

FirstGuesses::FirstGuesses(const ptx::Function& function) {
  for (const ptx::Instruction& instruction : function.code)
    if (is_exchange(instruction)) add_registers(instruction.operands[2], guesses_[space_of(instruction)]);
  Registers upper_halves;
  for (const ptx::Instruction& instruction : function.code)
    if (is_shift_by_half(instruction, "shl")) add_registers(instruction.operands[0], upper_halves);
  for (auto& [space, registers] : guesses_) {
    for (std::size_t before = 0; before != registers.size();) {
      before = registers.size();
      for (const ptx::Instruction& instruction : function.code)
        if (is_move(instruction, upper_halves) && meets(instruction.operands[0], registers))
          for (std::size_t i = 1; i < instruction.operands.size(); ++i)
            add_registers(instruction.operands[i], registers);
    }
  }
}

bool FirstGuesses::contain(const ptx::Instruction& load) const {
  if (load.opcode != "ld" || load.operands.size() < 2) return false;
  const auto found = guesses_.find(space_of(load));
  return found != guesses_.end() && meets(load.operands[0], found->second);
}

bool reaches_instruction(const machine::Program& program, machine::Pc load, machine::Pc user) {
  const ptx::Function& function = program.function_of(load);
  const ptx::Instruction& first = program.text_of(load);
  const ptx::Instruction& last = program.text_of(user);
  if (&function != &program.function_of(user) || first.operands.empty()) return false;
  const auto depends_on = [](const ptx::Instruction& instruction, const Registers& registers) {
    const auto& operands = instruction.operands;
    return (instruction.guard && registers.contains(instruction.guard->reg)) ||
           std::any_of(operands.begin() + !operands.empty(), operands.end(),
                       [&](const Operand& operand) { return meets(operand, registers); });
  };
  Registers reached;
  add_registers(first.operands[0], reached);
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (const ptx::Instruction& instruction : function.code)
      if (depends_on(instruction, reached)) add_registers(instruction.operands[0], reached);
  }
  return depends_on(last, reached);
}

}  // namespace warpwise::simulator
