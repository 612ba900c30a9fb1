// The instructions of a whole group: neither lane-wise nor a branch, an access or a barrier.
#include <atomic>

#include "block.hpp"
#include "warp.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

/// Where it says `reschedule`, group.pc is already right.
Warp::Next Warp::step(Group& group, const Instruction& instruction, LaneMask active) {
  const Pc pc = group.pc;
  std::byte* const rows = group.frame->rows;
  switch (instruction.kind) {
    case Kind::async_copy:
      copy_async(group, code_.copies[instruction.detail], pc, active);
      return Next::advance;
    case Kind::vector_atomic:
      vector_atomic(group, code_.vector_atomics[instruction.detail], pc, active);
      return Next::advance;
    case Kind::collective:
      return collective(group, instruction);
    case Kind::async_commit:
      worker_.observers.on_copy_commit(context_, active);
      return Next::advance;
    case Kind::async_wait:
      if (instruction.offset != 0) worker_.observers.on_copy_commit(context_, active);
      worker_.observers.on_copy_wait(context_, instruction.detail, active);
      return Next::advance;
    case Kind::fence:
      std::atomic_thread_fence(std::memory_order_seq_cst);
      worker_.observers.on_fence(context_, pc, static_cast<Scope>(instruction.detail), active);
      return Next::advance;
    case Kind::active_mask:
      for (const std::uint32_t lane : lanes_in(active))
        row_of<std::uint32_t>(rows, instruction.rows[0])[lane] = active;
      return Next::advance;
    case Kind::clock:
      // Time is counted in warp instructions: it grows, and it is the same in every run.
      for (const std::uint32_t lane : lanes_in(active)) {
        const std::uint64_t now = executed_ >> instruction.offset;
        if (instruction.detail == 2)
          row_of<std::uint64_t>(rows, instruction.rows[0])[lane] = now;
        else
          row_of<std::uint32_t>(rows, instruction.rows[0])[lane] = static_cast<std::uint32_t>(now);
      }
      return Next::advance;
    case Kind::sleep:
      group.has_polled = true;
      return Next::advance;
    case Kind::call:
      return call(group, instruction);
    case Kind::ret:
      return return_from(group);
    case Kind::exit:
      exit_lanes(group);
      return Next::reschedule;
    case Kind::branch_table:
      return branch_table(group, instruction);
    default:
      report({.kind = FaultKind::trap, .pc = pc, .lanes = active});
      return Next::reschedule;
  }
}

void Warp::exit_lanes(Group& group) {
  worker_.observers.on_run(context_, group.pc, group.pc, group.mask);
  ++executed_;
  ++worker_.changes;
  const LaneMask leaving = group.mask;
  groups_.exit(group);
  context_.exited |= leaving;
  stack_.forget(leaving);
  forget_at_syncs(leaving);
  block_.on_exit(lane_count(leaving));
}

/// brx.idx: each lane goes where its index says; an index beyond the list is undefined, and traps here.
Warp::Next Warp::branch_table(Group& group, const Instruction& instruction) {
  const std::vector<Pc>& table = code_.branch_tables[instruction.detail];
  const std::uint32_t* index = row_of<std::uint32_t>(group.frame->rows, instruction.rows[0]);
  const Pc pc = group.pc;
  const LaneMask all = group.mask;
  worker_.observers.on_run(context_, pc, pc, all);
  ++executed_;
  const auto index_of = [&](std::uint32_t lane) { return index[lane]; };
  LaneMask wrong = 0;
  for_each_agreeing(all, index_of, [&](LaneMask same) {
    if (wrong == 0 && index_of(lowest_lane(same)) >= table.size()) wrong = same;
  });
  if (wrong != 0) {
    report(
        {.kind = FaultKind::trap, .pc = pc, .lanes = wrong, .text = "brx.idx with an index beyond its list"});
    return Next::reschedule;
  }
  const LaneMask first = agreeing(all, index_of);
  for_each_agreeing(all & ~first, index_of, [&](LaneMask same) {
    groups_.add(group.frame, table[index_of(lowest_lane(same))], same);
  });
  worker_.observers.on_branch(context_, pc, all, first);
  if (first != all) groups_.expect_meeting(group, static_cast<Pc>(instruction.offset));
  group.mask = first;
  group.pc = table[index_of(lowest_lane(first))];
  if (group.pc <= pc) group.jump_back();
  return Next::reschedule;
}

}  // namespace warpwise::simulator::run
