/// \file Barriers of a block: bar.sync, bar.arrive, bar.red (PTX ISA 9.7.13.1).

#include <bit>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

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

bool Block::arrive(Warp& warp, Group& group, const Instruction& instruction, Pc pc) {
  const BlockBarrier& what = worker_.launch.code.barriers[instruction.detail];
  std::byte* const rows = group.frame->rows;
  const std::uint32_t first = lowest_lane(group.mask);
  const std::uint32_t number = row_of<std::uint32_t>(rows, instruction.rows[1])[first];
  const LaneMask lanes = group.mask;
  const std::uint32_t w = warp.context().warp;
  if (number >= barrier_count) {
    warp.report({.kind = FaultKind::unsupported,
                 .pc = pc,
                 .lanes = lanes,
                 .text = "barrier " + std::to_string(number) + ": a block has 16, numbers 0 to 15"});
    return false;
  }
  Barrier& barrier = barriers_[number];
  if (!barrier.is_used) {
    barrier.is_used = true;
    barrier.pc = pc;
    used_barriers_ |= 1u << number;
  } else if (barrier.pc != pc && !barrier.has_other_pc) {
    barrier.other_pc = pc;
    barrier.has_other_pc = true;
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
    open_if_complete(number);
    return true;
  }
  group.state = Group::State::at_barrier;
  group.barrier = static_cast<std::uint8_t>(number);
  open_if_complete(number);
  return false;
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
      Fault fault = Fault::block_barrier(barrier.other_pc, group.mask, number, arrived_at(barrier),
                                         expected_at(barrier));
      fault.set_other(barrier.pc);
      warps_[w]->report(fault);
      return;
    }
  }
}

void Block::open(std::uint32_t number) {
  ++worker_.changes;
  Barrier& barrier = barriers_[number];
  if (barrier.has_other_pc && !barrier.has_count) report_different_barriers(number);
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
