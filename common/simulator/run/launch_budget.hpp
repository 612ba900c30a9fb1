#pragma once
/// \file What a launch may still spend: warp instructions, and time in which none of its blocks ends.

#include <atomic>
#include <mutex>
#include <string>

#include "../host/host.hpp"
#include "../launch.hpp"

namespace warpwise::simulator::run {

/// Shared by the host threads of a launch.
class LaunchBudget {
 public:
  LaunchBudget(const LaunchOptions& options, std::uint64_t blocks);

  /// So many more warp instructions have run. False where the launch is to end: why_ended() says why.
  bool spend(std::uint64_t instructions);
  void note_block_end();
  /// "it spent its budget of 5000000 warp instructions"
  std::string why_ended() const;

 private:
  bool is_idle(double seconds);
  void report(double seconds);

  const LaunchOptions& options_;
  const std::uint64_t blocks_;
  const double start_ = host::seconds();
  std::atomic<std::uint64_t> spent_{0}, blocks_ended_{0};
  std::mutex mutex_;  ///< guards what follows
  double next_report_ = 0.625;
  std::uint64_t known_ended_ = 0;  ///< of blocks_ended_, when it last grew ...
  double last_end_ = 0;            ///< ... as far as anybody has looked
};

}  // namespace warpwise::simulator::run
