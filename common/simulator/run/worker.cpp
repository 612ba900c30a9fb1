#include "worker.hpp"

#include <utility>

#include "../host/host.hpp"
#include "block.hpp"

namespace warpwise::simulator::run {

LaunchBudget::LaunchBudget(const LaunchOptions& options, std::uint64_t blocks)
    : options_(options), blocks_(blocks) {}

bool LaunchBudget::spend(std::uint64_t instructions) {
  if ((spent_ += instructions) > options_.budget) return false;
  if (options_.most_idle_seconds == 0 && !options_.on_progress) return true;
  const double seconds = host::seconds() - start_;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return true;  // another thread looks at this very moment
  if (is_idle(seconds)) return false;
  if (seconds >= next_report_) report(seconds);
  return true;
}

void LaunchBudget::spend_on_bad_access() {
  spent_ += options_.bad_access_costs - 1;  // the rest of it is charged as an instruction's
  spent_on_bad_accesses_ += options_.bad_access_costs;
}

bool LaunchBudget::is_idle(double seconds) {
  if (known_ended_ != blocks_ended_) {
    known_ended_ = blocks_ended_;
    last_end_ = seconds;
  }
  return options_.most_idle_seconds != 0 && seconds - last_end_ > options_.most_idle_seconds;
}

void LaunchBudget::report(double seconds) {
  next_report_ = 2 * seconds;
  if (options_.on_progress) options_.on_progress({seconds, spent_, blocks_ended_, blocks_});
}

void LaunchBudget::note_block_end() { ++blocks_ended_; }

std::string LaunchBudget::why_ended() const {
  if (spent_ > options_.budget)
    return "it used up its budget of " + std::to_string(options_.budget) + " warp instructions" +
           (spent_on_bad_accesses_ > options_.budget / 2
                ? ", of which each bad access counts as " + std::to_string(options_.bad_access_costs)
                : "");
  return "no block has finished for " + std::to_string(static_cast<int>(options_.most_idle_seconds)) + " s";
}

namespace {
constexpr std::uint64_t charged_at_once = 1 << 14;
constexpr std::uint64_t usual_turn = 1 << 16;  // warp instructions
}  // namespace

Worker::Worker(LaunchState& state)
    : launch(state),
      frames_(state.stuck_at.empty() ? FramePool::of(state.code) : std::make_shared<FramePool>(state.code)),
      index_(state.stuck_at.size()),
      random_(state.options.schedule.seed + index_) {
  launch.stuck_at.push_back(0);
}
Worker::~Worker() {
  if (index_ == 0) FramePool::leave(std::move(frames_));
}

std::uint64_t Worker::turn_length() {
  const bool is_only_warp = launch.blocks == 1 && launch.context.block.volume() <= warp_size;
  const bool is_short = launch.options.schedule.kind == Schedule::Kind::split && !is_only_warp;
  return is_short ? std::uint64_t{1} << random_() % 9 : usual_turn;
}

bool Worker::charge(std::uint64_t instructions) {
  uncharged_ += instructions;
  if (uncharged_ < charged_at_once) return true;
  launch.instructions += uncharged_;
  if (launch.options.interruption != nullptr && *launch.options.interruption) {
    launch.fail(LaunchStatus::interrupted);
    launch.must_stop = true;
  }
  return launch.budget.spend(std::exchange(uncharged_, 0));
}

/// The next block of the grid, if there is one and room for it.
Block* Worker::start_block() {
  std::uint32_t slot;
  std::uint64_t linear;
  {
    const std::lock_guard lock(launch.mutex);
    if (launch.free_slots.empty() || launch.next_block >= launch.blocks) return nullptr;
    slot = launch.free_slots.back();
    launch.free_slots.pop_back();
    linear = launch.next_block++;
    if (!launch.options.only_blocks.empty()) linear = launch.options.only_blocks[linear];
    ++launch.epoch;
  }
  if (idle_.empty()) idle_.push_back(std::make_unique<Block>(*this));
  resident_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  resident_.back()->begin(linear, slot);
  return resident_.back().get();
}

void Worker::finish_block(std::unique_ptr<Block> block) {
  block->end();
  launch.budget.note_block_end();
  const std::lock_guard lock(launch.mutex);
  if (!block->printed().empty()) {
    if (launch.options.print)
      launch.options.print(block->printed());
    else
      host::write_to_stdout(block->printed());
  }
  launch.free_slots.push_back(block->context().slot);
  idle_.push_back(std::move(block));
}

/// One block at a time. While it waits for others (a grid barrier, a look-back scan), the other blocks of
/// this worker get a turn each, and then one more block is started. Under the schedule `split` turns are
/// short, so that blocks run side by side, and each round has an order of its own.
void Worker::run() {
  std::size_t waited = 0;  // blocks that waited since something was started or ended
  while (!launch.must_stop.load(std::memory_order_relaxed)) {
    if (waited >= resident_.size()) {
      waited = 0;
      if (Block* started = start_block()) {
        // It runs first: move it to the front.
        if (resident_.front().get() != started) {
          resident_.push_front(std::move(resident_.back()));
          resident_.pop_back();
        }
      } else if (resident_.empty()) {
        if (launch.next_block >= launch.blocks) break;
        leave();
        host::yield();
        continue;
      } else {
        if (is_deadlock()) break;
        host::yield();
      }
      begin_round();
    }
    std::unique_ptr<Block> block = std::move(resident_.front());
    resident_.pop_front();
    const std::uint64_t before = all_changes();
    const Block::Stop stop = block->is_stuck_since(before) ? Block::Stop::waiting : block->run();
    const bool has_changed = std::exchange(known_changes_, changes) != changes;
    if (has_changed) ++launch.epoch, ++launch.memory_changes;
    if (stop == Block::Stop::finished) {
      finish_block(std::move(block));
      waited = 0;
    } else {
      stuck_ += block->is_stuck();
      if (!has_changed) block->note_changes_seen(before);
      resident_.push_back(std::move(block));
      ++waited;
    }
  }
  leave();
  while (!resident_.empty()) {
    finish_block(std::move(resident_.front()));
    resident_.pop_front();
  }
  launch.instructions += uncharged_;
  uncharged_ = 0;
}

}  // namespace warpwise::simulator::run
