#pragma once
/// \file Takes the events of one host thread to those who count, check and note down.

#include <memory>
#include <vector>

#include "barrier_bypass.hpp"
#include "block_order.hpp"
#include "copies_under_way.hpp"
#include "counting.hpp"
#include "findings.hpp"
#include "global_shadow.hpp"
#include "naming.hpp"
#include "program_facts.hpp"
#include "race_global.hpp"
#include "race_shared.hpp"
#include "watch.hpp"
#include "written_bits.hpp"

namespace warpwise::simulator {

/// What all watchers of a launch share.
struct WatchedLaunch {
  WatchedLaunch(const machine::LaunchContext& context, std::uint32_t slot_count);

  const machine::LaunchContext& launch;
  std::uint32_t slots;
  ProgramFacts facts;
  BarrierMap barriers;
  Naming naming;
  GlobalShadow shadow;
  SyncVariables variables;
};

class Watcher : public machine::Observer {
 public:
  Watcher(WatchedLaunch& watched, Watch watch);

  const Counting& counting() const { return counting_; }
  const FindingLog& log() const { return log_; }
  bool has_ended_launch() const { return has_ended_launch_; }

  void on_block_begin(const machine::BlockContext& block) override;
  void on_run(const machine::WarpContext&, machine::Pc first, machine::Pc last,
              machine::LaneMask lanes) override;
  void on_branch(const machine::WarpContext& warp, machine::Pc pc, machine::LaneMask active,
                 machine::LaneMask taken) override;
  void on_access(const machine::WarpContext& warp, const machine::Access& access) override;
  void on_barrier_arrive(const machine::WarpContext& warp, machine::Pc pc, std::uint32_t barrier,
                         machine::LaneMask lanes) override;
  void on_barrier_release(const machine::BlockContext& block, std::uint32_t barrier,
                          std::span<const machine::LaneMask> lanes_by_warp, bool is_whole_block) override;
  void on_warp_barrier(const machine::WarpContext& warp, machine::Pc pc, machine::LaneMask lanes) override;
  void on_collective(const machine::WarpContext& warp, machine::Pc pc, machine::LaneMask lanes) override;
  void on_copy_commit(const machine::WarpContext& warp, machine::LaneMask lanes) override;
  void on_copy_wait(const machine::WarpContext& warp, std::uint32_t left, machine::LaneMask lanes) override;
  void on_fence(const machine::WarpContext& warp, machine::Pc pc, machine::Scope scope,
                machine::LaneMask lanes) override;
  void on_fault(const machine::WarpContext& warp, const machine::Fault& fault) override;

 private:
  struct Slot {
    Slot(WatchedLaunch& watched);
    BlockOrder order;
    SharedRaces shared_races;
    WrittenBits written;
    BarrierBypass bypass;
    CopiesUnderWay copies;
    std::uint64_t events = 0;
  };

  Slot& slot(const machine::BlockContext& block) { return *slots_[block.slot]; }
  void check(const machine::WarpContext& warp, const machine::Access& access, AccessShape shape);
  void report_race(const machine::Access& access, const Race& found, SeenAt seen);
  void report_clash(const machine::WarpContext& warp, const machine::Access& access,
                    const CopiesUnderWay::Clash& clash, SeenAt seen);
  void report_unwritten(const machine::WarpContext& warp, const machine::Access& access,
                        const UnwrittenRead& read, SeenAt seen);

  WatchedLaunch& watched_;
  const Watch watch_;
  Counting counting_;
  FindingLog log_;
  GlobalRaces global_races_;
  std::vector<std::unique_ptr<Slot>> slots_;  ///< made when first used
  std::uint64_t faults_ = 0;
  bool has_ended_launch_ = false;
};

}  // namespace warpwise::simulator
