#include "program_facts.hpp"

#include <algorithm>
#include <optional>

#include "../ptx/function_text.hpp"

namespace warpwise::simulator::observe {

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
      if (is_load(here) && is_same_place(here.operands[1], code_[place].operands[1])) found.push_back(at);
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
