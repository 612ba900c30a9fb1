#pragma once
/// \file Looks at each access to memory: is there something to read, and is it ordered with those of other
/// threads?

#include <memory>
#include <optional>
#include <vector>

#include "../observer.hpp"
#include "block_order.hpp"
#include "copies_under_way.hpp"
#include "findings.hpp"
#include "global_shadow.hpp"
#include "naming.hpp"
#include "program_facts.hpp"
#include "race_global.hpp"
#include "race_shared.hpp"
#include "strong_uses.hpp"

namespace warpwise::simulator::observe {

/// What the host threads of a launch have in common.
struct MemoryHistory {
  MemoryHistory(const LaunchContext& context, std::uint32_t slot_count, const Naming& names,
                std::uint64_t race_memory)
      : launch(context),
        slots(slot_count),
        naming(names),
        facts(context),
        uses(context, facts),
        shadow(facts.global_granule, race_memory) {}

  const LaunchContext& launch;
  std::uint32_t slots;
  const Naming& naming;
  ProgramFacts facts;
  StrongUses uses;
  GlobalShadow shadow;
  SyncVariables variables;
};

/// For one host thread. The checks are one observer because each access passes them in this order: what a
/// cp.async may still be writing, what no barrier or fence orders. What nobody has written the machine
/// follows, and reports where it is used.
class MemoryChecks final : public Observer {
 public:
  /// `history` and `log` outlive it.
  MemoryChecks(MemoryHistory& history, FindingLog& log);

  void on_block_begin(const BlockContext& block) override;
  void on_access(const WarpContext& warp, const Access& access) override;
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask lanes) override;
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask>,
                          bool is_whole_block) override;
  void on_warp_barrier(const WarpContext& warp, Pc, LaneMask lanes) override;
  void on_collective(const WarpContext& warp, Pc, LaneMask lanes) override;
  void on_copy_commit(const WarpContext& warp, LaneMask lanes) override;
  void on_copy_wait(const WarpContext& warp, std::uint32_t left, LaneMask lanes) override;
  void on_fence(const WarpContext& warp, Pc, Scope scope, LaneMask lanes) override;
  void on_undefined_use(const WarpContext& warp, const UndefinedUse& use) override;

 private:
  /// What is known of one block.
  struct Block {
    explicit Block(MemoryHistory& history);
    BlockOrder order;
    SharedRaces shared_races;
    CopiesUnderWay copies;
  };

  Block& block_of(const WarpContext& warp) { return *blocks_[warp.block->slot]; }
  void check_used_bytes(const WarpContext& warp, const Access& access);
  void check(const WarpContext& warp, const Access& access);
  void report_clash(const WarpContext& warp, const Access& access, const CopiesUnderWay::Clash& clash);
  std::optional<Pc> passed_before(const WarpContext& warp, const Race& race);
  void report_race(const WarpContext& warp, const Access& access, const Race& found);

  MemoryHistory& history_;
  FindingLog& log_;
  GlobalRaces global_races_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< by slot, made when first used
};

}  // namespace warpwise::simulator::observe
