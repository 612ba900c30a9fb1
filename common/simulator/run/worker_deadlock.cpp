/// \file Threads that loop for ever, as opposed to those that loop for long.
///
/// A group of lanes that polls makes way every few iterations, and is looked at then; one that loops
/// otherwise, every few thousand. If it is found twice with the same registers at the same place, and stored
/// nothing in between, the next iterations will be the same again: it is stuck until somebody else changes
/// memory. Where every thread of the launch is stuck or waits at a barrier, while no block can start, nobody
/// is left who could: a deadlock, or an endless loop. Loops that count, or look at a clock, never repeat a
/// state: they end, or spend the budget.

#include <algorithm>
#include <bit>
#include <cstring>

#include "block.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {
/// In LaunchState::stuck_at: this worker has no block.
constexpr std::uint64_t has_no_block = ~std::uint64_t{0};

/// FNV-1a over words of 8 bytes.
std::uint64_t state_hash_of(const Group& group) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3u; };
  add(group.pc);
  add(group.mask);
  const std::byte* rows = group.frame->rows;
  const std::size_t bytes = group.frame->function->layout.bytes;
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, rows + i, 8);
    add(word);
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

/// Brent, "An improved Monte Carlo factorization algorithm", BIT 20 (1980): compared with the state kept at
/// the last power of two, so that a loop is found whatever number of jumps its states repeat after.
void Group::look_for_repetition() {
  const std::uint64_t hash = state_hash_of(*this);
  if (std::has_single_bit(yields))
    state_hash = hash;
  else
    is_stuck = hash == state_hash;
}

bool Warp::is_stuck() const {
  return std::all_of(groups_.begin(), groups_.end(),
                     [](const Group& group) { return group.state != Group::State::ready || group.is_stuck; });
}

void Warp::report_deadlock() {
  for (const Group& group : groups_) {
    if (group.state != Group::State::ready) continue;
    if (!group.is_polling) {
      report(stopped(FaultKind::endless, group, ""));
      continue;
    }
    Fault fault{.kind = FaultKind::deadlock, .pc = group.polled_pc, .lanes = group.mask};
    for (const Group& other : groups_) {
      if (&other == &group) continue;
      const Pc place = other.state == Group::State::ready ? other.polled_pc : other.pc;
      if (!fault.other_pc && place != fault.pc) fault.other_pc = place;
    }
    report(fault);
  }
}

bool Block::is_stuck() const {
  return std::all_of(warps_.begin(), warps_.begin() + context_.warps,
                     [](const std::unique_ptr<Warp>& warp) { return warp->is_stuck(); });
}

void Block::report_deadlock() {
  check_threads();
  for (std::uint32_t w = 0; w < context_.warps; ++w) warps_[w]->report_deadlock();
}

void Worker::begin_round() {
  if (launch.options.schedule.kind == Schedule::Kind::split)
    for (std::size_t i = resident_.size(); i > 1; --i) std::swap(resident_[i - 1], resident_[random_() % i]);
  stuck_ = 0;
  round_epoch_ = launch.epoch;
}

void Worker::leave() {
  const std::lock_guard lock(launch.mutex);
  launch.stuck_at[index_] = has_no_block;
}

/// All workers must have found their blocks stuck in the same epoch, that is, after the last change that any
/// of them made.
bool Worker::is_deadlock() {
  {
    const std::lock_guard lock(launch.mutex);
    const std::uint64_t epoch = launch.epoch;
    const bool is_stuck = stuck_ == resident_.size() && round_epoch_ == epoch;
    launch.stuck_at[index_] = is_stuck ? epoch : 0;
    for (const std::uint64_t at : launch.stuck_at)
      if (at != epoch && at != has_no_block) return false;
  }
  if (launch.must_stop.exchange(true)) return true;
  for (const std::unique_ptr<Block>& block : resident_) block->report_deadlock();
  return true;
}

}  // namespace warpwise::simulator::run
