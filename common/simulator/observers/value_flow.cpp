#include "value_flow.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

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

bool is_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && !operand.is_float;
}

/// So many bits are whole bytes.
bool is_bytes(const Operand& operand) { return is_number(operand) && operand.bits % 8 == 0; }

/// Keeps and clears whole bytes.
bool is_byte_mask(const Operand& operand) {
  const auto keeps_all = [&](unsigned byte) { return (operand.bits >> 8 * byte & 0xFF) == 0xFF; };
  const auto keeps_none = [&](unsigned byte) { return (operand.bits >> 8 * byte & 0xFF) == 0; };
  bool is_mask = is_number(operand);
  for (unsigned byte = 0; byte < 8; ++byte) is_mask &= keeps_all(byte) || keeps_none(byte);
  return is_mask;
}

/// Hands on its sources' bytes, or puts them elsewhere: moves, shifts and masks by numbers in the text,
/// joins.
bool is_move(const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const std::string_view opcode = instruction.opcode;
  const bool has_two_sources = operands.size() == 3;
  if (opcode == "mov") return operands.size() == 2;
  if (opcode == "cvt")
    return operands.size() == 2 && !is_float(instruction.type(0)) && !is_float(instruction.type(1));
  if (opcode == "or") return has_two_sources && !is_number(operands[1]) && !is_number(operands[2]);
  if (opcode == "and") return has_two_sources && is_byte_mask(operands[2]);
  if (opcode == "shl" || opcode == "shr") return has_two_sources && is_bytes(operands[2]);
  if (opcode == "mul")  // a shift to the left
    return has_two_sources && is_number(operands[2]) && std::has_single_bit(operands[2].bits) &&
           std::countr_zero(operands[2].bits) % 8 == 0;
  if (opcode == "prmt") return operands.size() == 4 && is_number(operands[3]);
  return opcode == "bfi" && operands.size() == 5 && is_bytes(operands[3]) && is_bytes(operands[4]);
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
  const auto is_32 = [](const Operand& operand) { return is_number(operand) && operand.bits == 32; };
  return instruction.opcode == "bfi" && instruction.has("b64") && operands.size() == 5 &&
         is_32(operands[3]) && is_32(operands[4]);
}

FirstGuesses::FirstGuesses(const ptx::Function& function) {
  for (const ptx::Instruction& instruction : function.code)
    if (is_exchange(instruction)) add_registers(instruction.operands[2], guesses_[space_of(instruction)]);
  for (auto& [space, registers] : guesses_) {
    for (std::size_t before = 0; before != registers.size();) {
      before = registers.size();
      for (const ptx::Instruction& instruction : function.code)
        if (is_move(instruction) && meets(instruction.operands[0], registers))
          for (std::size_t i = 1; i < instruction.operands.size(); ++i)
            add_registers(instruction.operands[i], registers);
    }
  }
}

bool FirstGuesses::contain(const ptx::Instruction& load) const {
  if (load.opcode != "ld" || load.operands.size() < 2) return false;
  // An exchange by a generic address may meet any space.
  for (const Space& space : {space_of(load), Space{}})
    if (const auto found = guesses_.find(space);
        found != guesses_.end() && meets(load.operands[0], found->second))
      return true;
  return false;
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
