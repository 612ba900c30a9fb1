#include "program_facts.hpp"

#include <algorithm>
#include <optional>

#include "value_flow.hpp"

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

}  // namespace

ProgramFacts::ProgramFacts(const machine::Program& program, const std::string& kernel)
    : only_arrives(program.size()), is_first_guess(program.size()) {
  const ptx::Function* last = nullptr;
  std::optional<FirstGuesses> guesses;
  for (machine::Pc pc = 0; pc < program.size(); ++pc) {
    const ptx::Function& function = program.function_of(pc);
    if (function.is_kernel && function.name != kernel) continue;
    const ptx::Instruction& instruction = program.text_of(pc);
    has_fences |= can_synchronise(instruction);
    only_arrives[pc] = instruction.has("arrive");
    if (&function != last) guesses.emplace(function);
    last = &function;
    is_first_guess[pc] = guesses->contain(instruction);
    if (!touches_watched_memory(instruction)) continue;
    const std::uint32_t bytes = ptx::bytes_of(instruction.type());
    if (bytes != 0) granule = std::min(granule, bytes);
  }
}

}  // namespace warpwise::simulator
