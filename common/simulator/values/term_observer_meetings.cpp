/// \file What lanes of a warp hand to each other.

#include "term_observer.hpp"

namespace warpwise::simulator::values {

using decode::Collective;

void TermObserver::meet(const Step& step) {
  Meeting& meeting = meetings_[step.warp.block->slot][step.warp.warp];
  const Collective& what = code_.collectives[step.instruction.detail];
  const auto& rows = step.instruction.rows;
  const bool is_shuffle = what.op == Collective::Op::shuffle;
  if (what.has_mask) decide(step, rows[5], step.operands.lanes, ValueUse::exchange);
  if (is_shuffle)
    for (const std::size_t i : {3, 4}) decide(step, rows[i], step.operands.lanes, ValueUse::exchange);
  for (const std::uint32_t lane : lanes_in(step.operands.lanes)) {
    meeting.source[lane] = fixed;
    if (what.op != Collective::Op::warp_barrier && what.op != Collective::Op::elect)
      meeting.source[lane] = step.registers.at(rows[2], lane);
    if (what.op == Collective::Op::redux) meeting.source[lane] = operand(step, rows[2], what.width, lane);
    if (!is_shuffle) continue;
    meeting.b[lane] = static_cast<std::uint32_t>(cell_in(step.operands.rows, rows[3], Width::b32, lane));
    meeting.c[lane] = static_cast<std::uint32_t>(cell_in(step.operands.rows, rows[4], Width::b32, lane));
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
  const Pc pc = meeting.parts.front().pc;
  const Collective& what = code_.collectives[code_.instructions[pc].detail];
  LaneMask with_terms = 0;
  for (const std::uint32_t lane : lanes_in(meeting.come))
    with_terms |= LaneMask{meeting.source[lane] != fixed} << lane;
  LaneTerms& result = moved_[0];
  result.fill(fixed);
  const std::uint32_t first = lowest_lane(meeting.come);
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
      const TermNode node = maker(warp, pc, joining_form(pc).node, first);
      Term all = fixed;
      for (const std::uint32_t lane : lanes_in(meeting.come))
        all = all == fixed ? meeting.source[lane] : join(node, all, meeting.source[lane]);
      result.fill(all);
      break;
    }
    case Collective::Op::elect:
      break;
    default: {  // votes and matches, of all lanes
      if (with_terms == 0) break;
      TermNode made = maker(warp, pc, {}, first);
      made.part_count = 2;
      Term all = fixed;
      for (const std::uint32_t lane : lanes_in(with_terms)) {
        made.parts = {all, meeting.source[lane]};
        all = graph_.unknown(made, false);
      }
      result.fill(all);
      if (what.op != Collective::Op::vote && state_.matched.size() < 4)
        state_.matched.push_back(meeting.source[lowest_lane(with_terms)]);
    }
  }
  for (const Meeting::Part& part : meeting.parts) {
    const auto& rows = code_.instructions[part.pc].rows;
    RegisterTerms& registers = registers_of(warp.block->slot, warp.warp, part.pc);
    for (const std::uint32_t lane : lanes_in(part.lanes)) {
      registers.set(rows[0], lane, result[lane]);
      const bool has_predicate = what.op == Collective::Op::match_all && with_terms != 0;
      if (what.op == Collective::Op::shuffle || what.op == Collective::Op::match_all ||
          what.op == Collective::Op::elect)
        registers.set(rows[1], lane, has_predicate ? result[lane] : fixed);
    }
  }
}

}  // namespace warpwise::simulator::values
