// What an access to shared memory costs (shared_cost of ../observer.hpp): the rules of docs/simulator.md,
// "The rules of memory".
#include "../observer.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwise::simulator {

namespace {

constexpr std::uint32_t banks = 32;

/// The distinct words that one part touches, bank by bank.
class BankWords {
 public:
  void touch(std::uint32_t word) {
    const std::uint32_t bank = word % banks;
    for (std::uint32_t i = 0; i < count_[bank]; ++i) {
      if (words_[bank][i] == word) return;
    }
    words_[bank][count_[bank]++] = word;
    largest_ = std::max(largest_, count_[bank]);
  }
  std::uint32_t largest() const { return largest_; }

 private:
  // A lane's words are neighbours, so it adds at most one to a bank, and 32 lanes at most 32.
  std::array<std::uint32_t, banks> count_{};
  std::uint32_t words_[banks][warp_size];
  std::uint32_t largest_ = 0;
};

/// Words of 4 bytes that a lane touches.
std::uint32_t words_of(std::uint32_t bytes) { return bytes <= 4 ? 1 : bytes / 4; }

/// True where no bank is asked by two lanes: `s[t]`, also with holes, `s[31 - t]`, `s[33 * t]`.
bool are_in_distinct_banks(LaneMask lanes, const std::uint64_t* address) {
  std::uint32_t used = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i)
    used |= (lanes >> i & 1) << (static_cast<std::uint32_t>(address[i]) / 4 % banks);
  return lane_count(used) == lane_count(lanes);
}

bool are_equal(LaneMask lanes, const std::uint64_t* address) {
  const std::uint64_t first = address[lowest_lane(lanes)];
  std::uint64_t difference = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) difference |= lanes >> i & 1 ? address[i] ^ first : 0;
  return difference == 0;
}

/// How many words fall into the fullest bank where the active lanes are neighbours and their words a constant
/// step apart: `s[2 * t]`. 0 where they are not. A step of s words comes back to its first bank after
/// 32 / gcd(s, 32) lanes.
std::uint32_t strided_wavefronts(LaneMask lanes, const std::uint64_t* address) {
  const std::uint32_t first = lowest_lane(lanes);
  const LaneMask run = lanes >> first;
  const std::uint32_t size = lane_count(lanes);
  if (size < 2 || (run & (run + 1)) != 0) return 0;
  const std::uint64_t step = address[first + 1] - address[first];
  if (step == 0 || step % 4 != 0) return 0;
  std::uint64_t difference = 0;
  if (lanes == all_lanes) {
    for (std::uint32_t i = 1; i < warp_size; ++i) difference |= (address[i] - address[i - 1]) ^ step;
  } else {
    for (std::uint32_t i = first + 1; i < first + size; ++i)
      difference |= (address[i] - address[i - 1]) ^ step;
  }
  if (difference != 0) return 0;
  const std::uint32_t lanes_around = banks >> std::min(std::countr_zero(step / 4), 5);
  return (size + lanes_around - 1) / lanes_around;
}

/// Rule 1. A part takes as many wavefronts as its fullest bank has *distinct* words: lanes that read the same
/// word are served together. Checked: all 16 patterns each of 4-byte loads and stores.
std::uint32_t wavefronts_of_part(std::uint32_t words, LaneMask lanes, const std::uint64_t* address) {
  BankWords words_in_bank;
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const auto word = static_cast<std::uint32_t>(address[lane] / 4);
    for (std::uint32_t i = 0; i < words; ++i) words_in_bank.touch(word + i);
  }
  return words_in_bank.largest();
}

/// True where no two active lanes whose numbers differ by `distance` (1 or 2) read different places.
bool neighbours_agree(std::uint32_t distance, LaneMask lanes, const std::uint64_t* address) {
  for (const std::uint32_t lane : lanes_in(lanes)) {
    const std::uint32_t other = lane ^ distance;
    if ((lanes >> other & 1) != 0 && address[lane] != address[other]) return false;
  }
  return true;
}

/// Rule 2. Lanes are served 128 bytes at a time: 8-byte accesses in two parts (half-warps), 16-byte ones in
/// four (quarter-warps). *Loads* take half as many where all neighbours, n with n^1 or n with n^2, read the
/// same place; a neighbour that is not active counts as agreeing.
/// Checked: 32 patterns of 8- and 16-byte stores, 32 of loads ("pairs share", "four rows" and the mask
/// 0x55555555 among them distinguish the two).
std::uint32_t parts_of(AccessKind kind, std::uint32_t words, LaneMask lanes, const std::uint64_t* address) {
  if (words == 1 || kind != AccessKind::load) return words;
  const bool is_merged = neighbours_agree(1, lanes, address) || neighbours_agree(2, lanes, address);
  return is_merged ? words / 2 : words;
}

/// Rule 3. The conflicts are the wavefronts less the parts *that have an active lane*: an idle half-warp
/// neither costs a wavefront nor hides a conflict. Checked: the masks 0xffff and 0xff00ff00.
SharedCost cost_by_parts(AccessKind kind, std::uint32_t words, LaneMask lanes, const std::uint64_t* address) {
  const std::uint32_t parts = parts_of(kind, words, lanes, address);
  const std::uint32_t width = warp_size / parts;
  const LaneMask part_lanes = width == warp_size ? all_lanes : (LaneMask{1} << width) - 1;
  SharedCost cost;
  std::uint32_t needed = 0;
  for (std::uint32_t part = 0; part < parts; ++part) {
    const LaneMask active = lanes & part_lanes << part * width;
    if (active == 0) continue;
    cost.wavefronts += wavefronts_of_part(words, active, address);
    ++needed;
  }
  cost.bank_conflicts = cost.wavefronts - needed;
  return cost;
}

/// Rule 4. Atomics: as many wavefronts as the fullest bank has *lanes*, equal addresses counted each time,
/// because they go one after the other. Checked: 16 patterns of 4-byte atomicAdd. Of 8-byte atomics nothing
/// was measured: they are taken as two half-warps under the same rule.
SharedCost atomic_cost(std::uint32_t words, LaneMask lanes, const std::uint64_t* address) {
  const std::uint32_t width = warp_size / words;
  SharedCost cost;
  std::uint32_t needed = 0;
  for (std::uint32_t first = 0; first < warp_size; first += width) {
    std::array<std::uint32_t, banks> lanes_in_bank{};
    std::uint32_t largest = 0;
    for (std::uint32_t lane = first; lane < first + width; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      largest = std::max(largest, ++lanes_in_bank[address[lane] / 4 % banks]);
    }
    cost.wavefronts += largest;
    needed += largest > 0;
  }
  cost.bank_conflicts = cost.wavefronts - needed;
  return cost;
}

}  // namespace

SharedCost shared_cost(AccessKind kind, std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address) {
  if (lanes == 0) return {};
  const std::uint32_t words = words_of(bytes);
  return is_atomic(kind) ? atomic_cost(words, lanes, address) : cost_by_parts(kind, words, lanes, address);
}

SharedCost shared_cost(AccessKind kind, std::uint32_t bytes, LaneMask lanes, const std::uint64_t* address,
                       AccessShape shape) {
  if (lanes == 0) return {};
  const std::uint32_t words = words_of(bytes);
  if (is_atomic(kind)) return atomic_cost(words, lanes, address);
  // Shortcuts for what nearly every access is; the tests hold them against the rules above.
  if (words == 1 && shape != AccessShape::other) return {1, 0};
  if (words == 1) {
    if ((lanes & (lanes - 1)) == 0) return {1, 0};
    if (are_in_distinct_banks(lanes, address) || are_equal(lanes, address)) return {1, 0};
    if (const std::uint32_t wavefronts = strided_wavefronts(lanes, address))
      return {wavefronts, wavefronts - 1};
  }
  if (lanes == all_lanes && shape == AccessShape::consecutive) return {words, 0};
  return cost_by_parts(kind, words, lanes, address);
}

}  // namespace warpwise::simulator
