#pragma once
/// \file Who did how much of a launch. Counters are sums over a launch; a tree and one thread that adds
/// everything can have the same ones. So observers look closer: who adds, who reads and writes which array,
/// what each warp does.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../device/simulated_device.hpp"
#include "joins.hpp"

namespace warpwise::harness {

/// Which instructions are counted.
using IsCounted = bool (*)(const simulator::Program&, simulator::Pc);
/// Every arithmetic instruction on f32 or f64 that combines two values: add, sub, fma, mad, and a comparison
/// (setp), which a maximum may be made of; and max and min of any type, since a maximum of floats may be
/// taken of integers that have the same order. Sums of integers are not among them: addresses are such sums.
bool is_addition(const simulator::Program& program, simulator::Pc pc);

/// What one warp of a launch did.
struct WarpWork {
  std::uint64_t block = 0;  ///< linear
  std::uint32_t warp = 0;   ///< in the block
  std::uint64_t instructions = 0;
  std::uint64_t single_lane_instructions = 0;  ///< of them, by one lane alone
  std::uint64_t additions = 0;                 ///< counted once for all lanes that make them together
  std::uint64_t loaded_bytes = 0;              ///< from global memory, summed over its lanes
  std::uint64_t widest_load = 0;  ///< bytes from the first to the last that one load of its lanes touches
};

/// The work of one launch on the simulated GPU, of which no block ended early. For additions read what else
/// is counted.
struct Work {
  struct Thread {
    std::uint64_t block = 0;
    std::uint32_t number = 0;  ///< in the block
    std::uint64_t count = 0;   ///< of additions, or of words
  };
  Thread busiest;         ///< a thread that adds most often; the first of several
  Thread busiest_reader;  ///< likewise one that loads most words of 4 bytes, from shared and global memory:
                          ///< it may add in integers, unseen
  std::uint64_t by_all_threads = 0;  ///< additions, summed over the threads
  /// Instructions that add up 32 values of a bit, or integers, at once, counted once for a warp: votes,
  /// __syncthreads_count(), __reduce_add_sync().
  std::uint64_t collective = 0;

  /// What is read from one array in global memory.
  struct Reads {
    std::uint64_t requests = 0, sectors = 0;
  };
  std::map<std::string, Reads> reads;  ///< by the name of the buffer

  /// The threads that store to one array in global memory, by their number in the block: the first and the
  /// last of all blocks.
  struct Writers {
    std::uint32_t lowest = ~0u, highest = 0;
  };
  std::map<std::string, Writers> writers;  ///< by the name of the buffer

  /// What is joined, by whichever instructions: for who makes too many additions, or too few. The launch is
  /// made once more for it, as long as it is the latest.
  const simulator::Program* program = nullptr;  ///< of the launch
  std::function<std::optional<Joins>()> joins = [] { return std::optional<Joins>(); };

  std::vector<WarpWork> warps;  ///< by block, then warp
  /// Of all warps together, and of the warp that has most of it: `work.total(&WarpWork::loaded_bytes)`
  std::uint64_t total(std::uint64_t WarpWork::*what) const;
  std::uint64_t most(std::uint64_t WarpWork::*what) const;
};

/// The work in the launch that `run()` makes on `device`; of several, in the last.
Work work_of(SimulatedDevice& device, IsCounted is_counted, const std::function<void()>& run);

struct LaunchAndWork {
  Launch launch;
  Work work;
};
/// The launch that `run(device, arguments...)` makes and returns, and who did what in it.
///
///     const auto [launch, work] = launch_and_work(simulated(), launch_scores, board, block);
template <class Run, class... Arguments>
LaunchAndWork launch_and_work(SimulatedDevice& device, Run run, const Arguments&... arguments) {
  std::optional<Launch> launch;
  Work work = work_of(device, is_addition, [&] { launch = run(device, arguments...); });
  return {std::move(*launch), std::move(work)};
}

}  // namespace warpwise::harness
