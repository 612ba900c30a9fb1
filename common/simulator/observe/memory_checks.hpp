#pragma once
/// \file Looks at each access to memory: is there something to read, and is it ordered with those of other
/// threads?

#include <memory>
#include <optional>
#include <vector>

#include "../machine/observer.hpp"
#include "block_order.hpp"
#include "copies_under_way.hpp"
#include "findings.hpp"
#include "global_shadow.hpp"
#include "naming.hpp"
#include "program_facts.hpp"
#include "race_global.hpp"
#include "race_shared.hpp"
#include "strong_uses.hpp"

namespace warpwise::simulator {

/// What the host threads of a launch have in common.
struct MemoryHistory {
  MemoryHistory(const machine::LaunchContext& context, std::uint32_t slot_count, const Naming& names,
                std::uint64_t race_memory)
      : launch(context),
        slots(slot_count),
        naming(names),
        facts(context),
        uses(context, facts),
        shadow(facts.global_granule, race_memory) {}

  const machine::LaunchContext& launch;
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
class MemoryChecks final : public machine::Observer {
 public:
  /// `history` and `log` outlive it.
  MemoryChecks(MemoryHistory& history, FindingLog& log);

  void on_block_begin(const machine::BlockContext& block) override;
  void on_access(const machine::WarpContext& warp, const machine::Access& access) override;
  void on_barrier_arrive(const machine::WarpContext& warp, machine::Pc pc, std::uint32_t barrier,
                         machine::LaneMask lanes) override;
  void on_barrier_release(const machine::BlockContext& block, std::uint32_t barrier,
                          std::span<const machine::LaneMask>, bool is_whole_block) override;
  void on_warp_barrier(const machine::WarpContext& warp, machine::Pc, machine::LaneMask lanes) override;
  void on_collective(const machine::WarpContext& warp, machine::Pc, machine::LaneMask lanes) override;
  void on_copy_commit(const machine::WarpContext& warp, machine::LaneMask lanes) override;
  void on_copy_wait(const machine::WarpContext& warp, std::uint32_t left, machine::LaneMask lanes) override;
  void on_fence(const machine::WarpContext& warp, machine::Pc, machine::Scope scope,
                machine::LaneMask lanes) override;
  void on_undefined_use(const machine::WarpContext& warp, const machine::UndefinedUse& use) override;

 private:
  /// What is known of one block.
  struct Block {
    explicit Block(MemoryHistory& history);
    BlockOrder order;
    SharedRaces shared_races;
    CopiesUnderWay copies;
  };

  Block& block_of(const machine::WarpContext& warp) { return *blocks_[warp.block->slot]; }
  void check_used_bytes(const machine::WarpContext& warp, const machine::Access& access);
  void check(const machine::WarpContext& warp, const machine::Access& access);
  void report_clash(const machine::WarpContext& warp, const machine::Access& access,
                    const CopiesUnderWay::Clash& clash);
  std::optional<machine::Pc> passed_before(const machine::WarpContext& warp, const Race& race);
  void report_race(const machine::WarpContext& warp, const machine::Access& access, const Race& found);

  MemoryHistory& history_;
  FindingLog& log_;
  GlobalRaces global_races_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< by slot, made when first used
};

}  // namespace warpwise::simulator
