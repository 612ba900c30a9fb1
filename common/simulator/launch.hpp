#pragma once
/// \file Runs one kernel over a grid.

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "observer.hpp"
#include "program.hpp"

namespace warpwise::simulator::machine {

/// Which of the orders that CUDA allows the lanes of a warp take.
struct Schedule {
  enum class Kind : std::uint8_t {
    converged,  ///< lowest pc first, groups merge when they meet: what a compiler's code does most of the
                ///< time
    lockstep,   ///< as converged, and both sides of a branch meet again at its end before anything else:
                ///< pre-Volta
    split,      ///< groups split and interleave at random, from `seed`
  };
  Kind kind = Kind::converged;
  std::uint64_t seed = 0;

  /// "converged", "lockstep", "split:7". Throws std::invalid_argument with a sentence that lists them.
  static Schedule parse(std::string_view text);
  std::string spelled() const;
};

/// How far a launch is while it runs.
struct LaunchProgress {
  double seconds = 0;  ///< of the host, since it began
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_ended = 0, blocks = 0;
};

struct LaunchOptions {
  Schedule schedule;
  std::uint32_t threads = 0;             ///< host threads; 0: as many as there are cores
  std::uint64_t budget = 2'000'000'000;  ///< warp instructions for the whole launch
  /// Blocks that are under way at the same time, at most; 0: as many as the machine finds useful. CUDA
  /// promises none but one: a block that waits for a later one may wait for ever.
  std::uint32_t resident_blocks = 0;
  double most_idle_seconds = 0;  ///< of the host, in which no block ends: then the launch does; 0: any
  /// Once it is true the launch ends, and its status is `interrupted`. Not owned; null: nothing interrupts
  /// it.
  const std::atomic<bool>* interruption = nullptr;
  /// Called by one host thread at a time: after 0.625 seconds, and whenever a launch has run twice as long.
  std::function<void(const LaunchProgress&)> on_progress;
  bool is_cooperative = false;  ///< all blocks are resident: grid barriers complete
  /// What a shuffle reads from a lane that takes no part: poison, so that nobody computes with it unnoticed,
  /// or 0, which an H200 gives.
  bool are_absent_lanes_zero = false;
  /// Receives what the kernel's printf writes, in order a block; default: stdout.
  std::function<void(std::string_view)> print;
};

struct LaunchRequest {
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  /// One pointer a parameter to its value, as cudaLaunchKernel takes them; sizes are the kernel's own.
  std::span<const void* const> arguments;
  /// Bytes of each argument, where the caller knows them: a kernel that takes others does not start. Empty:
  /// they are as the kernel has them.
  std::span<const std::size_t> argument_bytes = {};
};

enum class LaunchStatus : std::uint8_t {
  ok,
  memory_fault,  ///< an access was out of bounds, misaligned or to read-only memory
  sync_fault,    ///< a mask, the source of a shuffle, barriers at different places: the launch went on
  deadlock,  ///< a barrier that part of a block never reaches, threads that wait or loop for ever: it ended
  budget_spent,
  trapped,
  assertion_failed,
  unsupported,
  interrupted,
};

struct LaunchOutcome {
  LaunchStatus status = LaunchStatus::ok;
  std::uint64_t warp_instructions = 0;
  double seconds = 0;  ///< of the host
};

/// Thrown for a launch that cannot start: no such kernel, a block that is too large, too much shared memory
/// ...
class LaunchError : public std::runtime_error {
 public:
  enum class Reason { no_such_kernel, bad_grid, bad_block, clusters, too_much_shared_memory, bad_arguments };
  LaunchError(Reason reason, const std::string& message) : std::runtime_error(message), reason_(reason) {}
  Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

/// Limits of the simulated GPU (CUDA programming guide, "Technical specifications per compute capability").
inline constexpr std::uint32_t max_block_threads = 1024;
inline constexpr std::uint32_t max_shared_bytes = 227 * 1024;
inline constexpr std::uint32_t reserved_shared_bytes = 1024;  ///< beside them, the system's

/// Runs to the end (or to the fault that ends it). Each event is reported to the observers in the order of
/// `observations`; where there are none the status alone says that there were faults.
LaunchOutcome launch(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                     const LaunchOptions& options, std::span<Observation* const> observations = {});

}  // namespace warpwise::simulator::machine
