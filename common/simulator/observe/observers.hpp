#pragma once
/// \file The observers that make a launch's report, each with its .cpp, and the sentences that they share.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "../observer.hpp"
#include "../program.hpp"
#include "../report.hpp"
#include "block_order.hpp"
#include "findings.hpp"
#include "program_facts.hpp"
#include "races.hpp"

namespace warpwise::simulator::observe {

// ---- describe_access.cpp: what is wrong with an access, in words

/// The same race in the same words whichever side came second: `second` becomes the reader, or else the one
/// that is not atomic, or else the access further down in the code. So a missing barrier is one finding, not
/// two, and between blocks the finding does not depend on which host thread was faster.
Race seen_from_one_side(const Program& program, Race race);

/// `element_bytes`: size of what the access moves. The finding is about the second side. `passed`: the
/// instruction at which the lanes exchanged what was read before one of them wrote.
Description describe_race(const Program& program, const Naming& naming, const Race& race, ptx::Space space,
                          std::uint32_t element_bytes, std::optional<Pc> passed = std::nullopt);

/// `thread` touches what a cp.async may be writing.
Description describe_clash(const Program& program, const Naming& naming, const Access& access,
                           std::uint32_t thread, const CopiesUnderWay::Clash& clash);

/// The instruction at whose source line the finding is reported: where the value comes from, or else where it
/// is used.
Pc place_of_finding(const Program& program, const UndefinedUse& use);
/// Something depends on a value that nobody has set.
Description describe_undefined(const Program& program, const Naming& naming, const WarpContext& warp,
                               const UndefinedUse& use);

// ---- memory_checks.cpp: is each access to memory ordered with those of other threads, and is there
// something to read?

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

// ---- counting.cpp

/// Counts what one host thread's blocks do, instruction by instruction. Arrays by place in the launch's reach
/// while the kernel runs; names and source lines only at the end.
class Counting final : public Observer {
 public:
  Counting(const LaunchContext& launch, std::uint32_t slots);
  ~Counting() override;

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
  // on_run counts an interval of pcs by its ends: +1 at the first, -1 behind the last; sums give the rest.
  struct Steps {
    std::int64_t warps = 0, threads = 0;
  };
  struct Events;  ///< at one instruction
  void add_runs(std::vector<Counters>& by_pc) const;

  const Program& program_;
  const PcRange reach_;
  std::vector<Steps> steps_;
  std::vector<Events> events_;
  std::vector<Pc> last_arrival_;  ///< by slot and barrier
  std::vector<std::uint64_t> divergent_by_interval_;
};

// ---- faults.cpp

/// As what a fault that the machine runs into is reported.
FindingKind kind_of(FaultKind kind);

/// For one host thread. `launch`, `naming` and `log` outlive it.
class Faults final : public Observer {
 public:
  Faults(const LaunchContext& launch, const Naming& naming, FindingLog& log)
      : launch_(launch), naming_(naming), log_(log) {}

  void on_fault(const WarpContext& warp, const Fault& fault) override;

 private:
  const LaunchContext& launch_;
  const Naming& naming_;
  FindingLog& log_;
};

// ---- barrier_bypass.cpp
//
// Threads that skip a block barrier that others of their block wait at, and end without it. The
// hardware lets them: a thread that has ended is no longer waited for. So an early `return` before a barrier
// is right, and common. But a thread that skips the barrier and then runs code *behind* it has taken another
// way through the kernel than CUDA allows: `if (tid < stride) { ...; __syncthreads(); }`.

/// How to mend a barrier that part of a block does not reach.
inline constexpr const char* move_barrier_out =
    "move the barrier out of the if or the loop, so that every thread of the block reaches it";

/// The kernel's barriers, and which instructions lie before and behind each. Back edges of loops do not count
/// as ways: the head of a loop is before the barriers in its body, its end behind them.
class BarrierMap {
 public:
  explicit BarrierMap(const LaunchContext& launch);

  /// At most 64 barriers that can be skipped; beyond, and where jumps are computed, none are watched.
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

// ---- read_only_path.cpp
//
// Words that a kernel reads through the read-only path (ld.global.nc: __ldg(), const __restrict__) and
// writes as well. PTX asks that such memory is read-only for the whole launch (PTX ISA, "ld.global.nc"): a
// load may give what a cache still holds, whatever barriers lie between.

/// Whether the kernel, or a device function that it may call, has such a load: the others need not be
/// watched.
bool has_read_only_loads(const LaunchContext& launch);

/// For one host thread.
class ReadOnlyPath final : public Observer {
 public:
  explicit ReadOnlyPath(const Program& program);
  void on_access(const WarpContext& warp, const Access& access) override;

  /// Words of 4 bytes of one allocation: 0, or the number in places() of an access that touched it.
  struct Words {
    std::vector<std::uint8_t> loaded, stored;
  };
  const std::unordered_map<const Allocation*, Words>& words() const { return words_; }
  /// The instructions met, from 1 on; those beyond the 255th count as the last.
  const std::vector<Pc>& places() const { return places_; }

 private:
  std::uint8_t number_of(Pc pc);

  std::vector<bool> is_read_only_;     ///< by pc
  std::vector<std::uint8_t> numbers_;  ///< by pc; 0: not met
  std::vector<Pc> places_{0};
  std::unordered_map<const Allocation*, Words> words_;
};

/// Of a launch: adds to `log` a race for each instruction that loads so what any thread of the launch stores.
void report_read_only_path(const Naming& naming, const std::deque<ReadOnlyPath>& threads, FindingLog& log);

}  // namespace warpwise::simulator::observe
