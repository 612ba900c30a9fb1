// Threads that skip a block barrier that others of their block wait at, and end without it. The hardware lets
// them: a thread that has ended is no longer waited for. So an early `return` before a barrier is right, and
// common. But a thread that goes round the barrier to code *behind* it, or that an `if` or a loop around the
// barrier keeps away, has taken another path through the kernel than CUDA allows:
// `if (tid < stride) { ...; __syncthreads(); }`.
#include "observers.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "findings.hpp"
#include "kept_away.hpp"

namespace warpwise::simulator::observe {

namespace {

/// For one host thread.
class BarrierBypass final : public Observer {
 public:
  BarrierBypass(const Watched& watched, FindingLog& log)
      : program_(*watched.launch.program), history_(watched.slots), blocks_(watched.slots), log_(log) {}

  void on_block_begin(const BlockContext& block) override {
    history_.begin(block);
    blocks_[block.slot] = {};
  }
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override {
    history_.note(warp, pc, active, taken);
  }
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t, LaneMask) override {
    blocks_[warp.block->slot].last_arrival = pc;
  }
  void on_barrier_release(const BlockContext& block, std::uint32_t, std::span<const LaneMask> lanes_by_warp,
                          bool is_whole_block) override;

 private:
  struct Block {
    Pc last_arrival = 0;
    std::map<Pc, std::vector<LaneMask>> looked_at;  ///< by barrier and warp: lanes that had ended
  };
  bool leads_round(Pc branch, Pc barrier);

  const Program& program_;
  BranchHistory history_;
  std::vector<Block> blocks_;  ///< by slot
  std::map<std::pair<Pc, Pc>, bool> leads_round_;
  FindingLog& log_;
};

/// Whether who does not come from `branch` to `barrier` should not have parted from the others there: its
/// sides meet again, not only to end, or the source has the barrier in the body of that `if` or loop.
bool BarrierBypass::leads_round(Pc branch, Pc barrier) {
  const auto [known, is_new] = leads_round_.try_emplace({branch, barrier});
  if (is_new) {
    const std::vector<SourceHead> heads = heads_around(program_, barrier);
    const SourcePlace place = near_place_of(program_, branch).place;
    const auto meeting = program_.meeting_of(branch);
    known->second =
        (meeting && program_.class_of(*meeting) != ptx::InstructionClass::exit) ||
        std::any_of(heads.begin(), heads.end(), [&](const auto& head) { return head.is_at(place); });
  }
  return known->second;
}

void BarrierBypass::on_barrier_release(const BlockContext& block, std::uint32_t,
                                       std::span<const LaneMask> lanes_by_warp, bool is_whole_block) {
  Block& here = blocks_[block.slot];
  const Pc pc = here.last_arrival;
  for (std::uint32_t warp = 0; is_whole_block && warp < lanes_by_warp.size(); ++warp) {
    const std::uint32_t left = block.threads - warp * warp_size;
    const LaneMask born = left >= warp_size ? all_lanes : lane_bit(left) - 1;
    if ((born & ~lanes_by_warp[warp]) == 0) continue;
    auto& looked_at = here.looked_at[pc];
    looked_at.resize(lanes_by_warp.size());
    const LaneMask ended =
        born & ~lanes_by_warp[warp] & ~std::exchange(looked_at[warp], born & ~lanes_by_warp[warp]);
    std::optional<Pc> branch;
    LaneMask alike = 0;
    for (const std::uint32_t lane : lanes_in(ended)) {
      const auto its = history_.branch_before(program_, block, warp, lane, pc);
      if (!its || (branch ? its != branch : !leads_round(*its, pc))) continue;
      branch = its;
      alike |= lane_bit(lane);
    }
    if (!branch) continue;
    log_.add(FindingKind::barrier, pc, block.linear, [&] {
      Words words = words_of_bypass(program_, *branch, pc, warp, alike);
      return Description{
          pc, words.other_pc, threads_of(warp, alike), words.message, words.note, words.help, {}, false, ""};
    });
    return;
  }
}

}  // namespace

std::unique_ptr<ReportPart> barrier_bypass(const Watched& watched) {
  const Program& program = *watched.launch.program;
  for (Pc pc = watched.launch.reach.begin; pc < watched.launch.reach.end; ++pc)
    if (program.class_of(pc) == ptx::InstructionClass::block_barrier)
      return std::make_unique<ObserverPart<const Watched&, BarrierBypass>>(watched);
  return nullptr;
}

}  // namespace warpwise::simulator::observe
