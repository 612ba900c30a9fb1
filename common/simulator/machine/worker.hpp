#pragma once
/// \file One host thread of a launch: it starts blocks in ascending order and lets them take turns.

#include <deque>
#include <memory>

#include "frame.hpp"
#include "launch_state.hpp"

namespace warpwise::simulator::machine {

class Block;

class Worker {
 public:
  Worker(LaunchState& launch, Observer* observer);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Until no block is left to start and every block of this worker has ended.
  void run();

  LaunchState& launch;
  Observer* const observer;  ///< nullptr: nobody watches
  FramePool frames;
  Allocation* last_allocation = nullptr;  ///< most accesses hit the same one again

  /// Takes `instructions` from the launch's budget; false when it is spent.
  bool charge(std::uint64_t instructions);

 private:
  Block* start_block();
  void finish_block(std::unique_ptr<Block> block);

  std::deque<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_;  ///< to be used again, with all they have allocated
  std::uint64_t uncharged_ = 0;
};

}  // namespace warpwise::simulator::machine
