// What an access to global memory moves (global_sectors of ../observer.hpp): the rules of docs/simulator.md,
// "The rules of memory".
#include "../observer.hpp"

#include <algorithm>
#include <array>

namespace warpwise::simulator {

namespace {

constexpr std::uint64_t sector_bytes = 32;

/// A set of few numbers, quick where they come in ascending order.
class Distinct {
 public:
  /// True where `number` is new.
  bool add(std::uint64_t number) {
    if (size_ > 0 && number <= largest_) {
      if (number == numbers_[size_ - 1]) return false;
      if (std::find(numbers_.begin(), numbers_.begin() + size_, number) != numbers_.begin() + size_) {
        return false;
      }
    }
    largest_ = size_ == 0 ? number : std::max(largest_, number);
    numbers_[size_++] = number;
    return true;
  }
  std::uint32_t size() const { return size_; }

 private:
  std::array<std::uint64_t, std::size_t{2} * warp_size> numbers_;
  std::uint64_t largest_ = 0;
  std::uint32_t size_ = 0;
};

/// Rule 5. Loads and stores: the distinct sectors that the active lanes touch, whatever their order.
/// Checked: 72 patterns of 4-, 8- and 16-byte loads and stores.
std::uint32_t distinct_sectors(std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address) {
  Distinct sectors;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const std::uint64_t first = address[lane];
    sectors.add(first / sector_bytes);
    if (bytes > sector_bytes) sectors.add((first + bytes - 1) / sector_bytes);
  }
  return sectors.size();
}

/// Rule 6. Atomics and reductions: lanes with one address go one after the other. The first lane of every
/// address goes in the first pass, the second in the second ...; sectors are counted pass by pass.
/// Checked: 24 patterns of atomicAdd with and without its result used.
std::uint32_t sectors_by_passes(LaneMask lanes, const std::uint64_t* address) {
  std::array<std::uint32_t, warp_size> pass_of{};
  std::uint32_t sectors = 0;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    for (const std::uint32_t each : lanes_in(lanes & (lane_bit(lane) - 1)))
      pass_of[lane] += address[each] == address[lane];
    bool is_new = true;
    for (const std::uint32_t other : lanes_in(lanes & (lane_bit(lane) - 1)))
      is_new &=
          pass_of[other] != pass_of[lane] || address[other] / sector_bytes != address[lane] / sector_bytes;
    sectors += is_new;
  }
  return sectors;
}

}  // namespace

std::uint32_t global_sectors(AccessKind kind, std::uint32_t bytes, LaneMask lanes,
                             const std::uint64_t* address, AccessShape shape) {
  if (lanes == 0) return 0;
  // Shortcuts for what nearly every access is; the tests hold them against the rules above.
  if (shape == AccessShape::uniform && bytes <= sector_bytes) return is_atomic(kind) ? lane_count(lanes) : 1;
  if (shape == AccessShape::consecutive && lanes == all_lanes) {
    const std::uint64_t last = address[0] + std::uint64_t{warp_size} * bytes - 1;
    return static_cast<std::uint32_t>(last / sector_bytes - address[0] / sector_bytes + 1);
  }
  return is_atomic(kind) ? sectors_by_passes(lanes, address) : distinct_sectors(bytes, lanes, address);
}

std::uint32_t global_sectors(AccessKind kind, std::uint32_t bytes, LaneMask lanes,
                             const std::uint64_t* address) {
  return global_sectors(kind, bytes, lanes, address, AccessShape::other);
}

}  // namespace warpwise::simulator
