#pragma once
/// \file What a second run of a launch watches: the threads of the blocks in which a race was seen.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_set>
#include <vector>

#include "../observer.hpp"
#include "block_order.hpp"
#include "program_facts.hpp"
#include "race_places.hpp"
#include "race_trial.hpp"

namespace warpwise::simulator::observe {

/// Beyond so many accesses at the lines of a race nothing is said of it.
inline constexpr std::size_t most_visits = std::size_t{1} << 20;
inline constexpr std::uint64_t watched_bytes = 4;  ///< of a word

/// One thread at one of the two instructions of a race.
struct RaceVisit {
  Moment when;
  std::uint64_t address = 0, bytes = 0;
  std::uint32_t warp_barriers = 0;  ///< that its warp has passed
  std::vector<std::uint32_t> passed;
};

/// A word that a thread of the block reads, or sets, as a flag.
struct FlagUse {
  Pc pc = 0;
  std::uint32_t thread = 0;
  bool is_fenced = false, is_of_all = false;  ///< a barrier has handed it to the whole block
};

/// What is learnt of one race.
struct RaceLesson {
  RaceSeen race;
  std::vector<std::uint32_t> places;
  std::vector<RaceVisit> first, second;
  bool has_too_many = false;
  RaceOrder::Extent first_extent{~std::uint64_t{0}, 0, 0}, second_extent{~std::uint64_t{0}, 0, 0};
  std::map<std::uint64_t, FlagUse> set_behind, read_before;  ///< by address
  bool has_written = false, has_read = false, has_begun = false;
  bool was_written_before = false;  ///< the word of the race, before the write of the race
  /// What is made of what one side writes or reads.
  struct Trail {
    bool reaches_result = false;
    bool has_element = false;  ///< the thread has loaded from global memory
    std::unordered_set<std::uint64_t> words;
    std::set<std::uint32_t> threads;
  };
  Trail of_writer, of_reader;

  const Touch& writer() const { return race.race.first_writes ? race.race.first : race.race.second; }
  const Touch& reader() const { return race.race.first_writes ? race.race.second : race.race.first; }
  bool has_reader() const { return !race.race.first_writes || !race.race.second_writes; }
};

/// What the threads of one block have passed in the end.
struct RaceTotals {
  std::uint32_t threads = 0;
  std::vector<std::array<std::uint32_t, warp_size>> by_place;  ///< by warp and place
  std::vector<std::array<bool, warp_size>> has_returned;       ///< by warp and region
};
/// What the host threads of a second run have in common.
struct RaceStudy {
  RaceStudy(const Program& program, PcRange reach, std::span<const RaceSeen> races);

  const Program& program;
  const PcRange reach;
  std::map<ptx::Space, BarrierPlaces> places;
  std::deque<RaceLesson> lessons;
  std::map<std::uint64_t, std::map<ptx::Space, RaceTotals>> totals;  ///< by block
  std::optional<ProgramFacts> facts;
  SyncVariables variables;
  std::uint32_t slots = 0;
};

/// Whether `now` is the moment of one side of a race.
inline bool is_at(const Touch& touch, const Moment& now) {
  const Moment& then = touch.when;
  return then.is_same_thread(now) && then.epoch == now.epoch && then.time == now.time;
}

/// For one host thread.
class RaceWatcher final : public Observer {
 public:
  explicit RaceWatcher(RaceStudy& study) : study_(study), blocks_(study.slots) {}

  void on_block_begin(const BlockContext& block) override;
  void on_block_end(const BlockContext& block) override;
  void on_run(const WarpContext& warp, Pc first, Pc last, LaneMask lanes) override;
  void on_branch(const WarpContext& warp, Pc pc, LaneMask active, LaneMask taken) override;
  void on_access(const WarpContext& warp, const Access& access) override;
  void on_barrier_arrive(const WarpContext& warp, Pc pc, std::uint32_t barrier, LaneMask lanes) override;
  void on_barrier_release(const BlockContext& block, std::uint32_t barrier, std::span<const LaneMask>,
                          bool is_whole_block) override;
  void on_warp_barrier(const WarpContext& warp, Pc, LaneMask lanes) override;
  void on_collective(const WarpContext& warp, Pc pc, LaneMask lanes) override;
  void on_fence(const WarpContext& warp, Pc, Scope scope, LaneMask lanes) override;

 private:
  /// Steps of the threads of a block through the places for one space.
  struct Steps {
    ptx::Space space;
    BarrierPlaces* places;
    RaceTotals* totals;
    std::vector<std::array<Pc, warp_size>> last;  ///< by warp and region
    std::vector<LaneMask> has_jumped;             ///< likewise
  };
  /// An access whose passings are not counted yet: its run comes later.
  struct Pending {
    Pc pc;
    LaneMask lanes;
    std::vector<std::pair<RaceLesson*, bool>> of;  ///< and whether it is the first of the two
    std::array<RaceVisit, warp_size> visits;
  };
  struct Block {
    explicit Block(RaceStudy& study) : order(study.variables, study.facts->has_fences) {}
    BlockOrder order;
    std::vector<RaceLesson*> lessons;
    std::vector<Steps> steps;
    std::vector<std::vector<Pending>> pending;  ///< by warp
    std::vector<std::uint32_t> warp_barriers;   ///< by warp
  };

  Block* block_of(const WarpContext& warp) { return blocks_[warp.block->slot].get(); }
  void step(Steps& steps, std::uint32_t warp, Pc pc, LaneMask lanes);
  void count(Steps& steps, std::uint32_t warp, int region, Pc pc, LaneMask lanes);
  void follow_flags(RaceLesson& lesson, const Moment& now, const Access& access, LaneMask lanes);
  void follow_values(RaceLesson& lesson, Block& block, std::uint32_t warp, const Access& access);

  RaceStudy& study_;
  std::vector<std::unique_ptr<Block>> blocks_;  ///< by slot; null: no race was seen in the block
};

}  // namespace warpwise::simulator::observe
