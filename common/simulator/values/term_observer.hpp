#pragma once
/// \file Makes terms of what a launch does, one instruction at a time.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../decode/code.hpp"
#include "memory_terms.hpp"
#include "term_forms.hpp"

namespace warpwise::simulator::values {

using decode::cell_in;
using decode::Row;
using decode::Width;
using LaneTerms = std::array<Term, warp_size>;

/// What is known of one launch.
struct Followed {
  struct Named {
    std::uint64_t base, bytes;
    std::string name;
    std::optional<std::uint64_t> passed_offset = {};  ///< TermRecorder::passed_offset; empty: was not passed
  };

  TermGraph graph;
  MemoryTerms memory;
  LaunchContext launch;
  std::uint32_t slots = 0;
  std::vector<Named> allocations;  ///< that with number i is i - 1
  std::optional<TermCondition> condition;
  TermRecorder::Patience patience;
  /// What this one run does is followed, not what every run would do: a selection takes what it took, an
  /// atomic returns what it found, equal operations of several threads are told apart, and where the flow is
  /// lost, it is lost for the result alone.
  bool is_of_this_run = false;
  std::string why_incomplete;
  std::optional<Pc> lucky_store;  ///< the latest
  std::optional<Pc> whim;         ///< the first
  std::vector<TermPassage> passages;
  std::vector<Term> matched;
  std::unique_ptr<Observer> observer;
  // Kept from launch to launch of a program:
  const Program* program = nullptr;
  std::vector<std::optional<TermForm>> forms, joining_forms;  ///< by pc

  void begin(const LaunchContext& next, std::uint32_t of_slots, const std::set<std::uint64_t>& computed);
  void lose(std::string why) {
    if (why_incomplete.empty()) why_incomplete = std::move(why);
  }
};

/// The terms of a warp's registers, by row of its frame.
class RegisterTerms {
 public:
  void clear() {
    std::fill(index_.begin(), index_.end(), 0);
    used_ = 0;
  }
  /// nullptr: all lanes are fixed.
  const LaneTerms* find(Row row) const {
    const std::size_t unit = row / unit_bytes;
    return unit < index_.size() && index_[unit] != 0 ? &cells_[index_[unit] - 1] : nullptr;
  }
  Term at(Row row, std::uint32_t lane) const {
    const LaneTerms* const terms = find(row);
    return terms == nullptr ? fixed : (*terms)[lane];
  }
  void set(Row row, std::uint32_t lane, Term term) {
    const std::size_t unit = row / unit_bytes;
    if (unit >= index_.size()) index_.resize(unit + 1);
    if (index_[unit] == 0) {
      if (term == fixed) return;
      if (used_ == cells_.size()) cells_.emplace_back();
      cells_[used_].fill(fixed);
      index_[unit] = static_cast<std::uint32_t>(++used_);
    }
    cells_[index_[unit] - 1][lane] = term;
  }

 private:
  static constexpr Row unit_bytes = 4;
  std::vector<std::uint32_t> index_;
  std::vector<LaneTerms> cells_;
  std::size_t used_ = 0;
};

/// What lanes bring to a `*.sync`; they may stand at several places.
struct Meeting {
  struct Part {
    Pc pc;
    LaneMask lanes;
    const std::byte* rows;
  };
  LaneMask come = 0;
  std::vector<Part> parts;
  LaneTerms source{};
  std::array<std::uint32_t, warp_size> b{}, c{};
};

/// Follows the instructions of a launch, one at a time.
class TermObserver final : public Observer {
 public:
  explicit TermObserver(Followed& state)
      : state_(state), graph_(state.graph), code_(state.launch.program->decoded()) {
    registers_.resize(state.slots);
    number_of_.resize(code_.functions.size());
    meetings_.resize(state.slots);
    entry_ = state.launch.program->find_kernel(state.launch.kernel)->entry;
    for (const auto& special : code_.functions[code_.owners[entry_]].layout.specials)
      if (special.special == decode::Special::smid || special.special == decode::Special::warpid)
        placed_rows_.push_back(special.row);
  }

  void on_block_begin(const BlockContext& block) override;
  void on_operands(const WarpContext& warp, const Operands& operands) override;
  void on_fault(const WarpContext& warp, const Fault& fault) override;

  /// Of the last access to memory or `*.sync`: what element `e` of the lane is that was read or stored, or
  /// that an atomic left; what the lane got.
  Term moved(std::size_t e, std::uint32_t lane) const { return moved_[e][lane]; }

 private:
  using Word = MemoryTerms::Word;
  /// An instruction that some lanes of a warp execute.
  struct Step {
    const WarpContext& warp;
    const Operands& operands;
    const decode::Instruction& instruction;
    RegisterTerms& registers;
  };

  const TermForm& form(Pc pc) { return kept(state_.forms, pc, form_of); }
  const TermForm& joining_form(Pc pc) { return kept(state_.joining_forms, pc, joining_form_of); }
  const TermForm& kept(std::vector<std::optional<TermForm>>& forms, Pc pc,
                       TermForm (*make)(const ptx::Instruction&, TermGraph&)) {
    if (!forms[pc]) forms[pc] = make(*code_.texts[pc], graph_);
    return *forms[pc];
  }

  /// The registers of the function that the instruction belongs to.
  RegisterTerms& registers_of(std::uint32_t slot, std::uint32_t warp, Pc pc) {
    std::uint32_t& number = number_of_[code_.owners[pc]];
    if (number == 0) number = ++functions_;
    std::vector<RegisterTerms>& of_warp = registers_[slot][warp];
    if (of_warp.size() < number) of_warp.resize(number);
    return of_warp[number - 1];
  }
  TermNode maker(const WarpContext& warp, Pc pc, const TermNode& like, std::uint32_t lane);
  TermNode maker(const Step& step, const TermNode& like, std::uint32_t lane) {
    return maker(step.warp, step.operands.pc, like, lane);
  }
  Term operand(const Step& step, Row row, Width width, std::uint32_t lane);
  void decide(const Step& step, Row row, LaneMask lanes, ValueUse use);
  void set_unknown(const Step& step, Row row, const TermNode& like, bool is_of_order);
  void note_whim(const Step& step, Term term) {
    if (!state_.whim && graph_.at(term).is_of_machine) state_.whim = step.operands.pc;
  }
  void clear(const Step& step, std::size_t results);
  void forget(const Step& step);

  void lane_wise(const Step& step);
  Term result_of(const Step& step, const TermForm& form, const decode::ValueFlow& flow, std::uint32_t lane,
                 std::size_t result);
  Term join(TermNode node, Term a, Term b);

  void access(const Step& step);
  void load(const Step& step, const decode::MemoryOperation& operation, std::uint32_t lane);
  void store(const Step& step, const decode::MemoryOperation& operation, std::uint32_t lane);
  void update(const Step& step, const decode::MemoryOperation& operation, std::uint32_t lane);
  Term term_or_value(const Step& step, Term term, std::uint32_t lane, std::uint32_t offset);
  Term loaded(const Step& step, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes);
  Term read(const Step& step, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes);
  void put(const Step& step, std::uint32_t lane, std::uint32_t offset, Term term, std::uint32_t value);
  static Word word_by(const Step& step, std::uint32_t lane, Term term) {
    const BlockContext& block = *step.warp.block;
    return {term, step.warp.warp * warp_size + lane, block.linear, block.barriers_passed};
  }

  void meet(const Step& step);
  void exchange(const WarpContext& warp, Meeting& meeting);

  Followed& state_;
  TermGraph& graph_;
  const decode::Code& code_;
  std::vector<std::vector<std::vector<RegisterTerms>>> registers_;  ///< by slot, warp and function
  std::vector<std::uint32_t> number_of_;  ///< by function: its place in registers_, from 1; 0: none yet
  std::uint32_t functions_ = 0;
  std::array<LaneTerms, decode::max_rows> moved_{};
  Pc entry_ = 0;
  std::vector<Row>
      placed_rows_;  ///< that hold where the warp runs: %smid, %warpid (PTX ISA 10.4: it may change)
  std::uint64_t steps_ = 0, steps_after_condition_ = 0, serial_ = 0;
  std::vector<std::vector<Meeting>> meetings_;  ///< likewise
};

}  // namespace warpwise::simulator::values
