#include "program_facts.hpp"

#include <algorithm>

namespace warpwise::simulator {

namespace {

bool touches_watched_memory(const ptx::Instruction& instruction) {
  const std::string& opcode = instruction.opcode;
  if (opcode != "ld" && opcode != "ldu" && opcode != "st" && opcode != "atom" && opcode != "red")
    return false;
  return !instruction.has("param") && !instruction.has("local") && !instruction.has("const");
}

bool can_synchronise(const ptx::Instruction& instruction) {
  return instruction.opcode == "fence" || instruction.opcode == "membar" || instruction.has("acquire") ||
         instruction.has("release") || instruction.has("acq_rel");
}

bool is_register(const ptx::Operand& a, const ptx::Operand& b) {
  return a.kind == ptx::Operand::Kind::reg && b.kind == ptx::Operand::Kind::reg && a.reg == b.reg;
}

/// Whether some `atom.cas d, [place], guess, new` of the function compares the register that `load` has
/// loaded, in the same state space. (The two may write the same address in different ways.)
bool is_first_guess_of_exchange(const ptx::Instruction& load, const ptx::Function& function) {
  if (load.opcode != "ld" || load.operands.size() < 2) return false;
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& other) {
    return other.opcode == "atom" && other.has("cas") && other.operands.size() == 4 &&
           other.has("shared") == load.has("shared") && other.has("global") == load.has("global") &&
           is_register(other.operands[2], load.operands[0]);
  });
}

bool has_exchange(const ptx::Function& function) {
  return std::any_of(function.code.begin(), function.code.end(), [](const ptx::Instruction& instruction) {
    return instruction.opcode == "atom" && instruction.has("cas");
  });
}

}  // namespace

ProgramFacts::ProgramFacts(const machine::Program& program, const std::string& kernel)
    : only_arrives(program.size()), is_first_guess(program.size()) {
  const ptx::Function* last = nullptr;
  bool exchanges = false;
  for (machine::Pc pc = 0; pc < program.size(); ++pc) {
    const ptx::Function& function = program.function_of(pc);
    if (function.is_kernel && function.name != kernel) continue;
    const ptx::Instruction& instruction = program.text_of(pc);
    has_fences |= can_synchronise(instruction);
    only_arrives[pc] = instruction.has("arrive");
    if (&function != last) exchanges = has_exchange(function);
    last = &function;
    is_first_guess[pc] = exchanges && is_first_guess_of_exchange(instruction, function);
    if (!touches_watched_memory(instruction)) continue;
    const std::uint32_t bytes = ptx::bytes_of(instruction.type());
    if (bytes != 0) granule = std::min(granule, bytes);
  }
}

}  // namespace warpwise::simulator
