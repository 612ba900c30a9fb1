#include "program_facts.hpp"

#include <algorithm>
#include <optional>

#include "register_uses.hpp"

namespace warpwise::simulator::observe {

namespace {

bool touches_watched_memory(const ptx::Instruction& instruction) {
  const ptx::MemoryAccess access = instruction.row->access;
  if (access == ptx::MemoryAccess::none || access == ptx::MemoryAccess::copy) return false;
  const ptx::Space space = instruction.space();
  return space == ptx::Space::generic || space == ptx::Space::global || space == ptx::Space::shared;
}

bool can_synchronise(const ptx::Instruction& instruction) {
  return instruction.row->what == ptx::InstructionClass::fence || instruction.has("acquire") ||
         instruction.has("release") || instruction.has("acq_rel");
}

/// An atomic, or a load that is not weak; those that name L2 count as such.
bool can_wait(const ptx::Instruction& instruction) {
  if (!instruction.row->loads()) return instruction.row->access == ptx::MemoryAccess::atomic;
  return std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(),
                     [](const std::string& modifier) {
                       return modifier == "volatile" || modifier == "relaxed" || modifier == "acquire" ||
                              modifier == "cg" || modifier == "mmio";
                     });
}

}  // namespace

ProgramFacts::ProgramFacts(const LaunchContext& launch)
    : only_arrives(launch.reach.size()), is_first_guess(launch.reach.size()) {
  const Program& program = *launch.program;
  const ptx::Function* last = nullptr;
  std::optional<FirstGuesses> guesses;
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const std::uint32_t at = launch.reach.index_of(pc);
    const ptx::Function& function = program.function_of(pc);
    if (function.is_kernel && function.name != launch.kernel) continue;
    const ptx::Instruction& instruction = program.text_of(pc);
    has_fences |= can_synchronise(instruction);
    only_arrives[at] = instruction.has("arrive");
    if (&function != last) guesses.emplace(function);
    last = &function;
    is_first_guess[at] = guesses->contain(instruction);
    if (!touches_watched_memory(instruction)) continue;
    reads_strongly |= can_wait(instruction);
    const std::uint32_t bytes = ptx::bytes_of(instruction.type());
    if (bytes == 0) continue;
    // Generic addresses may be of either space.
    const ptx::Space space = instruction.space();
    if (space != ptx::Space::shared) global_granule = std::min(global_granule, bytes);
    if (space != ptx::Space::global) shared_granule = std::min(shared_granule, bytes);
  }
}

}  // namespace warpwise::simulator::observe
