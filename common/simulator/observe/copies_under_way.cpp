#include "copies_under_way.hpp"

#include <algorithm>

namespace warpwise::simulator::observe {

void CopiesUnderWay::begin(std::uint32_t warps) {
  copies_.clear();
  groups_.clear();
  groups_.resize(warps);
}

void CopiesUnderWay::start(std::uint32_t warp, const Access& access) {
  Copy& copy = copies_.emplace_back();
  copy.warp = warp;
  copy.access = access;
  copy.open = access.lanes;
  std::copy_n(access.address, warp_size, copy.address.begin());
  std::copy_n(access.value, std::size_t{access.bytes} * warp_size, copy.value.begin());
}

void CopiesUnderWay::commit(std::uint32_t warp, LaneMask lanes) {
  for (const std::uint32_t lane : lanes_in(lanes)) ++groups_[warp][lane];
  for (Copy& copy : copies_) {
    if (copy.warp != warp) continue;
    for (const std::uint32_t lane : lanes_in(copy.open & lanes)) copy.group[lane] = groups_[warp][lane];
    copy.open &= ~lanes;
  }
}

std::vector<Access> CopiesUnderWay::wait(std::uint32_t warp, std::uint32_t left, LaneMask lanes) {
  landed_.clear();
  for (Copy& copy : copies_) {
    if (copy.warp != warp) continue;
    LaneMask here = 0;
    for (const std::uint32_t lane : lanes_in(copy.access.lanes & lanes & ~copy.open)) {
      if (groups_[warp][lane] - copy.group[lane] >= left) here |= lane_bit(lane);
    }
    if (here == 0) continue;
    landed_.push_back(copy);
    landed_.back().access = copy.access.of(here);
    copy.access = copy.access.of(copy.access.lanes & ~here);
  }
  std::erase_if(copies_, [](const Copy& copy) { return copy.access.lanes == 0; });
  std::vector<Access> accesses;
  for (Copy& copy : landed_) {
    copy.access.address = copy.address.data();
    copy.access.value = copy.value.data();
    accesses.push_back(copy.access);
  }
  return accesses;
}

std::optional<CopiesUnderWay::Clash> CopiesUnderWay::clash_with(const Access& access) const {
  for (const std::uint32_t lane : lanes_in(copies_.empty() ? 0 : access.lanes)) {
    const std::uint64_t from = access.address[lane];
    for (const Copy& copy : copies_) {
      for (const std::uint32_t each : lanes_in(copy.access.lanes)) {
        const std::uint64_t to = copy.address[each];
        if (from < to + copy.access.bytes && to < from + access.bytes)
          return Clash{lane, std::max(from, to), copy.access.pc, copy.warp * warp_size + each};
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpwise::simulator::observe
