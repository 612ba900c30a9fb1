#include "warp.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

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

bool is_strong_load(const decode::MemoryOperation& operation) {
  return operation.kind == AccessKind::load && operation.ordering != Ordering::weak;
}

}  // namespace

Warp::Warp(Worker& worker, Block& block, std::uint32_t index)
    : worker_(worker),
      code_(worker.launch.code),
      block_(block),
      groups_(code_),
      stack_(worker.frames(), worker.launch, worker.observers, context_),
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
  if (!fault.is_open) block_.note_fault(fault);
}

Warp::Stop Warp::run() {
  const std::uint64_t start = executed_;
  turn_end_ = start + worker_.turn_length();
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
    const auto* running = std::find_if(groups_.begin(), groups_.end(),
                                       [](const Group& group) { return group.state == Group::State::ready; });
    report(stopped(FaultKind::budget, running == groups_.end() ? *groups_.begin() : *running,
                   worker_.launch.budget.why_ended()));
  }
  return stop;
}

Fault Warp::stopped(FaultKind kind, const Group& group, std::string why) const {
  Fault fault{.kind = kind, .pc = group.pc, .lanes = group.mask, .text = std::move(why)};
  fault.compared = [this, rows = group.frame->rows, lane = lowest_lane(group.mask)](Pc pc,
                                                                                    std::uint32_t index) {
    const ptx::Instruction& text = *code_.texts[pc];
    const bool has_pair = text.operands[0].is_pair;
    const Row row = code_.instructions[pc].rows[1 + has_pair + index];
    return ptx::bytes_of(text.type()) == 8 ? row_of<std::uint64_t>(rows, row)[lane]
                                           : std::uint64_t{row_of<std::uint32_t>(rows, row)[lane]};
  };
  return fault;
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

/// Lanes have `reached` an instruction of a frame whose values somebody follows.
void Warp::watch(Frame& frame, Pc pc, LaneMask reached) {
  const Instruction& instruction = code_.instructions[pc];
  const bool has_guard = instruction.guard != no_row;
  // Neither reads anything here: of an access, access_space() reports more.
  if (!has_guard && (instruction.kind == Kind::branch || instruction.kind == Kind::memory)) return;
  const LaneMask active = has_guard ? guarded(instruction, frame.rows, reached) : reached;
  if (frame.undefined != nullptr) undefined_.follow(frame, pc, active, reached);
  worker_.observers.on_operands(context_,
                                Operands{.pc = pc, .lanes = active, .reached = reached, .rows = frame.rows});
  frame.is_watched = frame.undefined != nullptr || worker_.observers.on_operands.is_wanted();
}

/// Runs `group` until it waits, makes way, meets the limit or has had its turn.
/// Instructions without guard are reported in stretches: [unreported, pc) have run and are not yet reported.
Warp::Leave Warp::execute(Group& group) {
  const Instruction* const code = code_.instructions.data();
  const ObserverList& observers = worker_.observers;
  Frame& frame = *group.frame;
  std::byte* const rows = frame.rows;
  Pc pc = group.pc, unreported = pc;
  const auto report_until = [&](Pc end) {
    if (unreported < end) observers.on_run(context_, unreported, end - 1, group.mask);
    unreported = end;
  };
  for (;;) {
    const Instruction& instruction = code[pc];
    std::uint32_t stretch = instruction.run_length;
    if (frame.is_watched) [[unlikely]] {
      watch(frame, pc, group.mask);
      stretch = 1;
    }
    switch (instruction.kind) {
      case Kind::lane: {
        const Instruction* const end = code + std::min(pc + stretch, groups_.limit());
        const LaneMask mask = group.mask;
        for (const Instruction* at = &instruction; at != end; ++at) at->run(rows, at->rows.data(), mask);
        executed_ += static_cast<std::uint64_t>(end - &instruction);
        pc = static_cast<Pc>(end - code);
        break;
      }
      case Kind::guarded_lane: {
        report_until(pc);
        const LaneMask active = guarded(instruction, rows, group.mask);
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
          active = guarded(instruction, rows, group.mask);
        }
        group.pc = pc;
        if (active != 0) access(group, instruction, pc, active);
        ++executed_;
        ++pc;
        // What somebody has read here can be old by the time that it is used.
        if (groups_.schedule() == Schedule::Kind::split && is_strong_load(code_.memory[instruction.detail])) {
          turn_end_ = executed_;
          groups_.lower_limit(pc);
        }
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
            report_until(pc);
            groups_.split_off(group, others, pc);
          }
          report_until(pc + 1);
          group.pc = pc;
          ++executed_;
          block_.arrive(*this, group, instruction, pc);
          return Leave::reschedule;
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

}  // namespace warpwise::simulator::run
