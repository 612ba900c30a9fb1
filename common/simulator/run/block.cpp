#include "block.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

/// Rounds in which every warp only polls, before another block gets the host thread.
constexpr std::uint32_t polling_rounds = 2;
/// Turns of warps that a block has, at most, while others wait: see Worker::run.
constexpr std::uint32_t turns_of_block = 256;

}  // namespace

Block::Block(Worker& worker) : worker_(worker) {}

void Block::begin(std::uint64_t linear, std::uint32_t slot) {
  const LaunchContext& launch = worker_.launch.context;
  context_ = BlockContext{};
  context_.launch = &launch;
  context_.linear = linear;
  context_.index.x = static_cast<std::uint32_t>(linear % launch.grid.x);
  context_.index.y = static_cast<std::uint32_t>(linear / launch.grid.x % launch.grid.y);
  context_.index.z = static_cast<std::uint32_t>(linear / launch.grid.x / launch.grid.y);
  context_.threads = static_cast<std::uint32_t>(launch.block.volume());
  context_.warps = (context_.threads + warp_size - 1) / warp_size;
  context_.slot = slot;
  shared_bytes_ = launch.shared_bytes;
  shared_.assign(shared_bytes_, poison);
  // What is the system's, programs find cleared: the barriers of cooperative groups.
  std::fill(shared_.end() - launch.reserved_shared_bytes, shared_.end(), std::byte{0});
  context_.shared = shared_;
  for (; used_barriers_ != 0; used_barriers_ &= used_barriers_ - 1)
    barriers_[lowest_lane(used_barriers_)] = {};
  alive_ = context_.threads;
  changes_seen_ = ~std::uint64_t{0};
  printed_.clear();
  while (warps_.size() < context_.warps)
    warps_.push_back(std::make_unique<Warp>(worker_, *this, static_cast<std::uint32_t>(warps_.size())));
  if (worker_.observers.on_undefined_use.is_wanted()) undefined_.begin(context_);
  worker_.observers.on_block_begin(context_);
  for (std::uint32_t w = 0; w < context_.warps; ++w) {
    const std::uint32_t lanes = std::min(warp_size, context_.threads - w * warp_size);
    warps_[w]->begin(lanes == warp_size ? all_lanes : lane_bit(lanes) - 1);
  }
}

void Block::end() {
  for (std::uint32_t w = 0; w < context_.warps; ++w) warps_[w]->end();
  worker_.observers.on_block_end(context_);
}

/// Warps take turns, each until it waits, ends or has had its time.
Block::Stop Block::run() {
  const std::uint32_t most_turns =
      worker_.launch.options.schedule.kind == Schedule::Kind::split ? 1 : turns_of_block;
  std::uint32_t fruitless_rounds = 0;
  for (std::uint32_t turns = 0; !worker_.launch.must_stop.load(std::memory_order_relaxed);) {
    bool has_progress = false, has_polling = false, is_finished = true;
    for (std::uint32_t i = 0; i < context_.warps; ++i) {
      Warp& warp = *warps_[i];
      if (!warp.groups().has_ready()) {
        is_finished &= warp.groups().is_empty();
        continue;
      }
      const Warp::Stop stop = warp.run();
      if (worker_.launch.must_stop.load(std::memory_order_relaxed)) return Stop::finished;
      is_finished &= stop == Warp::Stop::finished;
      has_polling |= stop == Warp::Stop::polling;
      has_progress |= stop != Warp::Stop::polling;
      if (stop == Warp::Stop::turn_over) ++turns;
    }
    if (is_finished) {
      check_threads();
      return Stop::finished;
    }
    if (has_progress) {
      fruitless_rounds = 0;
    } else if (has_polling) {
      if (++fruitless_rounds >= polling_rounds) return Stop::waiting;
    } else if (!resolve_deadlock()) {
      return Stop::finished;
    }
    if (turns >= most_turns || (turns != 0 && is_stuck())) return Stop::waiting;
  }
  return Stop::finished;
}

/// Nothing in the block can run. Lanes at a `*.sync` go on without those that cannot come; a barrier that
/// part of the block never reaches ends the launch.
bool Block::resolve_deadlock() {
  check_threads();
  for (std::uint32_t w = 0; w < context_.warps; ++w)
    if (warps_[w]->give_up_sync()) return true;
  for (std::uint32_t w = 0; w < context_.warps; ++w) {
    for (const Group& group : warps_[w]->groups()) {
      const Barrier& barrier = barriers_[group.barrier];
      Fault fault = Fault::block_barrier(group.pc, group.mask, group.barrier, arrived_at(barrier),
                                         expected_at(barrier));
      for (std::uint32_t v = 0; v < context_.warps; ++v)
        for (const Group& other : warps_[v]->groups())
          if (!fault.other_pc && (other.barrier != group.barrier || other.pc != group.pc))
            fault.other_pc = other.pc;
      warps_[w]->report(fault);
      worker_.launch.must_stop = true;
      return false;
    }
  }
  return false;
}

void Block::check_threads() const {
  for (std::uint32_t w = 0; w < context_.warps; ++w)
    if (!warps_[w]->groups().hold(~warps_[w]->exited()))
      throw std::logic_error("the simulated GPU has lost threads of warp " + std::to_string(w) +
                             " of block " + std::to_string(context_.linear) + " of " +
                             context_.launch->kernel +
                             ": this is a defect of the simulator, not of the kernel");
}

void Block::note_fault(const Fault& fault) {
  worker_.launch.fail(fault.status());
  if (fault.ends_launch()) worker_.launch.must_stop = true;
}

// ---- Barriers: bar.sync, bar.arrive, bar.red (PTX ISA 9.7.13.1)

/// A barrier with a thread count takes warps as a whole: lanes that have exited count with their warp.
std::uint32_t Block::arrived_at(const Barrier& barrier) const {
  if (!barrier.has_count) return barrier.arrived_threads;
  std::uint32_t arrived = 0;
  for (std::uint32_t w = 0; w < context_.warps; ++w)
    if (barrier.arrived[w] != 0) arrived += lane_count(barrier.arrived[w] | warps_[w]->exited());
  return arrived;
}

std::uint32_t Block::expected_at(const Barrier& barrier) const {
  return barrier.has_count ? barrier.count : alive_;
}

void Block::arrive(Warp& warp, Group& group, const Instruction& instruction, Pc pc) {
  const BlockBarrier& what = worker_.launch.code.barriers[instruction.detail];
  std::byte* const rows = group.frame->rows;
  const std::uint32_t first = lowest_lane(group.mask);
  const std::uint32_t number = row_of<std::uint32_t>(rows, instruction.rows[1])[first];
  const LaneMask lanes = group.mask;
  const std::uint32_t w = warp.context().warp;
  if (number >= barriers_per_block) {
    warp.report({.kind = FaultKind::unsupported,
                 .pc = pc,
                 .lanes = lanes,
                 .text = "barrier " + std::to_string(number) + ": a block has 16, numbers 0 to 15"});
    return;
  }
  Barrier& barrier = barriers_[number];
  if (!barrier.is_used) {
    barrier.is_used = true;
    barrier.pc = pc;
    used_barriers_ |= 1u << number;
  } else if (barrier.pc != pc && !barrier.other_pc) {
    barrier.other_pc = pc;
  }
  if (what.has_count) {
    barrier.has_count = true;
    barrier.count = row_of<std::uint32_t>(rows, instruction.rows[2])[first];
  }
  if (what.op >= BlockBarrier::Op::popc) {
    LaneMask predicate = *row_of<LaneMask>(rows, instruction.rows[3]);
    if (what.is_negated) predicate = ~predicate;
    barrier.true_lanes += lane_count(predicate & lanes);
    barrier.voters += lane_count(lanes);
  }
  worker_.observers.on_barrier_arrive(warp.context(), pc, number, lanes);
  barrier.arrived_threads += lane_count(lanes & ~barrier.arrived[w]);
  barrier.arrived[w] |= lanes;
  if (what.op == BlockBarrier::Op::arrive) {
    group.pc = pc + 1;
  } else {
    group.state = Group::State::at_barrier;
    group.barrier = static_cast<std::uint8_t>(number);
  }
  open_if_complete(number);
}

void Block::open_if_complete(std::uint32_t number) {
  const Barrier& barrier = barriers_[number];
  if (barrier.is_used && arrived_at(barrier) >= expected_at(barrier)) open(number);
}

void Block::on_exit(std::uint32_t threads) {
  alive_ -= threads;
  for (std::uint32_t rest = used_barriers_; rest != 0; rest &= rest - 1)
    open_if_complete(static_cast<std::uint32_t>(std::countr_zero(rest)));
}

/// `__syncthreads()` at different places is undefined, even where the hardware lets it pass. Barriers with a
/// count are made for producers and consumers, who stand at different places.
void Block::report_different_barriers(std::uint32_t number) {
  const Barrier& barrier = barriers_[number];
  for (std::uint32_t w = 0; w < context_.warps; ++w) {
    for (const Group& group : warps_[w]->groups()) {
      if (group.state != Group::State::at_barrier || group.barrier != number || group.pc != barrier.other_pc)
        continue;
      Fault fault =
          Fault::block_barrier(group.pc, group.mask, number, arrived_at(barrier), expected_at(barrier));
      fault.other_pc = barrier.pc;
      warps_[w]->report(fault);
      return;
    }
  }
}

void Block::open(std::uint32_t number) {
  ++worker_.changes;
  Barrier& barrier = barriers_[number];
  if (barrier.other_pc && !barrier.has_count) report_different_barriers(number);
  const bool is_whole_block = !barrier.has_count || barrier.count >= context_.threads;
  for (std::uint32_t w = 0; w < context_.warps; ++w) {
    for (Group& group : warps_[w]->groups()) {
      if (group.state != Group::State::at_barrier || group.barrier != number) continue;
      const Instruction& instruction = worker_.launch.code.instructions[group.pc];
      const BlockBarrier& what = worker_.launch.code.barriers[instruction.detail];
      if (what.op >= BlockBarrier::Op::popc) {
        const bool yes =
            what.op == BlockBarrier::Op::all ? barrier.true_lanes == barrier.voters : barrier.true_lanes != 0;
        std::byte* const rows = group.frame->rows;
        if (what.op == BlockBarrier::Op::popc) {
          for (const std::uint32_t lane : lanes_in(group.mask))
            row_of<std::uint32_t>(rows, instruction.rows[0])[lane] = barrier.true_lanes;
        } else {
          LaneMask& to = *row_of<LaneMask>(rows, instruction.rows[0]);
          to = (to & ~group.mask) | (yes ? group.mask : 0);
        }
      }
      group.state = Group::State::ready;
      group.fruitless = 0;
      ++group.pc;
    }
    warps_[w]->groups().meet();
  }
  if (is_whole_block) ++context_.barriers_passed;
  const std::array<LaneMask, warp_size> lanes = barrier.arrived;
  barrier = Barrier{};
  used_barriers_ &= ~(1u << number);
  worker_.observers.on_barrier_release(context_, number, std::span(lanes.data(), context_.warps),
                                       is_whole_block);
}

}  // namespace warpwise::simulator::run
