#include "program_facts.hpp"

#include <algorithm>
#include <optional>

#include "../decode/code.hpp"
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

Counter counter_polled_at(const Program& program, Pc pc) {
  const auto address_of = [](const ptx::Instruction& each) -> const ptx::Operand* {
    const ptx::MemoryAccess access = each.row->access;
    const bool has_result = access == ptx::MemoryAccess::load || access == ptx::MemoryAccess::atomic;
    const std::size_t place = has_result ? 1 : 0;
    return access == ptx::MemoryAccess::none || each.operands.size() <= place ? nullptr
                                                                              : &each.operands[place];
  };
  const ptx::Function& function = program.function_of(pc);
  const ptx::Instruction& poll = program.text_of(pc);
  const ptx::Operand* const polled = address_of(poll);
  Counter counter;
  for (const ptx::Instruction& each : function.code) {
    const ptx::Operand* const address = address_of(each);
    const bool is_it = polled != nullptr && address != nullptr && &each != &poll &&
                       each.space() == poll.space() && ptx::is_same_place(*polled, *address);
    if (!is_it || each.row->access == ptx::MemoryAccess::load) continue;
    counter.is_added_to |= each.has("add") || each.has("inc");
    if (each.row->access == ptx::MemoryAccess::store || each.has("exch"))
      counter.reset = pc - static_cast<Pc>(&poll - &each);
  }
  return counter;
}

bool is_behind_lock(const Program& program, Pc pc) {
  const ptx::Function& function = program.function_of(pc);
  const ptx::Instruction* const here = &program.text_of(pc);
  for (std::size_t i = 0; i < function.code.size() && &function.code[i] != here; ++i)
    if (tries_to_take(function.code[i], function) && ptx::is_in_loop(function, i, i)) return true;
  return false;
}

namespace {

using ptx::Operand;
using Registers = std::unordered_set<ptx::RegisterId>;

/// Of a vector those of its elements.
void add_registers(const Operand& operand, Registers& to) {
  ptx::visit_registers(operand, [&](ptx::RegisterId reg) { to.insert(reg); });
}

bool meets(const Operand& operand, const Registers& registers) {
  bool is_met = false;
  ptx::visit_registers(operand, [&](ptx::RegisterId reg) { is_met |= registers.contains(reg); });
  return is_met;
}

bool is_exchange(const ptx::Instruction& instruction) {
  return instruction.row->access == ptx::MemoryAccess::atomic && instruction.has("cas") &&
         instruction.operands.size() == 4;
}

/// Puts bytes of several values together. An `or` does where one of them has been placed: is in `placed`.
bool joins(const ptx::Instruction& instruction, const Registers& placed) {
  if (decode::joins_bytes(instruction)) return true;
  return decode::joins_placed_bytes(instruction) &&
         (meets(instruction.operands[1], placed) || meets(instruction.operands[2], placed));
}

/// Enters into `uses` what `reader` does with `reg`. False where its value goes on to what `reader` writes,
/// or guards it.
bool note_use(const ptx::Instruction& reader, ptx::RegisterId reg, ValueUses& uses) {
  if (ptx::jumps(reader)) return false;
  const ptx::MemoryAccess access = reader.row->access;
  const bool is_load = reader.row->loads(), is_atomic = access == ptx::MemoryAccess::atomic;
  const bool is_store = access == ptx::MemoryAccess::store || access == ptx::MemoryAccess::reduction;
  if (reader.guard && reader.guard->reg == reg) uses.decides_otherwise = true;
  if (reader.row->what == ptx::InstructionClass::call) return uses.is_lost = true;
  if (!is_load && !is_atomic && !is_store) return false;
  const std::size_t address = is_store ? 0 : 1;
  if (reader.operands.size() > address && meets(reader.operands[address], {reg}))
    uses.decides_otherwise = true;
  bool is_stored = false;
  for (std::size_t i = address + 1; i < reader.operands.size() && !is_load; ++i)
    is_stored |= meets(reader.operands[i], {reg});
  if (!is_stored) return true;
  const ptx::Space space = reader.space();
  if (space == ptx::Space::param || space == ptx::Space::local)
    uses.is_lost = true;
  else if (space == ptx::Space::shared)
    uses.goes_to_shared = true;
  else
    uses.goes_to_global = true;
  return true;
}

}  // namespace

RegisterReaders::RegisterReaders(const ptx::Function& function)
    : function_(function), by_register_(function.registers.size()) {
  Registers read;
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    read.clear();
    ptx::visit_reads(function.code[i], [&](ptx::RegisterId reg) { read.insert(reg); });
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
      if (ptx::jumps(reader)) uses.branches.push_back(at);
      if (!reader.has_destination()) continue;
      Registers written;
      add_registers(reader.operands[0], written);
      for (const ptx::RegisterId each : written)
        if (reached.insert(each).second) next.push_back(each);
    }
  }
  return uses;
}

FirstGuesses::FirstGuesses(const ptx::Function& function) {
  Registers placed;
  for (const ptx::Instruction& instruction : function.code) {
    if (is_exchange(instruction)) add_registers(instruction.operands[2], guesses_[instruction.space()]);
    if (decode::places_bytes(instruction)) add_registers(instruction.operands[0], placed);
  }
  for (auto& [space, registers] : guesses_) {
    Registers parts;  // those of `registers` that a join picks up
    for (std::size_t before = 0; before != registers.size() + parts.size();) {
      before = registers.size() + parts.size();
      for (const ptx::Instruction& instruction : function.code) {
        if (instruction.operands.empty() || !meets(instruction.operands[0], registers)) continue;
        const bool is_join = joins(instruction, placed), is_part = meets(instruction.operands[0], parts);
        if (!is_join && !decode::is_move(instruction) && !(is_part && decode::places_bytes(instruction)))
          continue;
        for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
          add_registers(instruction.operands[i], registers);
          if (is_join || is_part) add_registers(instruction.operands[i], parts);
        }
      }
    }
  }
}

bool FirstGuesses::contain(const ptx::Instruction& load) const {
  if (load.row->access != ptx::MemoryAccess::load || load.operands.size() < 2) return false;
  const ptx::Space space = load.space();
  const auto is_guess_in = [&](const auto& of_space) {
    // An exchange by a generic address may meet global memory, as those of libcu++ do.
    const bool may_meet =
        of_space.first == space || (of_space.first == ptx::Space::generic && space == ptx::Space::global);
    return may_meet && meets(load.operands[0], of_space.second);
  };
  return std::any_of(guesses_.begin(), guesses_.end(), is_guess_in);
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
    only_arrives[at] = instruction.only_arrives();
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

std::shared_ptr<const ProgramFacts> ProgramFacts::of(const LaunchContext& launch) {
  std::shared_ptr<const void>& kept = launch.program->decoded().facts[launch.kernel];
  if (kept == nullptr) kept = std::make_shared<const ProgramFacts>(launch);
  return std::static_pointer_cast<const ProgramFacts>(kept);
}

// ---- Whose value a strong load is

namespace {

using ptx::Instruction;

bool is_load(const Instruction& instruction) {
  return instruction.row->access == ptx::MemoryAccess::load && instruction.operands.size() > 1;
}

bool is_fence(const Instruction& instruction) {
  return instruction.row->what == ptx::InstructionClass::fence;
}

/// The reads of one function, as StrongUse tells them apart. Places are indices into its code.
class Reads {
 public:
  Reads(const Program& program, Pc entry, const ptx::Function& function, const RegisterReaders& readers)
      : program_(program), entry_(entry), code_(function.code), function_(function), readers_(readers) {}

  StrongUse use_of(std::size_t load) const {
    const ValueUses uses = readers_.uses_of(load);
    if (uses.is_lost || decides_whether_again(uses, load) || is_retried(load)) return StrongUse::synchronises;
    if (!uses.branches.empty() || uses.decides_otherwise) return StrongUse::decides;
    if (uses.goes_to_global) return StrongUse::passes_on;
    return uses.goes_to_shared ? StrongUse::decides : StrongUse::synchronises;
  }

 private:
  /// One of the branches leads on one side, before its sides meet again, to a load of the same place that is
  /// repeated likewise: mostly `place` itself, but the compiler may put the first round in front of a loop.
  bool decides_whether_again(const ValueUses& uses, std::size_t place) const {
    for (const std::size_t branch : uses.branches) {
      for (const std::size_t again : loads_on_a_side(branch, place)) {
        const std::vector<std::size_t> later = readers_.uses_of(again).branches;
        const auto repeats = [&](std::size_t other) { return leads_to(other, again); };
        if (std::any_of(later.begin(), later.end(), repeats)) return true;
      }
    }
    return false;
  }
  bool leads_to(std::size_t branch, std::size_t place) const {
    const std::vector<std::size_t> found = loads_on_a_side(branch, place);
    return std::find(found.begin(), found.end(), place) != found.end();
  }
  /// What is read is thrown away and read again where a word that is read behind a fence says so: a sequence
  /// lock.
  bool is_retried(std::size_t place) const {
    const auto start = code_.begin() + static_cast<std::ptrdiff_t>(place);
    const auto fence = std::find_if(start, code_.end(), is_fence);
    for (auto at = fence; at != code_.end(); ++at) {
      if (!is_load(*at)) continue;
      const auto load = static_cast<std::size_t>(at - code_.begin());
      const std::vector<std::size_t> branches = readers_.uses_of(load).branches;
      if (std::any_of(branches.begin(), branches.end(), [&](std::size_t b) { return leads_to(b, place); }))
        return true;
    }
    return false;
  }
  /// Loads of what `place` loads that stand behind `branch` where its sides have not met yet.
  std::vector<std::size_t> loads_on_a_side(std::size_t branch, std::size_t place) const {
    const std::optional<Pc> meeting = program_.meeting_of(entry_ + static_cast<Pc>(branch));
    std::vector<bool> seen(code_.size());
    if (meeting) seen[*meeting - entry_] = true;
    std::vector<std::size_t> found, next{successors(branch)};
    while (!next.empty()) {
      const std::size_t at = next.back();
      next.pop_back();
      if (at >= code_.size() || seen[at]) continue;
      seen[at] = true;
      const Instruction& here = code_[at];
      if (is_load(here) && ptx::is_same_place(here.operands[1], code_[place].operands[1]))
        found.push_back(at);
      for (const std::size_t to : successors(at)) next.push_back(to);
    }
    return found;
  }
  std::vector<std::size_t> successors(std::size_t at) const {
    const Instruction& here = code_[at];
    const std::vector<std::uint32_t> targets = ptx::targets_of(function_, here);
    std::vector<std::size_t> found(targets.begin(), targets.end());
    if (ptx::goes_on(here)) found.push_back(at + 1);
    return found;
  }

  const Program& program_;
  const Pc entry_;
  const std::vector<Instruction>& code_;
  const ptx::Function& function_;
  const RegisterReaders& readers_;
};

}  // namespace

StrongUses::StrongUses(const LaunchContext& launch, const ProgramFacts& facts)
    : program_(*launch.program), reach_(launch.reach), facts_(facts), by_pc_(launch.reach.size()) {}

StrongUse StrongUses::look_at(Pc pc) const {
  const Instruction& text = program_.text_of(pc);
  StrongUse use = StrongUse::synchronises;
  if (text.row->access == ptx::MemoryAccess::store) {
    use = StrongUse::writes;
  } else if (is_load(text) && !facts_.is_first_guess[reach_.index_of(pc)]) {
    const ptx::Function& function = program_.function_of(pc);
    const auto place = static_cast<std::size_t>(&text - function.code.data());
    const std::lock_guard lock(mutex_);
    const RegisterReaders& readers = readers_.try_emplace(&function, function).first->second;
    use = Reads(program_, pc - static_cast<Pc>(place), function, readers).use_of(place);
  }
  by_pc_[reach_.index_of(pc)].store(static_cast<std::uint8_t>(use), std::memory_order_relaxed);
  return use;
}

}  // namespace warpwise::simulator::observe
