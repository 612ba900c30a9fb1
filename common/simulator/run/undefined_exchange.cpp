/// \file Undefined values that lanes of a warp hand to each other: they go where the values go, and nothing
/// is reported before somebody uses one.

#include <algorithm>

#include "undefined_values.hpp"

namespace warpwise::simulator::run {

/// What lanes bring to a `*.sync`, and what they get.
struct UndefinedValues::Meeting {
  LaneMask lanes = 0;
  const Collective* what = nullptr;
  Lanes<std::uint64_t> source{}, result{};  ///< undefined bits
  Lanes<OriginId> origin{}, result_origin{};
  Lanes<std::uint32_t> b{}, c{};  ///< of a shuffle
  LaneMask predicate = 0;         ///< of a vote
  LaneMask undefined = 0;         ///< lanes of which the source is

  void combine();
  bool is_vote_open() const;
};

namespace {

bool has_source(Collective::Op op) {
  return op != Collective::Op::warp_barrier && op != Collective::Op::elect;
}

bool has_pair(Collective::Op op) {
  return op == Collective::Op::shuffle || op == Collective::Op::match_all ||
         op == Collective::Op::match_any || op == Collective::Op::elect;
}

}  // namespace

/// The lanes whose predicate is defined do not decide the vote.
bool UndefinedValues::Meeting::is_vote_open() const {
  const LaneMask yes = predicate & lanes & ~undefined, no = ~predicate & lanes & ~undefined;
  switch (what->vote) {
    case VoteMode::any:
      return yes == 0;
    case VoteMode::all:
      return no == 0;
    default:
      return yes == 0 || no == 0;
  }
}

void UndefinedValues::Meeting::combine() {
  if (undefined == 0) return;
  if (what->op == Collective::Op::shuffle) {
    const instructions::ShuffleResult from = instructions::shuffle_sources(what->shuffle, b, c, lanes);
    for (const std::uint32_t lane : lanes_in(lanes)) {
      const std::uint32_t other = from.source[lane] & (warp_size - 1);
      result[lane] = source[other];
      result_origin[lane] = origin[other];
    }
    return;
  }
  for (const std::uint32_t lane : lanes_in(lanes)) {
    result_origin[lane] = origin[lowest_lane(undefined)] & ~origin_flags;
    if (what->op == Collective::Op::vote && what->vote == VoteMode::ballot)
      result[lane] = undefined;
    else if (what->op == Collective::Op::vote)
      result[lane] = is_vote_open();
    else if (what->op == Collective::Op::match_any)
      result[lane] = source[lane] != 0 ? lanes : undefined;
    else
      result[lane] = ~std::uint64_t{0};
  }
}

void UndefinedValues::exchange(Groups& groups, LaneMask lanes) {
  const bool is_needed = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
    return (group.mask & lanes) != 0 && group.frame->undefined != nullptr;
  });
  if (!is_needed) return;
  Meeting meeting;
  meeting.lanes = lanes;
  bring(meeting, groups);
  meeting.combine();
  take(meeting, groups);
}

void UndefinedValues::bring(Meeting& meeting, Groups& groups) {
  for (const Group& group : groups) {
    const LaneMask here = group.mask & meeting.lanes;
    if (here == 0) continue;
    const Instruction& instruction = code_.instructions[group.pc];
    const Collective& what = code_.collectives[instruction.detail];
    const bool is_shuffle = what.op == Collective::Op::shuffle, is_vote = what.op == Collective::Op::vote;
    meeting.what = &what;
    Frame& frame = *group.frame;
    for (const std::uint32_t lane : lanes_in(is_shuffle ? here : 0)) {
      meeting.b[lane] = row_of<std::uint32_t>(frame.rows, instruction.rows[3])[lane];
      meeting.c[lane] = row_of<std::uint32_t>(frame.rows, instruction.rows[4])[lane];
    }
    if (is_vote) {
      const LaneMask predicate = *row_of<LaneMask>(frame.rows, instruction.rows[2]);
      meeting.predicate |= (what.is_negated ? ~predicate : predicate) & here;
    }
    if (frame.undefined == nullptr) continue;
    for (const std::size_t i : {3, 4, 5})
      if (i == 5 || is_shuffle)
        use(frame, group.pc, instruction.rows[i], Width::b32, here, ValueUse::exchange);
    if (!has_source(what.op)) continue;
    Shadow& shadow = *frame.undefined;
    const Width width = is_vote ? Width::pred : what.width;
    for (const std::uint32_t lane : lanes_in(here & shadow.lanes(instruction.rows[2], width))) {
      meeting.source[lane] = cell_in(shadow.bits(), instruction.rows[2], width, lane);
      meeting.origin[lane] = resolved(shadow, group.pc, instruction.rows[2], width, lane);
      meeting.undefined |= lane_bit(lane);
    }
  }
}

void UndefinedValues::take(const Meeting& meeting, Groups& groups) {
  const Collective& what = *meeting.what;
  if (what.op == Collective::Op::warp_barrier) return;
  const Width width = what.op == Collective::Op::vote ? what.width : Width::b32;
  const bool is_pair_undefined = what.op == Collective::Op::match_all && meeting.undefined != 0;
  for (const Group& group : groups) {
    const LaneMask here = group.mask & meeting.lanes;
    if (here == 0 || (group.frame->undefined == nullptr && meeting.undefined == 0)) continue;
    const Instruction& instruction = code_.instructions[group.pc];
    Shadow& shadow = group.frame->make_shadow();
    for (const std::uint32_t lane : lanes_in(here)) {
      set_cell(shadow.bits(), instruction.rows[0], width, lane, meeting.result[lane]);
      if (meeting.result[lane] != 0)
        shadow.set_origin(instruction.rows[0], width, lane, meeting.result_origin[lane]);
    }
    shadow.settle(instruction.rows[0], width);
    if (has_pair(what.op)) {
      if (is_pair_undefined)
        shadow.undefine(instruction.rows[1], Width::pred, here, meeting.result_origin[lowest_lane(here)]);
      else
        shadow.define(instruction.rows[1], Width::pred, here);
    }
    group.frame->settle();
  }
}

}  // namespace warpwise::simulator::run
