#pragma once
/// \file Finds races in global memory, within a block and between blocks.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../observer.hpp"
#include "block_order.hpp"
#include "global_shadow.hpp"

namespace warpwise::simulator::observe {

/// For one host thread; all of a launch share the shadow.
class GlobalRaces {
 public:
  /// `shadow` and `uses` outlive it.
  GlobalRaces(GlobalShadow& shadow, const StrongUses& uses, PcRange reach, std::uint32_t slots);

  void begin(const BlockContext& block);
  /// The first race of this access with earlier ones.
  std::optional<Race> check(BlockOrder& order, const WarpContext& warp, const Access& access,
                            AccessShape shape);

 private:
  /// The segment that a warp is in.
  struct Current {
    std::uint32_t epoch = 0, time = 0;
    GlobalStamp stamp = 0;
  };
  struct Visit;

  GlobalStamp stamp_of(const BlockOrder& order, const WarpContext& warp, const Access& access,
                       AccessShape shape);
  ShadowRegion& region_of(Pc pc, const Allocation& allocation);
  std::uint32_t cell_bytes_for(const Access& access, AccessShape shape) const;
  bool split(ShadowLine& line, std::uint32_t cell_bytes);
  void enter_cell(Visit& visit, ShadowLine& line, std::uint64_t start, std::uint64_t end, GlobalStamp stamp);
  RaceCell<GlobalStamp>* new_cells(std::size_t count);

  GlobalShadow& shadow_;
  const StrongUses& uses_;
  const PcRange reach_;
  const std::uint32_t table_;
  std::vector<std::vector<Current>> current_;                             ///< by slot and warp
  std::vector<std::pair<const Allocation*, ShadowRegion*>> last_region_;  ///< by place in the reach
  std::vector<std::unique_ptr<RaceCell<GlobalStamp>[]>> arena_;           ///< cells of split lines
  std::size_t arena_used_ = 0;                                            ///< of its last part
};

}  // namespace warpwise::simulator::observe
