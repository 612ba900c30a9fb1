#pragma once
/// \file Threads that go around a block barrier that others of their block wait at, and end without it. The
/// hardware lets them: a thread that has ended is no longer waited for. So an early `return` before a barrier
/// is right, and common. But a thread that skips the barrier and then runs code *behind* it has taken another
/// way through the kernel than CUDA allows: `if (tid < stride) { ...; __syncthreads(); }`.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "findings.hpp"

namespace warpwise::simulator::observe {

/// The kernel's barriers, and which instructions lie before and behind each. Back edges of loops do not count
/// as ways: the head of a loop is before the barriers in its body, its end behind them.
class BarrierMap {
 public:
  explicit BarrierMap(const LaunchContext& launch);

  /// At most 64 barriers that can be gone around; beyond, and where jumps are computed, none are watched.
  std::uint32_t size() const { return static_cast<std::uint32_t>(barriers_.size()); }
  std::optional<std::uint32_t> index_of(Pc pc) const {
    if (barriers_.empty() || index_[reach_.index_of(pc)] == no_index) return std::nullopt;
    return index_[reach_.index_of(pc)];
  }
  Pc pc_of(std::uint32_t index) const { return barriers_[index]; }
  /// Bit i: the instruction lies behind (before) barrier i. An instruction that only ends the thread lies
  /// nowhere.
  std::uint64_t behind(Pc pc) const { return behind_[reach_.index_of(pc)]; }
  std::uint64_t before(Pc pc) const { return before_[reach_.index_of(pc)]; }

 private:
  static constexpr std::uint8_t no_index = 0xff;
  PcRange reach_;
  std::vector<Pc> barriers_;
  std::vector<std::uint8_t> index_;             ///< into barriers_; empty where barriers_ is
  std::vector<std::uint64_t> behind_, before_;  ///< by place in the reach, as index_
};

/// For one host thread. `map` and `log` outlive it.
class BarrierBypass final : public Observer {
 public:
  BarrierBypass(const BarrierMap& map, std::uint32_t slots, FindingLog& log)
      : map_(map), blocks_(slots), log_(log) {}

  void on_block_begin(const BlockContext& block) override;
  void on_run(const WarpContext& warp, Pc, Pc last, LaneMask lanes) override {
    if ((map_.behind(last) | map_.before(last)) != 0) pass(warp, last, lanes);
  }
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t, LaneMask lanes) override;
  void on_barrier_release(const BlockContext& block, std::uint32_t, std::span<const LaneMask> lanes_by_warp,
                          bool) override;

 private:
  struct Block {
    std::optional<std::uint32_t> last_arrival;
    /// By warp and barrier: lanes behind it that did not come through it, and lanes that did.
    std::vector<LaneMask> around, through;
  };

  void pass(const WarpContext& warp, Pc last, LaneMask lanes);

  const BarrierMap& map_;
  std::vector<Block> blocks_;  ///< by slot
  FindingLog& log_;
};

}  // namespace warpwise::simulator::observe
