#include "value_flow.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

namespace warpwise::simulator::observe {

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

/// Hands on its source's bits.
bool is_move(const ptx::Instruction& instruction) {
  if (instruction.operands.size() != 2) return false;
  return instruction.opcode == "mov" ||
         (instruction.opcode == "cvt" && !is_float(instruction.type(0)) && !is_float(instruction.type(1)));
}

/// Takes whole bytes out of a value, or puts them to another place, from where a join picks them up.
bool places_bytes(const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  if (operands.size() != 3) return false;
  const std::string_view opcode = instruction.opcode;
  if (opcode == "and") return is_byte_mask(operands[2]);
  if (opcode == "shl" || opcode == "shr") return is_bytes(operands[2]);
  return opcode == "mul" && is_number(operands[2]) && std::has_single_bit(operands[2].bits) &&
         std::countr_zero(operands[2].bits) % 8 == 0;
}

/// Puts bytes of several values together. An `or` does where one of them has been placed: is in `placed`.
bool joins_bytes(const ptx::Instruction& instruction, const Registers& placed) {
  const auto& operands = instruction.operands;
  const std::string_view opcode = instruction.opcode;
  if (opcode == "mov") return operands.size() == 2 && operands[1].kind == Operand::Kind::vector;
  if (opcode == "or")
    return operands.size() == 3 && (meets(operands[1], placed) || meets(operands[2], placed));
  if (opcode == "prmt") return operands.size() == 4 && is_number(operands[3]);
  return opcode == "bfi" && operands.size() == 5 && is_bytes(operands[3]) && is_bytes(operands[4]);
}

bool is_exchange(const ptx::Instruction& instruction) {
  return instruction.opcode == "atom" && instruction.has("cas") && instruction.operands.size() == 4;
}

/// Its first operand is what it writes to.
bool has_destination(const ptx::Instruction& instruction) {
  if (instruction.operands.empty()) return false;
  const Operand::Kind first = instruction.operands[0].kind;
  const std::string_view opcode = instruction.opcode;
  if (first != Operand::Kind::reg && first != Operand::Kind::vector) return false;
  if (opcode == "bar" || opcode == "barrier") return instruction.has("red");
  return opcode != "brx" && opcode != "nanosleep";
}

/// Enters into `uses` what `reader` does with `reg`. False where its value goes on to what `reader` writes,
/// or guards it.
bool note_use(const ptx::Instruction& reader, ptx::RegisterId reg, ValueUses& uses) {
  const std::string_view opcode = reader.opcode;
  if (opcode == "bra" || opcode == "brx") return false;
  const bool is_load = opcode == "ld" || opcode == "ldu", is_atomic = opcode == "atom";
  const bool is_store = opcode == "st" || opcode == "red";
  if (reader.guard && reader.guard->reg == reg) uses.decides_otherwise = true;
  if (opcode == "call") return uses.is_lost = true;
  if (!is_load && !is_atomic && !is_store) return false;
  const std::size_t address = is_store ? 0 : 1;
  if (reader.operands.size() > address && meets(reader.operands[address], {reg}))
    uses.decides_otherwise = true;
  bool is_stored = false;
  for (std::size_t i = address + 1; i < reader.operands.size() && !is_load; ++i)
    is_stored |= meets(reader.operands[i], {reg});
  if (!is_stored) return true;
  if (reader.has("param") || reader.has("local"))
    uses.is_lost = true;
  else if (reader.has("shared") || reader.has("shared::cta"))
    uses.goes_to_shared = true;
  else
    uses.goes_to_global = true;
  return true;
}

std::pair<bool, bool> space_of(const ptx::Instruction& instruction) {
  return {instruction.has("shared"), instruction.has("global")};
}

}  // namespace

RegisterReaders::RegisterReaders(const ptx::Function& function)
    : function_(function), by_register_(function.registers.size()) {
  Registers read;
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    const ptx::Instruction& instruction = function.code[i];
    read.clear();
    for (std::size_t k = has_destination(instruction); k < instruction.operands.size(); ++k)
      add_registers(instruction.operands[k], read);
    if (instruction.guard) read.insert(instruction.guard->reg);
    for (const ptx::RegisterId reg : read) by_register_[reg].push_back(i);
  }
}

ValueUses RegisterReaders::uses_of(std::size_t load) const {
  ValueUses uses;
  Registers reached;
  add_registers(function_.code[load].operands[0], reached);
  std::vector<ptx::RegisterId> next(reached.begin(), reached.end());
  std::vector<bool> seen(function_.code.size());
  while (!next.empty()) {
    const ptx::RegisterId reg = next.back();
    next.pop_back();
    for (const std::uint32_t at : by_register_[reg]) {
      const ptx::Instruction& reader = function_.code[at];
      if (note_use(reader, reg, uses) || seen[at]) continue;
      seen[at] = true;
      if (reader.opcode == "bra" || reader.opcode == "brx") uses.branches.push_back(at);
      if (!has_destination(reader)) continue;
      Registers written;
      add_registers(reader.operands[0], written);
      for (const ptx::RegisterId each : written)
        if (reached.insert(each).second) next.push_back(each);
    }
  }
  return uses;
}

bool joins_two_words(const ptx::Instruction& instruction) {
  const auto& operands = instruction.operands;
  const auto is_32 = [](const Operand& operand) { return is_number(operand) && operand.bits == 32; };
  return instruction.opcode == "bfi" && instruction.has("b64") && operands.size() == 5 &&
         is_32(operands[3]) && is_32(operands[4]);
}

FirstGuesses::FirstGuesses(const ptx::Function& function) {
  Registers placed;
  for (const ptx::Instruction& instruction : function.code) {
    if (is_exchange(instruction)) add_registers(instruction.operands[2], guesses_[space_of(instruction)]);
    if (places_bytes(instruction)) add_registers(instruction.operands[0], placed);
  }
  for (auto& [space, registers] : guesses_) {
    Registers parts;  // those of `registers` that a join picks up
    for (std::size_t before = 0; before != registers.size() + parts.size();) {
      before = registers.size() + parts.size();
      for (const ptx::Instruction& instruction : function.code) {
        if (instruction.operands.empty() || !meets(instruction.operands[0], registers)) continue;
        const bool is_join = joins_bytes(instruction, placed),
                   is_part = meets(instruction.operands[0], parts);
        if (!is_join && !is_move(instruction) && !(is_part && places_bytes(instruction))) continue;
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
          add_registers(instruction.operands[i], registers);
          if (is_join || is_part) add_registers(instruction.operands[i], parts);
        }
      }
    }
  }
}

bool FirstGuesses::contain(const ptx::Instruction& load) const {
  if (load.opcode != "ld" || load.operands.size() < 2) return false;
  const Space space = space_of(load);
  const auto is_guess_in = [&](const auto& of_space) {
    // An exchange by a generic address may meet global memory, as those of libcu++ do.
    const bool may_meet =
        of_space.first == space || (of_space.first == Space{} && space == Space{false, true});
    return may_meet && meets(load.operands[0], of_space.second);
  };
  return std::any_of(guesses_.begin(), guesses_.end(), is_guess_in);
}

bool is_same_place(const ptx::Operand& a, const ptx::Operand& b) {
  using Kind = ptx::Operand::Kind;
  if (a.kind != Kind::address || b.kind != Kind::address || a.base != b.base || a.offset != b.offset)
    return false;
  return a.base == Kind::reg ? a.reg == b.reg : a.base == Kind::variable && a.variable == b.variable;
}

bool reaches_instruction(const Program& program, Pc load, Pc user) {
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

}  // namespace warpwise::simulator::observe
