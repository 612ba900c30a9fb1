#include "warp.hpp"

#include <algorithm>
#include <atomic>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::machine {

namespace {

constexpr std::uint64_t turn_length = 1 << 16;  // warp instructions
constexpr std::uint32_t fruitless_limit = 64;   // backward branches of a group that polls
constexpr std::uint32_t patience = 1 << 16;     // backward branches of any group while others wait
constexpr std::uint32_t suspicious_yields = 4;  // before the cost of looking for a repetition is paid

LaneMask guarded(const Instruction& instruction, std::byte* rows, LaneMask mask) {
  const LaneMask guard = *row_of<LaneMask>(rows, instruction.guard);
  return mask & (instruction.is_guard_negated ? ~guard : guard);
}

/// Instructions that a whole group executes: a guard that holds for some lanes splits the group first.
bool moves_lanes(Kind kind) {
  return kind == Kind::collective || kind == Kind::barrier || kind == Kind::call || kind == Kind::ret ||
         kind == Kind::exit || kind == Kind::branch_table;
}

}  // namespace

Warp::Warp(Worker& worker, Block& block, std::uint32_t index)
    : worker_(worker), code_(worker.launch.code), block_(block) {
  context_.warp = index;
}

void Warp::begin(LaneMask lanes) {
  context_.block = &block_.context();
  context_.exited = ~lanes;
  born_ = lanes;
  schedule_ = worker_.launch.options.schedule.kind;
  random_state_ = worker_.launch.options.schedule.seed * 0xD1B54A32D192ED03u +
                  block_.context().linear * warp_size + context_.warp;
  executed_ = 0;
  meetings_.clear();
  group_count_ = 0;
  const bool is_first_block = frames_.empty();
  if (is_first_block) frames_.push_back(worker_.frames.take(worker_.launch.kernel));
  Frame* const frame = frames_.front();
  frame->lanes = lanes;
  local_stride_ = frame->function->layout.local_bytes;
  local_.assign(std::size_t{local_stride_} * warp_size, poison);
  if (is_first_block) {
    frame->depth = 0;
    std::fill_n(frame->local_base, warp_size, 0);
    prepare(*frame);
  } else {
    prepare_for_next_block(*frame);
  }
  add_group(frame, frame->function->entry, lanes);
}

/// The kernel's own frame stays: the next block finds in it all that is the same for every block.
void Warp::end() {
  for (std::size_t i = 1; i < frames_.size(); ++i) worker_.frames.give(frames_[i]);
  frames_.resize(1);
  group_count_ = 0;
}

void Warp::report(Fault fault) {
  worker_.observers.on_fault(context_, fault);
  block_.note_fault(fault);
}

Warp::Stop Warp::run() {
  const std::uint64_t start = executed_;
  turn_end_ = start + turn_length;
  Stop stop = Stop::turn_over;
  while (!worker_.launch.must_stop.load(std::memory_order_relaxed)) {
    Group* group = select();
    if (group == nullptr) {
      stop = group_count_ == 0 ? Stop::finished : has_ready_group() ? Stop::polling : Stop::blocked;
      for (Group& each : groups()) each.has_yielded = false;
      break;
    }
    if (execute(*group) == Leave::turn_over || executed_ >= turn_end_) break;
  }
  if (!worker_.charge(executed_ - start) && group_count_ > 0) {
    Fault fault;
    fault.kind = FaultKind::budget;
    fault.pc = groups_[0].pc;
    fault.lanes = groups_[0].mask;
    report(fault);
  }
  return stop;
}

/// A backward branch: false where the group has to make way, because it polls without success or for long.
bool Warp::jump_back(Group& group) {
  if (group.has_polled) ++group.fruitless;
  group.has_polled = false;
  if (group.fruitless < fruitless_limit && ++group.turns < patience) return true;
  group.is_stuck = false;
  if (group.fruitless >= fruitless_limit && ++group.yields >= suspicious_yields) look_for_repetition(group);
  group.fruitless = group.turns = 0;
  group.has_yielded = true;
  return false;
}

/// The short way of what select() does where the two sides of an `if` meet again and there is no third group:
/// `group`, the first, takes the lanes of the other and goes on.
bool Warp::rejoin(Group& group) {
  if (group_count_ != 2 || &group != &groups_[0] || schedule_ != Schedule::Kind::converged) return false;
  const Group& other = groups_[1];
  if (other.state != Group::State::ready || other.has_yielded || other.pc != group.pc ||
      other.frame != group.frame)
    return false;
  group.mask |= other.mask;
  group.is_stuck &= other.is_stuck;
  group_count_ = 1;
  limit_ = no_pc;
  return true;
}

/// Lanes of `group` that name another barrier, or another thread count, than its first lane.
LaneMask Warp::lanes_of_other_barriers(const Group& group, const Instruction& instruction) const {
  const BlockBarrier& what = code_.barriers[instruction.detail];
  if (what.is_fixed) return 0;
  const std::uint32_t* numbers = row_of<std::uint32_t>(group.frame->rows, instruction.rows[1]);
  const std::uint32_t* counts =
      what.has_count ? row_of<std::uint32_t>(group.frame->rows, instruction.rows[2]) : numbers;
  const std::uint32_t first = lowest(group.mask);
  LaneMask others = 0;
  for (LaneMask rest = group.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lowest(rest);
    if (numbers[lane] != numbers[first] || counts[lane] != counts[first]) others |= lane_bit(lane);
  }
  return others;
}

void Warp::split_off(Group& group, LaneMask away, Pc pc) {
  group.mask &= ~away;
  add_group(group.frame, pc, away);
}

/// Runs `group` until it waits, makes way, meets the limit or has had its turn.
/// Instructions without guard are reported in stretches: [unreported, pc) have run and are not yet told.
Warp::Leave Warp::execute(Group& group) {
  const Instruction* const code = code_.instructions.data();
  const ObserverList& observers = worker_.observers;
  std::byte* const rows = group.frame->rows;
  Pc pc = group.pc, unreported = pc;
  const auto tell = [&](Pc end) {
    if (unreported < end) observers.on_run(context_, unreported, end - 1, group.mask);
    unreported = end;
  };
  for (;;) {
    const Instruction& instruction = code[pc];
    switch (instruction.kind) {
      case Kind::lane: {
        const Instruction* const end = code + std::min(pc + instruction.run_length, limit_);
        const LaneMask mask = group.mask;
        for (const Instruction* at = &instruction; at != end; ++at) at->run(rows, at->rows.data(), mask);
        executed_ += static_cast<std::uint64_t>(end - &instruction);
        pc = static_cast<Pc>(end - code);
        break;
      }
      case Kind::guarded_lane: {
        tell(pc);
        const LaneMask active = guarded(instruction, rows, group.mask);
        if (active != 0) instruction.run(rows, instruction.rows.data(), active);
        observers.on_run(context_, pc, pc, active);
        unreported = ++pc;
        ++executed_;
        break;
      }
      case Kind::branch: {
        tell(pc + 1);
        ++executed_;
        LaneMask taken = group.mask;
        if (instruction.guard != no_row) {
          taken = guarded(instruction, rows, group.mask);
          observers.on_branch(context_, pc, group.mask, taken);
        }
        Pc next = taken != 0 ? instruction.detail : pc + 1;
        bool must_reschedule = schedule_ != Schedule::Kind::converged;
        if (taken != 0 && taken != group.mask) {
          if (schedule_ == Schedule::Kind::lockstep && static_cast<Pc>(instruction.offset) != no_pc)
            meetings_.push_back({group.frame, static_cast<Pc>(instruction.offset), group.mask});
          const Pc other = std::max(instruction.detail, pc + 1);
          next = std::min(instruction.detail, pc + 1);
          const bool lower_is_taken = next == instruction.detail;
          split_off(group, lower_is_taken ? group.mask & ~taken : taken, other);
          limit_ = std::min(limit_, other);
          must_reschedule |= code[other].kind == Kind::exit;
        }
        if (next <= pc) {
          group.pc = next;
          must_reschedule |= !jump_back(group);
          if (executed_ >= turn_end_) {
            group.pc = next;
            return Leave::turn_over;
          }
        }
        pc = unreported = next;
        if (must_reschedule) {
          group.pc = pc;
          return Leave::reschedule;
        }
        break;
      }
      case Kind::memory: {
        LaneMask active = group.mask;
        if (instruction.guard != no_row) {
          tell(pc);
          active = guarded(instruction, rows, group.mask);
        }
        group.pc = pc;
        if (active != 0) access(group, instruction, pc, active);
        ++executed_;
        ++pc;
        if (instruction.guard != no_row) {
          observers.on_run(context_, pc - 1, pc - 1, active);
          unreported = pc;
        }
        break;
      }
      case Kind::barrier:
        // A guard that holds for some lanes only splits the group first, as below.
        if (instruction.guard == no_row || guarded(instruction, rows, group.mask) == group.mask) {
          if (const LaneMask others = lanes_of_other_barriers(group, instruction); others != 0) {
            tell(pc);
            split_off(group, others, pc);
          }
          tell(pc + 1);
          group.pc = pc;
          ++executed_;
          if (!block_.arrive(*this, group, instruction, pc)) return Leave::reschedule;
          ++pc;
          break;
        }
        [[fallthrough]];
      default: {
        LaneMask active = group.mask;
        if (instruction.guard != no_row) {
          tell(pc);
          active = guarded(instruction, rows, group.mask);
          if (active != 0 && active != group.mask && moves_lanes(instruction.kind)) {
            split_off(group, group.mask & ~active, pc + 1);
            limit_ = std::min(limit_, pc + 1);
            continue;
          }
        }
        group.pc = pc;
        if (moves_lanes(instruction.kind)) tell(pc);
        const LaneMask executing = active;
        const Next next = active == 0 ? Next::advance : step(group, instruction, active);
        // A group that waits, leaves or calls has told of this instruction itself.
        if (next == Next::reschedule) return Leave::reschedule;
        ++executed_;
        if (instruction.guard != no_row || moves_lanes(instruction.kind)) {
          observers.on_run(context_, pc, pc, executing);
          unreported = pc + 1;
        }
        ++pc;
      }
    }
    if (pc >= limit_) {
      tell(pc);
      group.pc = pc;
      if (!rejoin(group)) return Leave::reschedule;
    }
  }
}

/// Everything that is neither lane-wise nor a branch, an access or a barrier. Where it says `reschedule`,
/// group.pc is already right.
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
      for (LaneMask rest = active; rest != 0; rest &= rest - 1)
        row_of<std::uint32_t>(rows, instruction.rows[0])[lowest(rest)] = active;
      return Next::advance;
    case Kind::clock:
      // Time is counted in warp instructions: it grows, and it is the same in every run.
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t now = executed_ >> instruction.offset;
        if (instruction.detail == 2)
          row_of<std::uint64_t>(rows, instruction.rows[0])[lowest(rest)] = now;
        else
          row_of<std::uint32_t>(rows, instruction.rows[0])[lowest(rest)] = static_cast<std::uint32_t>(now);
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
    default: {
      Fault fault;
      fault.kind = FaultKind::trap;
      fault.pc = pc;
      fault.lanes = active;
      report(fault);
      return Next::reschedule;
    }
  }
}

void Warp::exit_lanes(Group& group) {
  worker_.observers.on_run(context_, group.pc, group.pc, group.mask);
  ++executed_;
  ++worker_.changes;
  const LaneMask leaving = group.mask;
  remove_group(group);
  context_.exited |= leaving;
  leave_frames(leaving);
  for (Meeting& meeting : meetings_) meeting.lanes &= ~leaving;
  std::erase_if(meetings_, [](const Meeting& meeting) { return meeting.lanes == 0; });
  forget_at_syncs(leaving);
  block_.on_exit(count(leaving));
}

/// brx.idx: each lane goes where its index says; an index beyond the list is undefined, and traps here.
Warp::Next Warp::branch_table(Group& group, const Instruction& instruction) {
  const std::vector<Pc>& table = code_.branch_tables[instruction.detail];
  const std::uint32_t* index = row_of<std::uint32_t>(group.frame->rows, instruction.rows[0]);
  const Pc pc = group.pc;
  worker_.observers.on_run(context_, pc, pc, group.mask);
  ++executed_;
  const LaneMask all = group.mask;
  bool must_wait = false;
  LaneMask first = 0;
  for (LaneMask rest = all; rest != 0;) {
    const std::uint32_t wanted = index[lowest(rest)];
    LaneMask same = 0;
    for (LaneMask m = rest; m != 0; m &= m - 1)
      if (index[lowest(m)] == wanted) same |= lane_bit(lowest(m));
    rest &= ~same;
    if (wanted >= table.size()) {
      Fault fault;
      fault.kind = FaultKind::trap;
      fault.pc = pc;
      fault.lanes = same;
      fault.text = "brx.idx with an index beyond its list";
      report(fault);
      return Next::reschedule;
    }
    if (first == 0) {
      first = same;
      group.pc = table[wanted];
      group.mask = same;
      must_wait = table[wanted] <= pc;
    } else {
      add_group(group.frame, table[wanted], same);
    }
  }
  worker_.observers.on_branch(context_, pc, all, first);
  if (first != all && schedule_ == Schedule::Kind::lockstep && static_cast<Pc>(instruction.offset) != no_pc)
    meetings_.push_back({group.frame, static_cast<Pc>(instruction.offset), all});
  if (must_wait) jump_back(group);
  return Next::reschedule;
}

}  // namespace warpwise::simulator::machine
