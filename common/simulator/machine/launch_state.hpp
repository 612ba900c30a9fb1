#pragma once
/// \file What all workers of one launch share.

#include <atomic>
#include <mutex>

#include "code.hpp"
#include "launch.hpp"

namespace warpwise::simulator::machine {

struct LaunchState {
  const Program& program;
  const Code& code;
  GlobalMemory& memory;
  const LaunchRequest& request;
  const LaunchOptions& options;
  LaunchContext context{};
  std::uint32_t kernel = 0;  ///< index into Code::functions
  std::uint32_t static_shared_bytes = 0;
  std::vector<std::byte> parameters{};
  /// Of a cooperative launch: two words, the second of them the barrier of cooperative_groups::grid_group
  /// (cooperative_groups/details/driver_abi.h). 0: grid barriers cannot be used.
  std::uint64_t grid_workspace = 0;

  std::atomic<std::uint64_t> next_block{0};
  std::atomic<std::int64_t> budget{0};
  std::atomic<std::uint64_t> instructions{0};
  std::atomic<bool> must_stop{false};
  std::atomic<std::uint64_t> epoch{1};  ///< grows when a worker's blocks change memory or start

  std::mutex mutex{};  ///< guards what follows
  std::vector<std::uint32_t> free_slots{};
  std::vector<std::uint64_t> stuck_at{};  ///< by worker: the epoch in which all its blocks were stuck
  LaunchStatus status = LaunchStatus::ok;
  std::string message{};
  std::vector<std::uint64_t> released{};  ///< device-side free(): takes effect when the launch ends

  /// The first failure decides what the launch reports.
  void fail(LaunchStatus why, std::string text) {
    const std::lock_guard lock(mutex);
    if (status != LaunchStatus::ok) return;
    status = why;
    message = std::move(text);
  }
};

}  // namespace warpwise::simulator::machine
