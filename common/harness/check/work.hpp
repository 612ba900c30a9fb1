#pragma once
/// \file Who did how much of a launch. Counters are sums over a launch; a tree and one thread that adds
/// everything can have the same ones. So observers look closer: whom how many values reach, who reads and
/// writes which array, what each warp does; and terms say who joins what (joins.hpp).

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

/// What one warp of a launch did.
struct WarpWork {
  std::uint64_t block = 0;  ///< linear
  std::uint32_t warp = 0;   ///< in the block
  std::uint64_t instructions = 0;
  std::uint64_t single_lane_instructions = 0;  ///< of them, by one lane alone
  std::uint64_t chosen_instructions = 0;       ///< of them, those that work_of() is asked to count
  std::uint64_t loaded_bytes = 0;              ///< from global memory, summed over its lanes
  std::uint64_t widest_load = 0;  ///< bytes from the first to the last that one load of its lanes touches
  std::uint64_t words = 0;        ///< that reach it, as in Work::reached; counted once for all lanes together
};

/// The work of one launch on the simulated GPU, of which no block ended early.
struct Work {
  /// A thread that most words of 4 bytes reach, by loads from shared and global memory and by exchanges in
  /// its warp; the first of several. A vote hands it something of 32 lanes, __syncthreads_count() of all. In
  /// a tree, who gets k words joins k - 1.
  ThreadCount reached;

  /// What is read from one array in global memory; `bytes`: by all lanes together.
  struct Reads {
    std::uint64_t requests = 0, sectors = 0, bytes = 0;
  };
  std::map<std::string, Reads> reads;  ///< by the name of the buffer

  /// A thread that loads most bytes from global memory; the first of several.
  ThreadCount loaded;

  /// The first instruction that loads from shared or global memory for lanes of a warp that are not
  /// neighbours, as one between them does not load; and these lanes.
  using LanesApart = std::pair<simulator::Pc, simulator::LaneMask>;
  std::optional<LanesApart> loads_apart;

  /// The threads that store to one array in global memory, by their number in the block: the first and the
  /// last of all blocks.
  struct Writers {
    std::uint32_t lowest = ~0u, highest = 0;
    std::uint64_t bytes = 0;  ///< that all of them together store
    /// By block: the first and the last element that it stores to.
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> elements = {};
    void add(const Writers& others);
  };
  std::map<std::string, Writers> writers;  ///< by the name of the buffer

  /// What is joined, by whichever instructions; empty where the launch cannot be followed. It is made once
  /// more for it, as long as it is the latest.
  const std::optional<Joins>& joins() const {
    if (!joins_) joins_ = ask_joins();
    return *joins_;
  }
  std::function<std::optional<Joins>()> ask_joins = [] { return std::optional<Joins>(); };

  const simulator::Program* program = nullptr;  ///< of the launch

  std::vector<WarpWork> warps;  ///< by block, then warp
  /// Of all warps together, and of the warp that has most of it: `work.total(&WarpWork::loaded_bytes)`
  std::uint64_t total(std::uint64_t WarpWork::*what) const;
  std::uint64_t most(std::uint64_t WarpWork::*what) const;

 private:
  mutable std::optional<std::optional<Joins>> joins_;
};

/// Which instructions are counted.
using IsChosen = bool (*)(const simulator::Program&, simulator::Pc);

/// The work in the launch that `run()` makes on `device`; of several, in the last. Fails where a strong load
/// (volatile, relaxed ...) gets what another thread of the block has written and no barrier was between the
/// two: so waits who reads again and again, and contracts ask for barriers.
Work work_of(SimulatedDevice& device, const std::function<void()>& run, IsChosen is_chosen = nullptr);

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
  Work work = work_of(device, [&] { launch = run(device, arguments...); });
  return {std::move(*launch), std::move(work)};
}

}  // namespace warpwise::harness
