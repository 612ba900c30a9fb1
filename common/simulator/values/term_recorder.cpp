#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "term_flow.hpp"

namespace warpwise::simulator {

using namespace values;
using decode::Code;
using decode::Collective;
using decode::Kind;
using decode::MemoryOperation;
using decode::no_row;

namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 22;
constexpr std::size_t most_conditions_of_one = 4;

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

}  // namespace

struct TermRecorder::State : Followed {};

namespace {

/// Follows the instructions of a launch, one at a time.
class TermObserver final : public Observer {
 public:
  explicit TermObserver(Followed& state)
      : state_(state), graph_(state.graph), code_(state.launch.program->decoded()) {
    forms_.resize(code_.instructions.size());
    joining_forms_.resize(code_.instructions.size());
    registers_.resize(state.slots);
    meetings_.resize(state.slots);
  }

  void on_block_begin(const BlockContext& block) override;
  void on_operands(const WarpContext& warp, const Operands& operands) override;

 private:
  using Word = MemoryTerms::Word;
  /// An instruction that some lanes of a warp execute.
  struct Step {
    const WarpContext& warp;
    const Operands& operands;
    const decode::Instruction& instruction;
    RegisterTerms& registers;
  };

  const TermForm& form(Pc pc) { return kept(forms_, pc, form_of); }
  const TermForm& joining_form(Pc pc) { return kept(joining_forms_, pc, joining_form_of); }
  const TermForm& kept(std::vector<std::optional<TermForm>>& forms, Pc pc,
                       TermForm (*make)(const ptx::Instruction&, TermGraph&)) {
    if (!forms[pc]) forms[pc] = make(*code_.texts[pc], graph_);
    return *forms[pc];
  }

  TermNode maker(const Step& step, const TermNode& like, std::uint32_t lane) const;
  Term operand(const Step& step, Row row, Width width, std::uint32_t lane);
  void decide(const Step& step, Row row, LaneMask lanes, TermCondition::Use use);
  void note(Pc pc, Term term, TermCondition::Use use);
  void set_unknown(const Step& step, Row row, bool is_of_order);
  void clear(const Step& step, std::size_t results);

  void lane_wise(const Step& step);
  Term result_of(const Step& step, const TermForm& form, const decode::ValueFlow& flow, std::uint32_t lane,
                 std::size_t result);
  Term join(TermNode node, Term a, Term b);

  void access(const Step& step);
  void load(const Step& step, const MemoryOperation& operation, std::uint32_t lane);
  void store(const Step& step, const MemoryOperation& operation, std::uint32_t lane);
  void update(const Step& step, const MemoryOperation& operation, std::uint32_t lane);
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
  const Code& code_;
  std::vector<std::optional<TermForm>> forms_, joining_forms_;  ///< by pc
  std::vector<std::vector<RegisterTerms>> registers_;           ///< by slot and warp
  std::vector<std::vector<Meeting>> meetings_;                  ///< likewise
};

void TermObserver::on_block_begin(const BlockContext& block) {
  std::vector<RegisterTerms>& warps = registers_[block.slot];
  warps.resize(block.warps);
  for (RegisterTerms& each : warps) each.clear();
  meetings_[block.slot].assign(block.warps, {});
  state_.memory.begin_block(block);
}

void TermObserver::on_operands(const WarpContext& warp, const Operands& operands) {
  if (!state_.why_incomplete.empty()) return;
  if (graph_.size() > most_nodes) return state_.lose("the launch computes too much");
  const decode::Instruction& instruction = code_.instructions[operands.pc];
  const Step step{warp, operands, instruction, registers_[warp.block->slot][warp.warp]};
  if (instruction.guard != no_row)
    decide(step, instruction.guard, operands.reached, TermCondition::Use::branch);
  switch (instruction.kind) {
    case Kind::lane:
    case Kind::guarded_lane:
      return lane_wise(step);
    case Kind::memory:
      return operands.access == nullptr ? void() : access(step);
    case Kind::collective:
      return operands.together == 0 ? void() : meet(step);
    case Kind::barrier:
      for (const std::size_t i : {1, 2, 3})
        decide(step, instruction.rows[i], operands.lanes, TermCondition::Use::exchange);
      return;
    case Kind::branch_table:
      return decide(step, instruction.rows[0], operands.lanes, TermCondition::Use::branch);
    case Kind::active_mask:
    case Kind::clock:
      return set_unknown(step, instruction.rows[0], true);
    case Kind::call:
      switch (code_.calls[instruction.detail].target) {
        case decode::Call::Target::print:
        case decode::Call::Target::assertion:
          return;
        default:
          return state_.lose("a function is called that was not inlined");
      }
    case Kind::async_copy:
    case Kind::vector_atomic:
      return state_.lose("cp.async and atomics of vectors are not followed");
    default:
      return;
  }
}

TermNode TermObserver::maker(const Step& step, const TermNode& like, std::uint32_t lane) const {
  TermNode node = like;
  node.pc = step.operands.pc;
  node.thread = step.warp.warp * warp_size + lane;
  node.block = step.warp.block->linear;
  return node;
}

/// As a term, also where it is fixed.
Term TermObserver::operand(const Step& step, Row row, Width width, std::uint32_t lane) {
  const Term term = step.registers.at(row, lane);
  return term != fixed ? term : graph_.constant(cell_of(step.operands.rows, row, width, lane));
}

void TermObserver::note(Pc pc, Term term, TermCondition::Use use) {
  std::size_t& count = state_.conditions_at[pc];
  if (count == most_conditions_of_one) return;
  ++count;
  state_.conditions.push_back({use, pc, term});
}

/// What the launch does next depends on the row.
void TermObserver::decide(const Step& step, Row row, LaneMask lanes, TermCondition::Use use) {
  const LaneTerms* const terms = row == no_row ? nullptr : step.registers.find(row);
  if (terms == nullptr) return;
  for (const std::uint32_t lane : lanes_in(lanes))
    if ((*terms)[lane] != fixed) return note(step.operands.pc, (*terms)[lane], use);
}

void TermObserver::set_unknown(const Step& step, Row row, bool is_of_order) {
  for (const std::uint32_t lane : lanes_in(step.operands.lanes))
    step.registers.set(row, lane, graph_.unknown(maker(step, {}, lane), is_of_order));
}

void TermObserver::clear(const Step& step, std::size_t results) {
  for (std::size_t i = 0; i < results; ++i)
    if (step.registers.find(step.instruction.rows[i]) != nullptr)
      for (const std::uint32_t lane : lanes_in(step.operands.lanes))
        step.registers.set(step.instruction.rows[i], lane, fixed);
}

// ---- Lane-wise instructions

void TermObserver::lane_wise(const Step& step) {
  const decode::ValueFlow& flow = code_.flows[step.operands.pc];
  const auto& rows = step.instruction.rows;
  if (flow.rule == decode::FlowRule::parameter_load || flow.rule == decode::FlowRule::parameter_store)
    return state_.lose("a function is called that was not inlined");
  LaneMask with_terms = 0;
  const std::size_t operands = std::size_t{flow.operands} + flow.has_carry;
  for (std::size_t i = flow.results; i < operands; ++i)
    if (const LaneTerms* const terms = step.registers.find(rows[i]))
      for (const std::uint32_t lane : lanes_in(step.operands.lanes))
        with_terms |= LaneMask{(*terms)[lane] != fixed} << lane;
  if (with_terms == 0 || flow.rule == decode::FlowRule::nothing) {
    clear(step, flow.results);
    if (flow.has_carry) step.registers.find(rows[flow.operands]);
    return;
  }
  const TermForm& how = form(step.operands.pc);
  for (const std::uint32_t lane : lanes_in(step.operands.lanes)) {
    std::array<Term, decode::max_rows> results{};
    if ((with_terms >> lane & 1) != 0)
      for (std::size_t i = 0; i < flow.results; ++i) results[i] = result_of(step, how, flow, lane, i);
    for (std::size_t i = 0; i < flow.results; ++i) step.registers.set(rows[i], lane, results[i]);
    if (flow.has_carry && (with_terms >> lane & 1) != 0)
      step.registers.set(rows[flow.operands], lane, graph_.unknown(maker(step, {}, lane), false));
  }
}

Term TermObserver::result_of(const Step& step, const TermForm& how, const decode::ValueFlow& flow,
                             std::uint32_t lane, std::size_t result) {
  const auto& rows = step.instruction.rows;
  const std::size_t first = flow.results;
  const auto source = [&](std::size_t i) {
    return operand(step, rows[first + i], flow.widths[first + i], lane);
  };
  const TermNode made = maker(step, how.node, lane);
  const std::size_t count = flow.operands - first;
  if (flow.has_carry || how.rule == TermRule::lose || count > made.parts.size())
    return graph_.unknown(made, false);
  switch (how.rule) {
    case TermRule::copy:
      return step.registers.at(rows[first], lane);
    case TermRule::take_half:
      return graph_.half(source(0), 0, made);
    case TermRule::split:
      return graph_.half(source(0), static_cast<std::uint32_t>(result), made);
    case TermRule::join:
      return graph_.pair(source(0), source(1), made);
    case TermRule::join_high:
      return graph_.pair(graph_.half(source(1), 0, made), graph_.half(source(0), 0, made), made);
    case TermRule::take_high:
      return graph_.pair(graph_.half(source(0), 1, made), graph_.constant(0), made);
    case TermRule::widen:
      return graph_.pair(source(0), graph_.constant(0), made);
    case TermRule::choose: {
      const Row predicate = rows[first + 2];
      if (step.registers.at(predicate, lane) != fixed) break;
      const bool takes_first = cell_of(step.operands.rows, predicate, Width::pred, lane) != 0;
      return step.registers.at(rows[first + (takes_first ? 0 : 1)], lane);
    }
    default:
      break;
  }
  TermNode node = made;
  node.part_count = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (how.has_absorbing && step.registers.at(rows[first + i], lane) == fixed &&
        cell_of(step.operands.rows, rows[first + i], flow.widths[first + i], lane) == how.absorbing)
      return fixed;
    node.parts[i] = source(i);
  }
  if (result != 0) node.name = graph_.name(graph_.name_of(node) + " |" + std::to_string(result));
  return graph_.operation(node);
}

Term TermObserver::join(TermNode node, Term a, Term b) {
  node.part_count = 2;
  node.parts = {a, b};
  return graph_.operation(node);
}

// ---- Memory

void TermObserver::access(const Step& step) {
  const MemoryOperation& operation = code_.memory[step.instruction.detail];
  decide(step, step.instruction.rows[decode::address_row], step.operands.lanes, TermCondition::Use::address);
  if (operation.element_bytes > 8) return state_.lose("words of 128 bits are not followed");
  for (const std::uint32_t lane : lanes_in(step.operands.access->lanes)) {
    switch (operation.kind) {
      case AccessKind::load:
        load(step, operation, lane);
        break;
      case AccessKind::store:
        store(step, operation, lane);
        break;
      default:
        update(step, operation, lane);
    }
  }
}

Term TermObserver::term_or_value(const Step& step, Term term, std::uint32_t lane, std::uint32_t offset) {
  if (term != fixed) return term;
  return graph_.constant(state_.memory.value(step.warp, *step.operands.access, lane, offset));
}

/// What a load gets. A strong one of what the launch has written may come sooner or later.
Term TermObserver::loaded(const Step& step, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes) {
  const Access& access = *step.operands.access;
  const TermNode made = maker(step, {}, lane);
  bool is_stored = false;
  const Word word = state_.memory.load(step.warp, access, lane, offset & ~3u, &is_stored);
  if (access.ordering != Ordering::weak && is_stored && !word.is_by(made.thread, made.block))
    return graph_.unknown(made, true);
  return read(step, lane, offset, bytes);
}

/// `bytes` at `offset` of a lane's access, as they are.
Term TermObserver::read(const Step& step, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes) {
  const Access& access = *step.operands.access;
  const TermNode made = maker(step, {}, lane);
  const Word word = state_.memory.load(step.warp, access, lane, offset & ~3u);
  if (bytes == 4) return word.term;
  if (bytes == 8) {
    const Word high = state_.memory.load(step.warp, access, lane, offset + 4);
    if (word.term == fixed && high.term == fixed) return fixed;
    return graph_.pair(term_or_value(step, word.term, lane, offset),
                       term_or_value(step, high.term, lane, offset + 4), made);
  }
  if (word.term == fixed) return fixed;
  TermNode node = made;
  node.name = graph_.name("ld.b" + std::to_string(8 * bytes));
  return join(node, word.term, graph_.constant((access.address[lane] + offset) % 4));
}

void TermObserver::load(const Step& step, const MemoryOperation& operation, std::uint32_t lane) {
  const Access& access = *step.operands.access;
  if (access.space == ptx::Space::constant || access.space == ptx::Space::param) {
    for (std::uint32_t e = 0; e < operation.elements; ++e)
      step.registers.set(step.instruction.rows[e], lane, fixed);
    return;
  }
  std::array<Term, decode::max_rows> terms{};
  for (std::uint32_t e = 0; e < operation.elements; ++e)
    terms[e] = loaded(step, lane, e * operation.element_bytes, operation.element_bytes);
  for (std::uint32_t e = 0; e < operation.elements; ++e)
    step.registers.set(step.instruction.rows[e], lane, terms[e]);
}

/// Two threads that store equal values are no race; that they are equal must not be luck.
void TermObserver::put(const Step& step, std::uint32_t lane, std::uint32_t offset, Term term,
                       std::uint32_t value) {
  const Access& access = *step.operands.access;
  const TermNode made = maker(step, {}, lane);
  bool is_stored = false;
  const Word before = state_.memory.load(step.warp, access, lane, offset, &is_stored);
  const bool is_ordered = before.block == made.block && before.barriers != step.warp.block->barriers_passed;
  if (is_stored && !is_ordered && before.term != term && !before.is_by(made.thread, made.block) &&
      access.space != ptx::Space::local && state_.memory.value(step.warp, access, lane, offset) == value)
    state_.lucky_store = step.operands.pc;
  state_.memory.store(step.warp, access, lane, offset, word_by(step, lane, term));
}

void TermObserver::store(const Step& step, const MemoryOperation& operation, std::uint32_t lane) {
  const Access& access = *step.operands.access;
  const std::uint32_t bytes = operation.element_bytes;
  for (std::uint32_t e = 0; e < operation.elements; ++e) {
    const std::uint32_t offset = e * bytes;
    const Term term = step.registers.at(step.instruction.rows[e], lane);
    const TermNode made = maker(step, {}, lane);
    std::uint64_t value = 0;
    std::memcpy(&value, access.value + std::size_t{lane} * access.bytes + offset, bytes);
    const auto low = static_cast<std::uint32_t>(value), high = static_cast<std::uint32_t>(value >> 32);
    if (bytes == 4) {
      put(step, lane, offset, term, low);
    } else if (bytes == 8) {
      put(step, lane, offset, term == fixed ? fixed : graph_.half(term, 0, made), low);
      put(step, lane, offset + 4, term == fixed ? fixed : graph_.half(term, 1, made), high);
    } else {
      const std::uint32_t word = offset & ~3u;
      const Term before = state_.memory.load(step.warp, access, lane, word).term;
      if (term == fixed && (before == fixed || before == graph_.undefined())) {
        // A word of which a part is written counts as written: what reads the rest is a finding of its own.
        state_.memory.store(step.warp, access, lane, word, word_by(step, lane, fixed));
        continue;
      }
      TermNode node = made;
      node.name = graph_.name("st.b" + std::to_string(8 * bytes));
      node.part_count = 3;
      node.parts = {term_or_value(step, before, lane, word), term != fixed ? term : graph_.constant(value),
                    graph_.constant((access.address[lane] + offset) % 4)};
      state_.memory.store(step.warp, access, lane, word, word_by(step, lane, graph_.operation(node)));
    }
  }
}

/// What an atomic returns depends on who came before.
void TermObserver::update(const Step& step, const MemoryOperation& operation, std::uint32_t lane) {
  const auto& rows = step.instruction.rows;
  const TermForm& how = joining_form(step.operands.pc);
  const TermNode made = maker(step, how.node, lane);
  const Term before = read(step, lane, 0, operation.element_bytes);
  const Term operand_term = operand(step, rows[1], operation.width, lane);
  Term after = fixed;
  if (operation.is_exchange)
    after = step.registers.at(rows[1], lane);
  else if (how.node.operation == TermOperation::other || operation.is_cas || operation.element_bytes < 4)
    after = graph_.unknown(made, true);
  else if (operation.element_bytes == 8)
    after = join(made,
                 before != fixed ? before
                                 : graph_.pair(term_or_value(step, fixed, lane, 0),
                                               term_or_value(step, fixed, lane, 4), made),
                 operand_term);
  else
    after = join(made, term_or_value(step, before, lane, 0), operand_term);
  const Word word = word_by(step, lane, after);
  if (operation.element_bytes == 8 && after != fixed) {
    state_.memory.store(step.warp, *step.operands.access, lane, 0,
                        word_by(step, lane, graph_.half(after, 0, made)));
    state_.memory.store(step.warp, *step.operands.access, lane, 4,
                        word_by(step, lane, graph_.half(after, 1, made)));
  } else {
    for (std::uint32_t offset = 0; offset < operation.element_bytes; offset += 4)
      state_.memory.store(step.warp, *step.operands.access, lane, offset, word);
  }
  if (operation.has_result) step.registers.set(rows[0], lane, graph_.unknown(made, true));
}

// ---- What lanes of a warp hand to each other

void TermObserver::meet(const Step& step) {
  Meeting& meeting = meetings_[step.warp.block->slot][step.warp.warp];
  const Collective& what = code_.collectives[step.instruction.detail];
  const auto& rows = step.instruction.rows;
  const bool is_shuffle = what.op == Collective::Op::shuffle;
  if (what.has_mask) decide(step, rows[5], step.operands.lanes, TermCondition::Use::exchange);
  if (is_shuffle)
    for (const std::size_t i : {3, 4})
      decide(step, rows[i], step.operands.lanes, TermCondition::Use::exchange);
  for (const std::uint32_t lane : lanes_in(step.operands.lanes)) {
    meeting.source[lane] = fixed;
    if (what.op != Collective::Op::warp_barrier && what.op != Collective::Op::elect)
      meeting.source[lane] = step.registers.at(rows[2], lane);
    if (what.op == Collective::Op::redux) meeting.source[lane] = operand(step, rows[2], what.width, lane);
    if (!is_shuffle) continue;
    meeting.b[lane] = static_cast<std::uint32_t>(cell_of(step.operands.rows, rows[3], Width::b32, lane));
    meeting.c[lane] = static_cast<std::uint32_t>(cell_of(step.operands.rows, rows[4], Width::b32, lane));
    // A lane without a term of its own may be read by one that needs its value as one.
    if (meeting.source[lane] == fixed) continue;
  }
  meeting.come |= step.operands.lanes;
  meeting.parts.push_back({step.operands.pc, step.operands.lanes, step.operands.rows});
  if (meeting.come != step.operands.together) return;
  exchange(step.warp, meeting);
  meeting.come = 0;
  meeting.parts.clear();
}

void TermObserver::exchange(const WarpContext& warp, Meeting& meeting) {
  RegisterTerms& registers = registers_[warp.block->slot][warp.warp];
  const Pc pc = meeting.parts.front().pc;
  const Collective& what = code_.collectives[code_.instructions[pc].detail];
  LaneMask with_terms = 0;
  for (const std::uint32_t lane : lanes_in(meeting.come))
    with_terms |= LaneMask{meeting.source[lane] != fixed} << lane;
  LaneTerms result{};
  TermNode made;
  made.pc = pc;
  made.block = warp.block->linear;
  made.thread = warp.warp * warp_size + lowest_lane(meeting.come);
  switch (what.op) {
    case Collective::Op::warp_barrier:
      return;
    case Collective::Op::shuffle: {
      const auto from = decode::instructions::shuffle_sources(
          what.shuffle, *reinterpret_cast<const decode::Lanes<std::uint32_t>*>(meeting.b.data()),
          *reinterpret_cast<const decode::Lanes<std::uint32_t>*>(meeting.c.data()), meeting.come);
      for (const std::uint32_t lane : lanes_in(meeting.come)) {
        const std::uint32_t source = from.source[lane] & (warp_size - 1);
        result[lane] = (meeting.come >> source & 1) != 0 ? meeting.source[source] : graph_.undefined();
      }
      break;
    }
    case Collective::Op::redux: {
      TermNode node = joining_form(pc).node;
      node.pc = pc, node.thread = made.thread, node.block = made.block;
      Term all = fixed;
      for (const std::uint32_t lane : lanes_in(meeting.come))
        all = all == fixed ? meeting.source[lane] : join(node, all, meeting.source[lane]);
      result.fill(all);
      break;
    }
    case Collective::Op::elect:
      break;
    default:  // votes and matches
      if (with_terms != 0) result.fill(graph_.unknown(made, false));
  }
  for (const Meeting::Part& part : meeting.parts) {
    const auto& rows = code_.instructions[part.pc].rows;
    for (const std::uint32_t lane : lanes_in(part.lanes)) {
      registers.set(rows[0], lane, result[lane]);
      const bool has_predicate = what.op == Collective::Op::match_all && with_terms != 0;
      if (what.op == Collective::Op::shuffle || what.op == Collective::Op::match_all ||
          what.op == Collective::Op::elect)
        registers.set(rows[1], lane, has_predicate ? result[lane] : fixed);
    }
  }
}

}  // namespace

namespace {

std::uint64_t passed_offset_of(const Allocation& allocation, std::span<const std::byte> parameters) {
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= parameters.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, parameters.data() + at, sizeof pointer);
    if (allocation.contains(pointer, 1)) return pointer - allocation.base;
  }
  return 0;
}

}  // namespace

TermRecorder::TermRecorder() : state_(std::make_unique<State>()) {}
TermRecorder::~TermRecorder() = default;

void TermRecorder::set_computed(std::set<std::uint64_t> arrays) { computed_ = std::move(arrays); }

void TermRecorder::begin(const LaunchContext& launch, std::uint32_t slots) {
  *state_ = State();
  state_->launch = launch;
  state_->slots = slots;
  const std::vector<const Allocation*> all = launch.memory->all();
  for (const Allocation* each : all)
    state_->allocations.push_back(
        {each->base, each->bytes, each->name, passed_offset_of(*each, launch.parameters)});
  state_->memory.begin(all, computed_, slots, state_->graph);
}

void TermRecorder::add_observers(ObserverList& of_thread) {
  if (state_->observer) return state_->lose("the launch has several host threads");
  auto observer = std::make_unique<TermObserver>(*state_);
  of_thread.add(*observer);
  state_->observer = std::move(observer);
}

TermGraph& TermRecorder::graph() { return state_->graph; }
const TermGraph& TermRecorder::graph() const { return state_->graph; }
const LaunchContext& TermRecorder::launch() const { return state_->launch; }

Term TermRecorder::word_at(std::uint64_t address) const {
  for (std::size_t i = 0; i < state_->allocations.size(); ++i)
    if (const State::Named& each = state_->allocations[i]; address - each.base < each.bytes)
      return state_->memory.global_word(address, static_cast<std::uint32_t>(i + 1), each.base);
  return state_->graph.undefined();
}

std::uint32_t TermRecorder::allocation_named(std::string_view name) const {
  for (std::size_t i = 0; i < state_->allocations.size(); ++i)
    if (state_->allocations[i].name == name) return static_cast<std::uint32_t>(i + 1);
  return 0;
}

std::uint64_t TermRecorder::passed_offset(std::uint32_t allocation) const {
  return state_->allocations.at(allocation - 1).passed_offset;
}

std::string_view TermRecorder::name_of_allocation(std::uint32_t number) const {
  return number == 0 || number > state_->allocations.size() ? std::string_view()
                                                            : state_->allocations[number - 1].name;
}

const std::vector<TermCondition>& TermRecorder::conditions() const { return state_->conditions; }
const std::string& TermRecorder::why_incomplete() const { return state_->why_incomplete; }
std::optional<Pc> TermRecorder::lucky_store() const { return state_->lucky_store; }

}  // namespace warpwise::simulator
