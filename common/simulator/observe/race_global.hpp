#pragma once
/// \file Finds races in global memory, within a block and between blocks.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../machine/access_shape.hpp"
#include "block_order.hpp"
#include "global_shadow.hpp"

namespace warpwise::simulator {

/// For one host thread; all of a launch share the shadow.
class GlobalRaces {
 public:
  /// `shadow` and `uses` outlive it.
  GlobalRaces(GlobalShadow& shadow, const StrongUses& uses, machine::PcRange reach, std::uint32_t slots);

  void begin(const machine::BlockContext& block);
  /// The first race of this access with earlier ones.
  std::optional<Race> check(BlockOrder& order, const machine::WarpContext& warp,
                            const machine::Access& access, machine::AccessShape shape);

 private:
  /// The segment that a warp is in.
  struct Current {
    std::uint32_t epoch = 0, time = 0;
    GlobalStamp stamp = 0;
  };
  struct Visit;

  GlobalStamp stamp_of(const BlockOrder& order, const machine::WarpContext& warp,
                       const machine::Access& access, machine::AccessShape shape);
  ShadowRegion& region_of(machine::Pc pc, const machine::Allocation& allocation);
  std::uint32_t cell_bytes_for(const machine::Access& access, machine::AccessShape shape) const;
  bool split(ShadowLine& line, std::uint32_t cell_bytes);
  void enter_cell(Visit& visit, ShadowLine& line, std::uint64_t start, std::uint64_t end, GlobalStamp stamp);
  RaceCell<GlobalStamp>* new_cells(std::size_t count);

  GlobalShadow& shadow_;
  const StrongUses& uses_;
  const machine::PcRange reach_;
  const std::uint32_t table_;
  std::vector<std::vector<Current>> current_;                                      ///< by slot and warp
  std::vector<std::pair<const machine::Allocation*, ShadowRegion*>> last_region_;  ///< by place in the reach
  std::vector<std::unique_ptr<RaceCell<GlobalStamp>[]>> arena_;                    ///< cells of split lines
  std::size_t arena_used_ = 0;                                                     ///< of its last part
};

}  // namespace warpwise::simulator
