/// \file `*.sync`: lanes wait for the others of their membermask, then execute together.
/// PTX ISA 9.7.9.6 (shfl.sync), 9.7.13.9 to 9.7.13.14, and bar.warp.sync (9.7.13.2).

#include <algorithm>
#include <bit>

#include "block.hpp"
#include "warp.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

void write_predicate(std::byte* rows, Row row, LaneMask value, LaneMask lanes) {
  LaneMask& to = *row_of<LaneMask>(rows, row);
  to = (to & ~lanes) | (value & lanes);
}

void write_lanes(std::byte* rows, Row row, std::uint32_t value, LaneMask lanes) {
  std::uint32_t* to = row_of<std::uint32_t>(rows, row);
  for (std::uint32_t i = 0; i < warp_size; ++i) to[i] = lanes >> i & 1 ? value : to[i];
}

/// One row of cells to another, for the lanes `of`.
void copy_lanes(std::byte* to, const std::byte* from, Width width, LaneMask of) {
  if (width == Width::pred) return write_predicate(to, 0, *reinterpret_cast<const LaneMask*>(from), of);
  const std::size_t cell = width == Width::b64 ? 8 : 4;
  for (const std::size_t lane : lanes_in(of)) std::copy_n(from + lane * cell, cell, to + lane * cell);
}

}  // namespace

Warp::Next Warp::collective(Group& group, const Instruction& instruction) {
  const Collective& what = code_.collectives[instruction.detail];
  if (!what.has_mask) {
    perform(instruction, group.pc, group.frame->rows, group.mask);
    return Next::advance;
  }
  // Nearly always every lane of the mask is here already.
  const std::uint32_t* masks = row_of<std::uint32_t>(group.frame->rows, instruction.rows[5]);
  const LaneMask need = masks[lowest_lane(group.mask)];
  std::uint32_t difference = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) difference |= group.mask >> i & 1 ? masks[i] ^ need : 0;
  if (difference == 0 && (need & ~context_.exited) == group.mask) {
    perform(instruction, group.pc, group.frame->rows, group.mask);
    return Next::advance;
  }
  return arrive(group, instruction);
}

/// The group's lanes name several masks, or masks that are not complete: each mask's lanes become a group.
Warp::Next Warp::arrive(Group& group, const Instruction& instruction) {
  const std::uint32_t* masks = row_of<std::uint32_t>(group.frame->rows, instruction.rows[5]);
  Frame* const frame = group.frame;
  const Pc pc = group.pc;
  struct Part {
    LaneMask need, lanes;
  };
  std::array<Part, warp_size> parts;
  std::uint32_t part_count = 0;
  LaneMask outsiders = 0, complete_lanes = 0;
  const auto mask_of = [&](std::uint32_t lane) { return masks[lane]; };
  for_each_agreeing(group.mask, mask_of, [&](LaneMask same) {
    const LaneMask need = mask_of(lowest_lane(same));
    if (const LaneMask outside = same & ~need; outside != 0) {
      report(Fault::sync_mask(pc, outside, need, 0));
      outsiders |= outside;
    }
    if ((same & need) != 0) parts[part_count++] = {need, same & need};
  });
  const auto is_complete = [&](const Part& part) { return part.lanes == (part.need & ~context_.exited); };
  // A lane outside its own mask is undefined behaviour: it executes alone, so that the kernel goes on.
  if (outsiders != 0) perform(instruction, pc, frame->rows, outsiders);
  complete_lanes |= outsiders;
  for (std::uint32_t i = 0; i < part_count; ++i)
    if (is_complete(parts[i])) {
      perform(instruction, pc, frame->rows, parts[i].lanes);
      complete_lanes |= parts[i].lanes;
    }
  if (complete_lanes == group.mask) return Next::advance;
  if (complete_lanes != 0) {
    ++executed_;
    worker_.observers.on_run(context_, pc, pc, complete_lanes);
    group.mask = complete_lanes;
    group.pc = pc + 1;
  } else {
    groups_.remove(group);
  }
  for (std::uint32_t i = 0; i < part_count; ++i) {
    if (complete_lanes & parts[i].lanes) continue;
    Group& waiting = groups_.add(frame, pc, parts[i].lanes);
    waiting.state = Group::State::at_sync;
    waiting.need = parts[i].need;
  }
  for (std::uint32_t i = 0; i < part_count; ++i)
    if (!(complete_lanes & parts[i].lanes)) release_if_complete(parts[i].need, pc);
  return Next::reschedule;
}

/// Lanes meet with one mask at the same kind of instruction: one, or copies of it in several branches.
bool Warp::waits_with(const Group& group, LaneMask need, Pc pc) const {
  if (group.state != Group::State::at_sync || group.need != need) return false;
  return group.pc == pc || collective_at(group.pc).meets(collective_at(pc));
}

const Collective& Warp::collective_at(Pc pc) const {
  return code_.collectives[code_.instructions[pc].detail];
}

LaneMask Warp::lanes_waiting(LaneMask need, Pc pc) const {
  LaneMask lanes = 0;
  for (const Group& group : groups_)
    if (waits_with(group, need, pc)) lanes |= group.mask;
  return lanes;
}

void Warp::release_if_complete(LaneMask need, Pc pc) {
  const LaneMask lanes = lanes_waiting(need, pc);
  if (lanes != 0 && (need & ~context_.exited & ~lanes) == 0) complete(need, pc);
}

/// All groups that wait with (need, pc) execute together and become ready.
void Warp::complete(LaneMask need, Pc pc) {
  ++worker_.changes;
  const LaneMask lanes = lanes_waiting(need, pc);
  Frame* frame = nullptr;
  bool is_one_place = true;
  for (Group& group : groups_) {
    if (!(group.mask & lanes)) continue;
    if (group.pc != pc || (frame != nullptr && frame != group.frame)) is_one_place = false;
    frame = group.frame;
  }
  if (is_one_place)
    perform(code_.instructions[pc], pc, frame->rows, lanes);
  else
    perform_across_places(pc, lanes);
  LaneMask reported = 0;
  for (Group& group : groups_) {
    if (!(group.mask & lanes & ~reported)) continue;
    // One warp instruction for all lanes that stand at the same place.
    LaneMask here = 0;
    for (const Group& other : groups_)
      if ((other.mask & lanes) && other.pc == group.pc) here |= other.mask;
    ++executed_;
    worker_.observers.on_run(context_, group.pc, group.pc, here);
    reported |= here;
  }
  for (Group& group : groups_) {
    if (!(group.mask & lanes)) continue;
    group.state = Group::State::ready;
    ++group.pc;
  }
  groups_.merge_ready();  // they met: under every schedule they go on together
}

/// The lanes stand in calls of different depth, or at copies of the instruction in several branches, which
/// may name other registers: what they bring is copied to a place of its own, and what they get, back.
void Warp::perform_across_places(Pc pc, LaneMask lanes) {
  const Collective& what = collective_at(pc);
  constexpr std::size_t row_bytes = warp_size * sizeof(std::uint64_t);
  alignas(64) std::array<std::byte, max_rows * row_bytes> meeting{};
  Instruction instruction = code_.instructions[pc];
  for (std::size_t i = 0; i < max_rows; ++i) instruction.rows[i] = static_cast<Row>(i * row_bytes);

  const bool is_vote = what.op == Collective::Op::vote, is_shuffle = what.op == Collective::Op::shuffle;
  const bool is_barrier = what.op == Collective::Op::warp_barrier;
  const bool has_source = !is_barrier && what.op != Collective::Op::elect;
  const bool has_pair = !is_barrier && !is_vote && what.op != Collective::Op::redux;
  const Width source = is_vote ? Width::pred : what.width;
  const Width result = is_vote ? what.width : Width::b32;
  for (const Group& group : groups_) {
    const LaneMask here = group.mask & lanes;
    if (here == 0) continue;
    const auto bring = [&](std::size_t i, Width width) {
      const std::byte* from = group.frame->rows + code_.instructions[group.pc].rows[i];
      copy_lanes(meeting.data() + instruction.rows[i], from, width, here);
    };
    if (has_source) bring(2, source);
    if (is_vote && collective_at(group.pc).is_negated != what.is_negated)
      *row_of<LaneMask>(meeting.data(), instruction.rows[2]) ^= here;
    for (const std::size_t i : {3, 4})
      if (is_shuffle) bring(i, Width::b32);
  }
  perform(instruction, pc, meeting.data(), lanes);
  for (const Group& group : groups_) {
    const LaneMask here = group.mask & lanes;
    if (here == 0) continue;
    const auto take = [&](std::size_t i, Width width) {
      std::byte* to = group.frame->rows + code_.instructions[group.pc].rows[i];
      copy_lanes(to, meeting.data() + instruction.rows[i], width, here);
    };
    if (!is_barrier) take(0, result);
    if (has_pair) take(1, Width::pred);
  }
}

void Warp::shuffle(const Instruction& instruction, Pc pc, std::byte* rows, LaneMask lanes) {
  const Collective& what = code_.collectives[instruction.detail];
  const auto& b = *row_of<Lanes<std::uint32_t>>(rows, instruction.rows[3]);
  const auto& c = *row_of<Lanes<std::uint32_t>>(rows, instruction.rows[4]);
  const instructions::ShuffleResult result = instructions::shuffle_sources(what.shuffle, b, c, lanes);
  const std::uint32_t* from = row_of<std::uint32_t>(rows, instruction.rows[2]);
  alignas(64) Lanes<std::uint32_t> value;
  LaneMask lost = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) {
    value[i] = from[result.source[i] & 31];
    lost |= (~lanes >> (result.source[i] & 31) & 1) << i;
  }
  lost &= lanes;
  if (lost != 0) {
    const Pc place = groups_.of_lane(lowest_lane(lost))->pc;
    Fault fault{.kind = FaultKind::sync_source, .pc = place, .lanes = lost, .mask = lanes};
    for (const std::uint32_t lane : lanes_in(lost)) {
      fault.missing |= lane_bit(result.source[lane] & 31);
      value[lane] = worker_.launch.options.are_absent_lanes_zero
                        ? 0
                        : 0x01010101u * std::to_integer<std::uint32_t>(poison);
    }
    if (const Group* other = groups_.of_lane(lowest_lane(fault.missing))) fault.other_pc = other->pc;
    fault.is_open = worker_.launch.options.are_absent_lanes_zero && undefined_.are_followed();
    report(fault);
    if (fault.is_open) undefined_.receive_from_absent(groups_, lost);
  }
  worker_.observers.on_shuffle(context_, Shuffle{pc, lanes, result.source, value});
  std::uint32_t* to = row_of<std::uint32_t>(rows, instruction.rows[0]);
  for (std::uint32_t i = 0; i < warp_size; ++i) to[i] = lanes >> i & 1 ? value[i] : to[i];
  write_predicate(rows, instruction.rows[1], result.in_range, lanes);
}

void Warp::report_meeting(LaneMask lanes) {
  for (const Group& group : groups_) {
    const LaneMask here = group.mask & lanes;
    if (here != 0)
      worker_.observers.on_operands(
          context_,
          Operands{
              .pc = group.pc, .lanes = here, .reached = here, .rows = group.frame->rows, .together = lanes});
  }
}

void Warp::perform(const Instruction& instruction, Pc pc, std::byte* rows, LaneMask lanes) {
  if (undefined_.are_followed()) undefined_.exchange(groups_, lanes);
  if (worker_.observers.on_operands.is_wanted()) report_meeting(lanes);
  const Collective& what = code_.collectives[instruction.detail];
  const auto b32 = [&]() -> const Lanes<std::uint32_t>& {
    return *row_of<Lanes<std::uint32_t>>(rows, instruction.rows[2]);
  };
  const auto b64 = [&]() -> const Lanes<std::uint64_t>& {
    return *row_of<Lanes<std::uint64_t>>(rows, instruction.rows[2]);
  };
  switch (what.op) {
    case Collective::Op::warp_barrier:
      worker_.observers.on_warp_barrier(context_, pc, lanes);
      return;
    case Collective::Op::shuffle:
      shuffle(instruction, pc, rows, lanes);
      break;
    case Collective::Op::vote: {
      LaneMask predicate = *row_of<LaneMask>(rows, instruction.rows[2]);
      const std::uint32_t result =
          instructions::vote(what.vote, what.is_negated ? ~predicate : predicate, lanes);
      if (what.width == Width::pred)
        write_predicate(rows, instruction.rows[0], result != 0 ? all_lanes : 0, lanes);
      else
        write_lanes(rows, instruction.rows[0], result, lanes);
      break;
    }
    case Collective::Op::match_any: {
      // Through a copy: the destination may be the source.
      alignas(64) Lanes<std::uint32_t> result;
      if (what.width == Width::b64)
        instructions::match_any(b64(), lanes, result);
      else
        instructions::match_any(b32(), lanes, result);
      std::uint32_t* to = row_of<std::uint32_t>(rows, instruction.rows[0]);
      for (const std::uint32_t lane : lanes_in(lanes)) to[lane] = result[lane];
      break;
    }
    case Collective::Op::match_all: {
      const LaneMask same = what.width == Width::b64 ? instructions::match_all(b64(), lanes)
                                                     : instructions::match_all(b32(), lanes);
      write_lanes(rows, instruction.rows[0], same, lanes);
      write_predicate(rows, instruction.rows[1], same != 0 ? all_lanes : 0, lanes);
      break;
    }
    case Collective::Op::redux:
      write_lanes(rows, instruction.rows[0], what.redux(b32(), lanes), lanes);
      break;
    case Collective::Op::elect:
      write_lanes(rows, instruction.rows[0], instructions::elect(lanes), lanes);
      write_predicate(rows, instruction.rows[1], lane_bit(instructions::elect(lanes)), lanes);
      break;
  }
  worker_.observers.on_collective(context_, pc, lanes);
}

/// Lanes leave the kernel while others wait for them. For a warp barrier that is fine; elsewhere the mask
/// named lanes that never came.
void Warp::forget_at_syncs(LaneMask leaving) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Group& group : groups_) {
      if (group.state != Group::State::at_sync || !(group.need & leaving)) continue;
      const LaneMask need = group.need, lanes = lanes_waiting(need, group.pc);
      const Pc pc = group.pc;
      if ((need & ~context_.exited & ~lanes) != 0) continue;
      if (code_.instructions[pc].what != ptx::InstructionClass::warp_barrier)
        report(Fault::sync_mask(pc, lanes, need, need & born_ & ~lanes));
      complete(need, pc);
      changed = true;
      break;
    }
  }
}

bool Warp::give_up_sync() {
  for (const Group& group : groups_) {
    if (group.state != Group::State::at_sync) continue;
    const LaneMask need = group.need, lanes = lanes_waiting(need, group.pc);
    const Pc pc = group.pc;
    Fault fault = Fault::sync_mask(pc, lanes, need, need & born_ & ~lanes);
    if (const LaneMask alive = need & ~lanes & ~context_.exited)
      if (const Group* other = groups_.of_lane(lowest_lane(alive))) fault.other_pc = other->pc;
    report(fault);
    complete(need, pc);
    return true;
  }
  return false;
}

}  // namespace warpwise::simulator::run
