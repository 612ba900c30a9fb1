#pragma once
/// \file Counts what one host thread's blocks do, instruction by instruction.

#include <cstdint>
#include <vector>

#include "../program.hpp"
#include "../report.hpp"

namespace warpwise::simulator::observe {

/// Dense arrays by place in the launch's reach while the kernel runs; names and source lines only at the end.
class Counting final : public Observer {
 public:
  Counting(const LaunchContext& launch, std::uint32_t slots);

  void on_run(const WarpContext&, Pc first, Pc last, LaneMask lanes) override {
    const std::int64_t threads = lane_count(lanes);
    Steps& begin = steps_[reach_.index_of(first)];
    ++begin.warps;
    begin.threads += threads;
    Steps& end = steps_[reach_.index_of(last) + 1];
    --end.warps;
    end.threads -= threads;
  }
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override;
  void on_access(const WarpContext&, const Access& access) override;
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask) override;
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask>,
                          bool) override;

  /// Adds what was counted to `by_pc` (one entry for each instruction of the launch's reach) and
  /// `by_interval`.
  void add_to(std::vector<Counters>& by_pc, std::vector<std::uint64_t>& by_interval) const;

 private:
  struct Memory {
    std::uint64_t requests = 0;
    std::uint64_t cost = 0;  ///< wavefronts of shared memory, sectors of global memory
    std::uint64_t bank_conflicts = 0;
  };
  void add_runs(std::vector<Counters>& by_pc) const;

  const Program& program_;
  const PcRange reach_;
  // on_run counts an interval of pcs by its ends: +1 at the first, -1 behind the last; sums give the rest.
  struct Steps {
    std::int64_t warps = 0, threads = 0;
  };
  std::vector<Steps> steps_;
  std::vector<std::uint64_t> branches_, divergent_branches_, releases_;
  // An instruction may be generic, and meet shared memory one time and global memory the next.
  std::vector<Memory> shared_, global_, local_;
  std::vector<Pc> last_arrival_;  ///< by slot and barrier
  std::vector<std::uint64_t> divergent_by_interval_;
};

}  // namespace warpwise::simulator::observe
