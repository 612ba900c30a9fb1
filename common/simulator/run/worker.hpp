#pragma once
/// \file One host thread of a launch: it starts blocks in ascending order and lets them take turns.

#include <deque>
#include <memory>

#include "frame.hpp"
#include "launch_state.hpp"

namespace warpwise::simulator::run {

class Block;

class Worker {
 public:
  explicit Worker(LaunchState& launch);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Until no block is left to start and every block of this worker has ended.
  void run();

  LaunchState& launch;
  ObserverList observers;
  FramePool frames;
  Allocation* last_allocation = nullptr;  ///< most accesses hit the same one again
  SharedPart last_shared_part;            ///< likewise
  std::uint64_t changes =
      0;  ///< stores, atomics that changed something, exits, releases: what can wake others

  /// Grows whenever anybody is known to have changed memory.
  std::uint64_t all_changes() const {
    return changes + launch.memory_changes.load(std::memory_order_relaxed);
  }

  /// Takes `instructions` from the launch's budget; false where the launch is to end
  /// (LaunchBudget::why_ended).
  bool charge(std::uint64_t instructions);

 private:
  // deadlock.cpp
  void begin_round();
  /// After a round in which each resident block had a turn: true where the launch is at an end.
  bool is_deadlock();
  void leave();

  Block* start_block();
  void finish_block(std::unique_ptr<Block> block);

  std::deque<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_;  ///< to be used again, with all they have allocated
  std::uint64_t uncharged_ = 0;
  std::size_t index_ = 0;            ///< into LaunchState::stuck_at
  std::uint64_t round_epoch_ = 0;    ///< LaunchState::epoch when the round began
  std::uint64_t known_changes_ = 0;  ///< part of `changes` that LaunchState::epoch knows of
  std::size_t stuck_ = 0;            ///< blocks of this round that are stuck
};

}  // namespace warpwise::simulator::run
