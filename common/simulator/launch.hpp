#pragma once
/// \file One launch of a kernel: what it is asked for, how it may end, and the blocks, warps and lanes of
/// which observers hear while it runs.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "global_memory.hpp"
#include "program.hpp"

namespace warpwise::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
};

/// Which of the orders that CUDA allows the lanes of a warp take.
struct Schedule {
  enum class Kind : std::uint8_t {
    converged,  ///< lowest pc first, groups merge when they meet: what a compiler's code does most of the
                ///< time
    lockstep,   ///< as converged, and both sides of a branch meet again at its end before anything else:
                ///< pre-Volta
    split,      ///< groups split, and groups, warps and blocks interleave, at random, from `seed`
  };
  Kind kind = Kind::converged;
  std::uint64_t seed = 0;

  /// "converged", "lockstep", "split:7". Throws std::invalid_argument with a sentence that lists them.
  static Schedule parse(std::string_view text);
  std::string spelled() const;
};

/// How far a launch has come while it runs.
struct LaunchProgress {
  double seconds = 0;  ///< of the host, since it began
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_ended = 0, blocks = 0;
};

struct LaunchOptions {
  Schedule schedule;
  std::uint32_t threads = 0;             ///< host threads; 0: as many as there are cores
  std::uint64_t budget = 2'000'000'000;  ///< warp instructions for the whole launch
  /// Of the budget, for an access that cannot be made. A GPU ends at the first; what follows here is told,
  /// but not for ever.
  std::uint64_t bad_access_costs = 1;
  /// At most so many blocks run at the same time; 0: as many as the machine finds useful. CUDA promises no
  /// more than one: a block that waits for a later one may wait for ever.
  std::uint32_t resident_blocks = 0;
  /// A launch ends when no block has finished for so many seconds of the host; 0: it goes on.
  double most_idle_seconds = 0;
  /// Once it is true the launch ends, and its status is `interrupted`. Not owned; null: nothing interrupts
  /// it.
  const std::atomic<bool>* interruption = nullptr;
  /// Called by one host thread at a time: after 0.625 seconds, and whenever a launch has run twice as long.
  std::function<void(const LaunchProgress&)> on_progress;
  /// Only these blocks of the grid run, in this order: their linear numbers, x fastest. The registers say
  /// what they would say in the whole grid, whose other blocks have not begun. Empty: all blocks, ascending.
  std::vector<std::uint64_t> only_blocks = {};
  bool is_cooperative = false;  ///< all blocks are resident: grid barriers complete
  /// What a shuffle reads from a lane that takes no part: poison, so that nobody computes with it unnoticed,
  /// or 0, which an H200 gives.
  bool are_absent_lanes_zero = false;
  /// Receives what the kernel's printf has written, once a block, when that has ended; default: stdout.
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
/// What a block may have of it unless the host asks for more (cudaFuncSetAttribute).
inline constexpr std::uint32_t usual_shared_bytes = 48 * 1024;
inline constexpr std::uint32_t reserved_shared_bytes = 1024;  ///< beside them, the system's

// ---- Lanes, warps, blocks --------------------------------------------------------------------------------

inline constexpr std::uint32_t warp_size = 32;

/// Bit i stands for lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = 0xffffffffu;

inline constexpr LaneMask lane_bit(std::uint32_t lane) { return LaneMask{1} << lane; }
inline std::uint32_t lane_count(LaneMask mask) { return static_cast<std::uint32_t>(std::popcount(mask)); }
inline std::uint32_t lowest_lane(LaneMask mask) { return static_cast<std::uint32_t>(std::countr_zero(mask)); }

/// The lanes of a mask, ascending: `for (const std::uint32_t lane : lanes_in(mask))`.
class LaneRange {
 public:
  struct Iterator {
    LaneMask rest;
    std::uint32_t operator*() const { return lowest_lane(rest); }
    void operator++() { rest &= rest - 1; }
    bool operator!=(Iterator other) const { return rest != other.rest; }
  };
  explicit LaneRange(LaneMask mask) : mask_(mask) {}
  Iterator begin() const { return {mask_}; }
  Iterator end() const { return {0}; }

 private:
  LaneMask mask_;
};
inline LaneRange lanes_in(LaneMask mask) { return LaneRange(mask); }

/// Those of `lanes`, at least one, whose key is that of the lowest.
template <class Key>
LaneMask agreeing(LaneMask lanes, Key key_of) {
  const auto first = key_of(lowest_lane(lanes));
  LaneMask same = 0;
  for (const std::uint32_t lane : lanes_in(lanes))
    if (key_of(lane) == first) same |= lane_bit(lane);
  return same;
}

/// Calls part(same) for each set of lanes whose keys are the same, in the order of their lowest lanes.
template <class Key, class Part>
void for_each_agreeing(LaneMask lanes, Key key_of, Part part) {
  while (lanes != 0) {
    const LaneMask same = agreeing(lanes, key_of);
    part(same);
    lanes &= ~same;
  }
}

/// One launch, as observers see it.
struct LaunchContext {
  const Program* program = nullptr;
  GlobalMemory* memory = nullptr;
  std::string kernel;
  Dim3 grid, block;
  std::uint32_t asked_shared_bytes = 0;     ///< of a block: static + dynamic, as the program asked
  std::uint32_t shared_bytes = 0;           ///< the same with gaps between variables, and the system's
  std::uint32_t reserved_shared_bytes = 0;  ///< of them, at their end, the system's
  PcRange reach{};                          ///< what the launch may execute lies in here
  std::span<const std::byte> parameters{};  ///< the arguments, packed; while the launch runs
};

/// One block while it runs.
struct BlockContext {
  const LaunchContext* launch = nullptr;
  std::uint64_t linear = 0;  ///< x fastest
  Dim3 index;
  std::uint32_t threads = 0;
  std::uint32_t warps = 0;
  std::span<const std::byte> shared;  ///< contents, as they are now
  std::uint32_t barriers_passed = 0;  ///< releases of a barrier that all threads of the block took part in
  /// For observers: index of a slot that no other block uses at the same time, below `slots` of the launch.
  std::uint32_t slot = 0;
};

/// One warp of a block: handed to every event. Linear thread number = 32 * warp + lane.
struct WarpContext {
  const BlockContext* block = nullptr;
  std::uint32_t warp = 0;
  LaneMask exited = 0;  ///< lanes that have left the kernel, or never existed
};

}  // namespace warpwise::simulator
