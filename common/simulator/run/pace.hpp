#pragma once
/// \file How a launch gets on: what it may still spend, and whether its blocks come to an end.

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

#include "../launch.hpp"

namespace warpwise::simulator::run {

/// Shared by the host threads of a launch.
class Pace {
 public:
  Pace(const LaunchOptions& options, std::uint64_t blocks);

  /// So many warp instructions more have run. False where the launch is to end: why_ended() says why.
  bool spend(std::uint64_t instructions);
  void note_block_end();
  /// "it spent its budget of 5000000 warp instructions"
  std::string why_ended() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool is_idle(double seconds);
  void report(double seconds);
  double seconds_since_start() const;

  const LaunchOptions& options_;
  const std::uint64_t blocks_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> spent_{0}, blocks_ended_{0};
  std::mutex mutex_;  ///< guards what follows
  double next_report_ = 0.625;
  std::uint64_t known_ended_ = 0;  ///< of blocks_ended_, when it last grew ...
  double last_end_ = 0;            ///< ... as far as anybody has looked
};

}  // namespace warpwise::simulator::run
