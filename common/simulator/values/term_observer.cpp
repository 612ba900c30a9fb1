#include "term_observer.hpp"

#include <string>

namespace warpwise::simulator::values {

using decode::Kind;
using decode::no_row;

void TermObserver::on_block_begin(const BlockContext& block) {
  registers_[block.slot].resize(block.warps);
  for (std::uint32_t warp = 0; warp < block.warps; ++warp) {
    for (RegisterTerms& each : registers_[block.slot][warp]) each.clear();
    for (const Row row : placed_rows_)
      for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        registers_of(block.slot, warp, entry_).set(row, lane, graph_.unknown({.is_of_machine = true}, true));
  }
  meetings_[block.slot].assign(block.warps, {});
  state_.memory.begin_block(block);
}

void TermObserver::on_operands(const WarpContext& warp, const Operands& operands) {
  if (!state_.why_incomplete.empty() && !state_.is_of_this_run) return;  // nothing can be proved any more
  if (++steps_ > state_.patience.steps || graph_.size() > state_.patience.nodes)
    return state_.lose("the launch computes too much");
  if (state_.condition && ++steps_after_condition_ > state_.patience.steps_after_condition)
    return state_.lose("values decide what the launch does");
  const decode::Instruction& instruction = code_.instructions[operands.pc];
  const Step step{warp, operands, instruction, registers_of(warp.block->slot, warp.warp, operands.pc)};
  if (instruction.guard != no_row) decide(step, instruction.guard, operands.reached, ValueUse::branch);
  const decode::ValueFlow& flow = code_.flows[operands.pc];
  for (std::size_t i = flow.results; flow.use && i < flow.operands; ++i)
    decide(step, instruction.rows[i], operands.lanes, *flow.use);
  switch (instruction.kind) {
    case Kind::lane:
    case Kind::guarded_lane:
      return lane_wise(step);
    case Kind::memory:
      return operands.access == nullptr ? void() : access(step);
    case Kind::collective:
      return operands.together == 0 ? void() : meet(step);
    case Kind::barrier:
      if (const auto op = code_.barriers[instruction.detail].op;
          op == decode::BlockBarrier::Op::popc && step.registers.find(instruction.rows[3]))
        return set_unknown(step, instruction.rows[0], {}, false);
      else
        return clear(step, flow.results);
    case Kind::active_mask:
      return set_unknown(step, instruction.rows[0], {}, true);
    case Kind::clock:
      return set_unknown(step, instruction.rows[0], {.is_of_machine = true}, true);
    case Kind::call:
      switch (code_.calls[instruction.detail].target) {
        case decode::Call::Target::print:
        case decode::Call::Target::assertion:
          return;
        default:
          state_.lose("a function is called that was not inlined");
          for (const decode::LanePlace& result : code_.calls[instruction.detail].results)
            for (const std::uint32_t lane : lanes_in(operands.lanes))
              step.registers.set(result.start, lane, fixed);
          return;
      }
    case Kind::async_copy:
    case Kind::vector_atomic:
      state_.lose("cp.async and atomics of vectors are not followed");
      return operands.access == nullptr ? void() : forget(step);
    default:
      return;
  }
}

/// What an access that is not made would have brought is poison.
void TermObserver::on_fault(const WarpContext& warp, const Fault& fault) {
  const decode::Instruction& instruction = code_.instructions[fault.pc];
  if (instruction.kind != Kind::memory) return;
  const decode::MemoryOperation& operation = code_.memory[instruction.detail];
  if (operation.kind != AccessKind::load && !operation.has_result) return;
  for (std::uint32_t e = 0; e < operation.elements; ++e)
    for (const std::uint32_t lane : lanes_in(fault.lanes))
      registers_of(warp.block->slot, warp.warp, fault.pc).set(instruction.rows[e], lane, graph_.undefined());
}

TermNode TermObserver::maker(const WarpContext& warp, Pc pc, const TermNode& like, std::uint32_t lane) {
  TermNode node = like;
  if (state_.is_of_this_run) node.bits = ++serial_;
  node.pc = pc;
  node.thread = warp.warp * warp_size + lane;
  node.block = warp.block->linear;
  return node;
}

/// As a term, also where it is fixed.
Term TermObserver::operand(const Step& step, Row row, Width width, std::uint32_t lane) {
  const Term term = step.registers.at(row, lane);
  return term != fixed ? term : graph_.constant(cell_in(step.operands.rows, row, width, lane));
}

/// What the launch does next depends on the row.
void TermObserver::decide(const Step& step, Row row, LaneMask lanes, ValueUse use) {
  const LaneTerms* const terms = row == no_row ? nullptr : step.registers.find(row);
  if (terms == nullptr) return;
  const bool is_loop = step.instruction.kind == Kind::branch && step.instruction.detail <= step.operands.pc;
  if (!is_loop)
    for (const std::uint32_t lane : lanes_in(lanes)) note_whim(step, (*terms)[lane]);
  if (state_.condition) return;
  for (const std::uint32_t lane : lanes_in(lanes))
    if ((*terms)[lane] != fixed) {
      state_.condition = TermCondition{use, step.operands.pc, (*terms)[lane]};
      return;
    }
}

void TermObserver::set_unknown(const Step& step, Row row, const TermNode& like, bool is_of_order) {
  for (const std::uint32_t lane : lanes_in(step.operands.lanes))
    step.registers.set(row, lane, graph_.unknown(maker(step, like, lane), is_of_order));
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
  if (flow.rule == decode::FlowRule::parameter_load || flow.rule == decode::FlowRule::parameter_store) {
    state_.lose("a function is called that was not inlined");
    return clear(step, flow.results);
  }
  LaneMask with_terms = 0;
  for (std::size_t i = flow.results; i < flow.end(); ++i)
    if (const LaneTerms* const terms = step.registers.find(rows[i]))
      for (const std::uint32_t lane : lanes_in(step.operands.lanes))
        with_terms |= LaneMask{(*terms)[lane] != fixed} << lane;
  if (with_terms == 0 || flow.rule == decode::FlowRule::nothing) {
    clear(step, flow.results);
    if (flow.has_carry)
      for (const std::uint32_t lane : lanes_in(step.operands.lanes))
        step.registers.set(rows[flow.operands], lane, fixed);
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
  const std::size_t count = flow.end() - first;
  const auto source = [&](std::size_t i) {
    return operand(step, rows[first + i], flow.width(first + i), lane);
  };
  const TermNode made = maker(step, how.node, lane);
  if (count > made.parts.size()) return graph_.unknown(made, false);
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
      if (step.registers.at(predicate, lane) != fixed && !state_.is_of_this_run) break;
      const bool takes_first = cell_in(step.operands.rows, predicate, Width::pred, lane) != 0;
      return step.registers.at(rows[first + (takes_first ? 0 : 1)], lane);
    }
    default:
      break;
  }
  TermNode node = made;
  node.part_count = static_cast<std::uint8_t>(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (how.has_absorbing && step.registers.at(rows[first + i], lane) == fixed &&
        cell_in(step.operands.rows, rows[first + i], flow.widths[first + i], lane) == how.absorbing)
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

}  // namespace warpwise::simulator::values
