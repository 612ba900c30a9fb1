#include "warp.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::machine {

namespace {

constexpr std::uint64_t turn_length = 1 << 16;  // warp instructions

LaneMask guarded(const Instruction& instruction, std::byte* rows, LaneMask mask) {
  const LaneMask guard = *row_of<LaneMask>(rows, instruction.guard);
  return mask & (instruction.is_guard_negated ? ~guard : guard);
}

/// Instructions that a whole group executes: a guard that holds for some lanes splits the group first.
bool moves_lanes(Kind kind) {
  return kind == Kind::collective || kind == Kind::barrier || kind == Kind::call || kind == Kind::ret ||
         kind == Kind::exit || kind == Kind::branch_table;
}

/// Where a guard holds for some lanes, the others go on elsewhere for a while: a branch in other words.
bool is_way_out(Kind kind) { return kind == Kind::call || kind == Kind::ret || kind == Kind::exit; }

}  // namespace

Warp::Warp(Worker& worker, Block& block, std::uint32_t index)
    : worker_(worker),
      code_(worker.launch.code),
      block_(block),
      groups_(code_),
      stack_(worker.frames, worker.launch, worker.observers, context_),
      library_(worker.launch, block, stack_),
      undefined_(code_, worker.observers, block.undefined(), context_) {
  context_.warp = index;
}

void Warp::begin(LaneMask lanes) {
  context_.block = &block_.context();
  context_.exited = ~lanes;
  undefined_.begin();
  born_ = lanes;
  executed_ = 0;
  const Schedule& schedule = worker_.launch.options.schedule;
  groups_.begin(schedule.kind,
                schedule.seed * 0xD1B54A32D192ED03u + block_.context().linear * warp_size + context_.warp);
  Frame& frame = stack_.begin(lanes);
  groups_.add(&frame, frame.function->entry, lanes);
}

void Warp::end() {
  stack_.end();
  groups_.clear();
}

void Warp::report(Fault fault) {
  worker_.observers.on_fault(context_, fault);
  block_.note_fault(fault);
}

Warp::Stop Warp::run() {
  const std::uint64_t start = executed_;
  turn_end_ = start + turn_length;
  if (known_changes_ != worker_.all_changes())
    for (Group& each : groups_) each.forget_state();
  known_changes_ = worker_.all_changes();
  Stop stop = Stop::turn_over;
  while (!worker_.launch.must_stop.load(std::memory_order_relaxed)) {
    Group* group = groups_.select(context_.exited);
    if (group == nullptr) {
      stop = groups_.is_empty() ? Stop::finished : groups_.has_ready() ? Stop::polling : Stop::blocked;
      for (Group& each : groups_) each.has_yielded = false;
      break;
    }
    if (execute(*group) == Leave::turn_over || executed_ >= turn_end_) break;
  }
  if (!worker_.charge(executed_ - start) && !groups_.is_empty()) {
    const Group& first = *groups_.begin();
    report({.kind = FaultKind::budget,
            .pc = first.pc,
            .lanes = first.mask,
            .text = worker_.launch.pace.why_ended()});
  }
  return stop;
}

/// Lanes of `group` that name another barrier, or another thread count, than its first lane.
LaneMask Warp::lanes_of_other_barriers(const Group& group, const Instruction& instruction) const {
  const BlockBarrier& what = code_.barriers[instruction.detail];
  if (what.is_fixed) return 0;
  const std::uint32_t* numbers = row_of<std::uint32_t>(group.frame->rows, instruction.rows[1]);
  const std::uint32_t* counts =
      what.has_count ? row_of<std::uint32_t>(group.frame->rows, instruction.rows[2]) : numbers;
  return group.mask &
         ~agreeing(group.mask, [&](std::uint32_t lane) { return std::pair(numbers[lane], counts[lane]); });
}

/// Runs `group` until it waits, makes way, meets the limit or has had its turn.
/// Instructions without guard are reported in stretches: [unreported, pc) have run and are not yet reported.
Warp::Leave Warp::execute(Group& group) {
  const Instruction* const code = code_.instructions.data();
  const ObserverList& observers = worker_.observers;
  Frame& frame = *group.frame;
  std::byte* const rows = frame.rows;
  const bool reports_selects = observers.on_select.is_wanted();
  Pc pc = group.pc, unreported = pc;
  const auto report_until = [&](Pc end) {
    if (unreported < end) observers.on_run(context_, unreported, end - 1, group.mask);
    unreported = end;
  };
  for (;;) {
    const Instruction& instruction = code[pc];
    switch (instruction.kind) {
      case Kind::lane: {
        const Instruction* const end = code + std::min(pc + instruction.run_length, groups_.limit());
        const LaneMask mask = group.mask;
        if (frame.undefined != nullptr || reports_selects) [[unlikely]]
          run_lanes(frame, pc, static_cast<Pc>(end - code), mask);
        else
          for (const Instruction* at = &instruction; at != end; ++at) at->run(rows, at->rows.data(), mask);
        executed_ += static_cast<std::uint64_t>(end - &instruction);
        pc = static_cast<Pc>(end - code);
        break;
      }
      case Kind::guarded_lane: {
        report_until(pc);
        const LaneMask active = guarded(instruction, rows, group.mask);
        if (frame.undefined != nullptr) [[unlikely]]
          undefined_.flow_guarded(frame, pc, group.mask, active);
        if (reports_selects) [[unlikely]]
          report_select(rows, pc, active);
        if (active != 0) instruction.run(rows, instruction.rows.data(), active);
        observers.on_run(context_, pc, pc, active);
        unreported = ++pc;
        ++executed_;
        break;
      }
      case Kind::branch: {
        report_until(pc + 1);
        ++executed_;
        LaneMask taken = group.mask;
        if (instruction.guard != no_row) {
          if (frame.undefined != nullptr) [[unlikely]]
            undefined_.use_guard(frame, pc, group.mask);
          taken = guarded(instruction, rows, group.mask);
          observers.on_branch(context_, pc, group.mask, taken);
        }
        Pc next = taken != 0 ? instruction.detail : pc + 1;
        bool must_reschedule = groups_.schedule() != Schedule::Kind::converged;
        if (taken != 0 && taken != group.mask) {
          groups_.expect_meeting(group, static_cast<Pc>(instruction.offset));
          const Pc other = std::max(instruction.detail, pc + 1);
          next = std::min(instruction.detail, pc + 1);
          const bool lower_is_taken = next == instruction.detail;
          groups_.split_off(group, lower_is_taken ? group.mask & ~taken : taken, other);
          groups_.lower_limit(other);
          must_reschedule |= code[other].kind == Kind::exit;
        }
        if (next <= pc) {
          group.pc = next;
          must_reschedule |= !group.jump_back();
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
          report_until(pc);
          if (frame.undefined != nullptr) [[unlikely]]
            undefined_.use_guard(frame, pc, group.mask);
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
          if (frame.undefined != nullptr) [[unlikely]] {
            group.pc = pc;
            follow(group, instruction, group.mask);
          }
          if (const LaneMask others = lanes_of_other_barriers(group, instruction); others != 0) {
            report_until(pc);
            groups_.split_off(group, others, pc);
          }
          report_until(pc + 1);
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
          report_until(pc);
          active = guarded(instruction, rows, group.mask);
          if (active != 0 && active != group.mask && moves_lanes(instruction.kind)) {
            if (is_way_out(instruction.kind)) observers.on_branch(context_, pc, group.mask, active);
            groups_.split_off(group, group.mask & ~active, pc + 1);
            groups_.lower_limit(pc + 1);
            continue;
          }
        }
        group.pc = pc;
        if (frame.undefined != nullptr) [[unlikely]]
          follow(group, instruction, active);
        if (moves_lanes(instruction.kind)) report_until(pc);
        const LaneMask executing = active;
        const Next next = active == 0 ? Next::advance : step(group, instruction, active);
        // A group that waits, leaves or calls has reported this instruction itself.
        if (next == Next::reschedule) return Leave::reschedule;
        ++executed_;
        if (instruction.guard != no_row || moves_lanes(instruction.kind)) {
          observers.on_run(context_, pc, pc, executing);
          unreported = pc + 1;
        }
        ++pc;
      }
    }
    if (pc >= groups_.limit()) {
      report_until(pc);
      group.pc = pc;
      if (!groups_.rejoin(group)) return Leave::reschedule;
    }
  }
}

/// Lane-wise instructions without guards one by one: undefined values are followed, or selects reported.
void Warp::run_lanes(Frame& frame, Pc pc, Pc end, LaneMask mask) {
  for (; pc != end; ++pc) {
    const Instruction& instruction = code_.instructions[pc];
    if (frame.undefined != nullptr) undefined_.flow(frame, pc, mask);
    report_select(frame.rows, pc, mask);
    instruction.run(frame.rows, instruction.rows.data(), mask);
  }
}

/// Which operand a select is about to take cannot be seen from outside.
void Warp::report_select(std::byte* rows, Pc pc, LaneMask lanes) {
  if (lanes == 0 || code_.texts[pc]->opcode != "selp" || !worker_.observers.on_select.is_wanted()) return;
  const LaneMask predicate = *row_of<LaneMask>(rows, code_.instructions[pc].rows[3]);
  worker_.observers.on_select(context_, pc, lanes, lanes & predicate);
}

/// What undefined values mean to the instructions of step(), and to barriers: what each reads, and writes.
void Warp::follow(Group& group, const Instruction& instruction, LaneMask active) {
  Frame& frame = *group.frame;
  undefined_.use_guard(frame, group.pc, group.mask);
  const auto use = [&](Row row, Width width, ValueUse what) {
    if (frame.undefined != nullptr) undefined_.use(frame, group.pc, row, width, active, what);
  };
  const auto define = [&](Row row, Width width) {
    if (frame.undefined != nullptr) undefined_.define(frame, row, width, active);
  };
  switch (instruction.kind) {
    case Kind::barrier: {
      const BlockBarrier& what = code_.barriers[instruction.detail];
      use(instruction.rows[1], Width::b32, ValueUse::exchange);
      if (what.has_count) use(instruction.rows[2], Width::b32, ValueUse::exchange);
      if (what.op < BlockBarrier::Op::popc) return;
      use(instruction.rows[3], Width::pred, ValueUse::exchange);
      return define(instruction.rows[0], what.op == BlockBarrier::Op::popc ? Width::b32 : Width::pred);
    }
    case Kind::branch_table:
      return use(instruction.rows[0], Width::b32, ValueUse::branch);
    case Kind::active_mask:
      return define(instruction.rows[0], Width::b32);
    case Kind::clock:
      return define(instruction.rows[0], instruction.detail == 2 ? Width::b64 : Width::b32);
    case Kind::call: {
      const Call& call = code_.calls[instruction.detail];
      if (call.target == Call::Target::indirect) use(call.pointer, Width::b64, ValueUse::address);
      for (const LanePlace& result : call.results)
        if (frame.undefined != nullptr) undefined_.define(frame, result, active);
      return;
    }
    default:
      return;
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
  block_.on_exit(count(leaving));
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
    if (wrong == 0 && index_of(lowest(same)) >= table.size()) wrong = same;
  });
  if (wrong != 0) {
    report(
        {.kind = FaultKind::trap, .pc = pc, .lanes = wrong, .text = "brx.idx with an index beyond its list"});
    return Next::reschedule;
  }
  const LaneMask first = agreeing(all, index_of);
  for_each_agreeing(all & ~first, index_of,
                    [&](LaneMask same) { groups_.add(group.frame, table[index_of(lowest(same))], same); });
  worker_.observers.on_branch(context_, pc, all, first);
  if (first != all) groups_.expect_meeting(group, static_cast<Pc>(instruction.offset));
  group.mask = first;
  group.pc = table[index_of(lowest(first))];
  if (group.pc <= pc) group.jump_back();
  return Next::reschedule;
}

}  // namespace warpwise::simulator::machine
