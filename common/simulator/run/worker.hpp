#pragma once
/// \file launch(), which runs one kernel over a grid. While it runs: what all its workers share, and a
/// worker, one host thread, which starts blocks in ascending order and lets them take turns.

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>

#include "../decode/code.hpp"
#include "../host/host.hpp"
#include "../observer.hpp"
#include "frame.hpp"

namespace warpwise::simulator::run {

// What a launch may still spend: warp instructions, and time in which none of its blocks ends.

/// Shared by the host threads of a launch.
class LaunchBudget {
 public:
  LaunchBudget(const LaunchOptions& options, std::uint64_t blocks);

  /// So many more warp instructions have run. False where the launch is to end: why_ended() says why.
  bool spend(std::uint64_t instructions);
  void spend_on_bad_access();
  void note_block_end();
  /// "it used up its budget of 5000000 warp instructions"
  std::string why_ended() const;

 private:
  bool is_idle(double seconds);
  void report(double seconds);

  const LaunchOptions& options_;
  const std::uint64_t blocks_;
  const double start_ = host::seconds();
  std::atomic<std::uint64_t> spent_{0}, spent_on_bad_accesses_{0}, blocks_ended_{0};
  std::mutex mutex_;  ///< guards what follows
  double next_report_ = 0.625;
  std::uint64_t known_ended_ = 0;  ///< of blocks_ended_, when it last grew ...
  double last_end_ = 0;            ///< ... as far as anybody has looked
};

using namespace decode;  // what runs is what decoding has made

/// Offsets [begin, end) of a block's shared memory.
struct SharedPart {
  std::uint64_t begin = 0, end = 0;

  /// All accesses of `bytes` each whose addresses lie between `low` and `high`.
  bool contains(std::uint64_t low, std::uint64_t high, std::uint64_t bytes) const {
    return low >= begin && high < end && end - high >= bytes;
  }
};

struct LaunchState {
  const Program& program;
  const Code& code;
  GlobalMemory& memory;
  const LaunchRequest& request;
  const LaunchOptions& options;
  LaunchContext context{};
  std::uint32_t kernel = 0;  ///< index into Code::functions
  std::uint32_t dynamic_shared_start = 0;
  /// Ascending: each static variable, then all that is dynamic or the system's. What lies between them
  /// belongs to nobody.
  std::vector<SharedPart> shared_parts{};
  bool has_shared_gaps = false;
  std::vector<std::byte> parameters{};
  /// Of a cooperative launch: two words, the second of them the barrier of cooperative_groups::grid_group
  /// (cooperative_groups/details/driver_abi.h). 0: grid barriers cannot be used.
  std::uint64_t grid_workspace = 0;

  std::atomic<std::uint64_t> next_block{0};
  /// Those that run.
  const std::uint64_t blocks =
      options.only_blocks.empty() ? request.grid.volume() : options.only_blocks.size();
  LaunchBudget budget{options, blocks};
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> must_stop{false};
  std::atomic<std::uint64_t> epoch{1};           ///< grows when a worker's blocks change memory or start
  std::atomic<std::uint64_t> memory_changes{0};  ///< grows when a worker's blocks have changed memory

  std::mutex mutex{};  ///< guards what follows
  std::vector<std::uint32_t> free_slots{};
  std::vector<std::uint64_t> stuck_at{};  ///< by worker: the epoch in which all its blocks were stuck
  LaunchStatus status = LaunchStatus::ok;
  std::vector<std::uint64_t> released{};  ///< device-side free(): takes effect when the launch ends

  /// The first failure decides what the launch reports, but for those that hardware would not notice.
  void fail(LaunchStatus why) {
    const std::lock_guard lock(mutex);
    if (status == LaunchStatus::ok || status == LaunchStatus::sync_fault) status = why;
  }
};

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
  Allocation* last_allocation = nullptr;  ///< most accesses hit the same one again
  SharedPart last_shared_part;            ///< likewise
  std::uint64_t changes =
      0;  ///< stores, atomics that changed something, exits, releases: what can wake others

  /// Grows whenever anybody is known to have changed memory.
  std::uint64_t all_changes() const {
    return changes + launch.memory_changes.load(std::memory_order_relaxed);
  }

  FramePool& frames() { return *frames_; }

  /// Warp instructions that a warp may run before it makes way for others: few under `split`, by chance.
  std::uint64_t turn_length();

  /// Takes `instructions` from the launch's budget; false where the launch is to end
  /// (LaunchBudget::why_ended).
  bool charge(std::uint64_t instructions);

 private:
  // worker_deadlock.cpp
  void begin_round();
  /// After a round in which each resident block had a turn: true where the launch is at an end.
  bool is_deadlock();
  void leave();

  Block* start_block();
  void finish_block(std::unique_ptr<Block> block);

  std::shared_ptr<FramePool> frames_;
  std::deque<std::unique_ptr<Block>> resident_;
  std::vector<std::unique_ptr<Block>> idle_;  ///< to be used again, with all they have allocated
  std::uint64_t uncharged_ = 0;
  std::size_t index_ = 0;            ///< into LaunchState::stuck_at
  std::uint64_t round_epoch_ = 0;    ///< LaunchState::epoch when the round began
  std::uint64_t known_changes_ = 0;  ///< part of `changes` that LaunchState::epoch knows of
  std::size_t stuck_ = 0;            ///< blocks of this round that are stuck
  std::mt19937_64 random_;           ///< under the schedule `split`: lengths of turns, orders of rounds
};

// ---- worker_launch.cpp

struct LaunchOutcome {
  LaunchStatus status = LaunchStatus::ok;
  std::uint64_t warp_instructions = 0;
  double seconds = 0;  ///< of the host
};

/// Runs to the end (or to the fault that ends it). Each event is reported to the observers in the order of
/// `observations`; where there are none the status alone says that there were faults.
LaunchOutcome launch(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                     const LaunchOptions& options, std::span<Observation* const> observations = {});

}  // namespace warpwise::simulator::run
