#include "term_observer.hpp"

#include <cstring>
#include <string>

namespace warpwise::simulator::values {

using decode::MemoryOperation;

void TermObserver::access(const Step& step) {
  const MemoryOperation& operation = code_.memory[step.instruction.detail];
  decide(step, step.instruction.rows[decode::address_row], step.operands.lanes, ValueUse::address);
  if (operation.element_bytes > 8) {
    state_.lose("words of 128 bits are not followed");
    return forget(step);
  }
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

/// What the access brings or leaves is not followed.
void TermObserver::forget(const Step& step) {
  const Access& access = *step.operands.access;
  for (LaneTerms& each : moved_) each.fill(fixed);
  if (access.kind != AccessKind::load)
    for (const std::uint32_t lane : lanes_in(access.lanes))
      for (std::uint32_t offset = 0; offset < access.bytes; offset += 4)
        state_.memory.store(step.warp, access, lane, offset, word_by(step, lane, fixed));
  else if (step.instruction.kind == decode::Kind::memory)
    clear(step, access.elements);
  if (step.instruction.kind != decode::Kind::vector_atomic) return;
  for (const decode::Instruction& each : code_.vector_atomics[step.instruction.detail].elements)
    if (code_.memory[each.detail].has_result)
      for (const std::uint32_t lane : lanes_in(access.lanes)) step.registers.set(each.rows[0], lane, fixed);
}

Term TermObserver::term_or_value(const Step& step, Term term, std::uint32_t lane, std::uint32_t offset) {
  if (term != fixed) return term;
  return graph_.constant(state_.memory.value(step.warp, *step.operands.access, lane, offset));
}

/// What a load gets. A strong one of what the launch has written may come sooner or later.
Term TermObserver::loaded(const Step& step, std::uint32_t lane, std::uint32_t offset, std::uint32_t bytes) {
  const Access& access = *step.operands.access;
  TermNode made = maker(step, {}, lane);
  bool is_stored = false;
  const Word word = state_.memory.load(step.warp, access, lane, offset & ~3u, &is_stored);
  const Term term = read(step, lane, offset, bytes);
  if (!is_stored || word.is_by(made.thread, made.block)) return term;
  if (access.space == ptx::Space::global && term != fixed)
    state_.passages.push_back({term, made.block, made.thread});
  if (state_.is_of_this_run || access.ordering == Ordering::weak) return term;
  made.part_count = 1;
  made.parts = {term};
  return graph_.unknown(made, true);
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
    step.registers.set(step.instruction.rows[e], lane, moved_[e][lane] = terms[e]);
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
    const Term term = moved_[e][lane] = step.registers.at(step.instruction.rows[e], lane);
    if (access.space == ptx::Space::global) note_whim(step, term);
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
  TermNode made = maker(step, how.node, lane);
  const Term before = read(step, lane, 0, operation.element_bytes);
  const Term operand_term = operand(step, rows[1], operation.width, lane);
  made.part_count = 2;
  made.parts = {before, operand_term};
  if (step.operands.access->space == ptx::Space::global) note_whim(step, operand_term);
  Term after = fixed;
  if (operation.is_exchange)
    after = step.registers.at(rows[1], lane);
  else if ((how.node.operation == TermOperation::other && !state_.is_of_this_run) || operation.is_cas ||
           operation.element_bytes < 4)
    after = graph_.unknown(made, true);
  else if (operation.element_bytes == 8)
    after = join(made,
                 before != fixed ? before
                                 : graph_.pair(term_or_value(step, fixed, lane, 0),
                                               term_or_value(step, fixed, lane, 4), made),
                 operand_term);
  else
    after = join(made, term_or_value(step, before, lane, 0), operand_term);
  moved_[0][lane] = after;
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
  made.parts = {before, fixed};
  if (operation.has_result)
    step.registers.set(rows[0], lane, state_.is_of_this_run ? before : graph_.unknown(made, true));
}

}  // namespace warpwise::simulator::values
