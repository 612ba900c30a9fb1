#pragma once
/// \file Keys and active lanes for the checks of chapter 7, one combination per warp. They are random, but
/// the same on every machine.

#include <bit>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "common/harness/check/inputs.hpp"

namespace warpwise::ch07 {

/// How the 64-bit keys of a warp relate to each other.
enum class Pattern {
  few,           ///< 1 to 4 distinct keys
  many,          ///< up to 16
  all_distinct,  ///< 32
  upper_half,    ///< differ in the upper 32 bits only
  lower_half,    ///< differ in the lower 32 bits only
  // The value to which a key is easily reduced is the same for all:
  same_xor,         ///< upper half ^ lower half
  same_sum,         ///< upper half + lower half
  same_difference,  ///< upper half - lower half
  last_bits,        ///< upper 59 bits, with the highest one set: as a double they are equal
  unlikely,         ///< 0, ~0, and the two keys with one half of each
};
constexpr unsigned pattern_count = 10;

/// The key of one lane. `warp` chooses the random numbers.
inline std::uint64_t key_of(Pattern pattern, unsigned warp, unsigned lane) {
  const auto random = [&](std::uint64_t what) { return harness::seed_of(warp, what, 7); };
  const std::uint64_t draw = random(1000 + lane);
  const std::uint64_t word = random(draw % (1 + warp / pattern_count % 32)) >> 32;  // 1 to 32 distinct ones
  const auto halves = [](std::uint64_t upper, std::uint64_t lower) {
    return upper << 32 | (lower & 0xffffffffu);
  };
  switch (pattern) {
    case Pattern::few:
      return random(draw % (1 + warp / pattern_count % 4));
    case Pattern::many:
      return random(draw % 16);
    case Pattern::all_distinct:
      return random(lane);
    case Pattern::upper_half:
      return halves(word, 5);
    case Pattern::lower_half:
      return halves(5, word);
    case Pattern::same_xor:
      return halves(word, word ^ random(0));
    case Pattern::same_sum:
      return halves(word, random(0) - word);
    case Pattern::same_difference:
      return halves(word, word - random(0));
    case Pattern::unlikely:
      return halves(draw % 2 * 0xffffffffu, draw / 2 % 2 * 0xffffffffu);
    case Pattern::last_bits:
      break;
  }
  return std::uint64_t{1} << 63 | (random(0) & ~std::uint64_t{31}) | draw % (1 + warp / pattern_count % 32);
}

/// Which lanes take part: all, most, few, the lower or the upper ones, exactly one, or none.
inline std::uint32_t random_mask(unsigned warp) {
  const std::uint64_t draw = harness::seed_of(warp, 1, 11);
  const auto word = static_cast<std::uint32_t>(draw), other = static_cast<std::uint32_t>(draw >> 32);
  switch (harness::seed_of(warp, 2, 11) % 8) {
    case 0:
      return 0xffffffffu;
    case 1:
      return word | other;
    case 2:
      return word & other;
    case 3:
      return 0xffffffffu >> word % 32;
    case 4:
      return 0xffffffffu << word % 32;
    case 5:
      return 1u << word % 32;
    case 6:
      return word % 16 == 0 ? 0 : word;
    default:
      return word;
  }
}

/// One combination per warp, with the patterns in turn.
struct Combinations {
  std::vector<unsigned long long> keys;  ///< 32 per warp
  std::vector<unsigned> active;          ///< one per warp
  bool have_neighbours = false;          ///< counters of different keys: see increments_for()

  unsigned warps() const { return static_cast<unsigned>(active.size()); }
  bool takes_part(unsigned thread) const { return active[thread / 32] >> thread % 32 & 1; }
  /// Lanes that take part, summed over the warps.
  unsigned lanes() const {
    unsigned sum = 0;
    for (const unsigned mask : active) sum += std::popcount(mask);
    return sum;
  }
};

inline Combinations random_combinations(unsigned warps) {
  Combinations all;
  for (unsigned warp = 0; warp < warps; ++warp) {
    all.active.push_back(random_mask(warp));
    for (unsigned lane = 0; lane < 32; ++lane)
      all.keys.push_back(key_of(static_cast<Pattern>(warp % pattern_count), warp, lane));
  }
  return all;
}

/// All lanes of every warp take part and hold `distinct` (1 to 32) different keys.
inline Combinations full_warps(unsigned warps, unsigned distinct) {
  Combinations all;
  for (unsigned warp = 0; warp < warps; ++warp) {
    all.active.push_back(0xffffffffu);
    for (unsigned lane = 0; lane < 32; ++lane)
      all.keys.push_back(harness::seed_of(warp, lane * 5 % 32 % distinct, 13));
  }
  return all;
}

/// The counters of their keys are neighbours.
inline Combinations side_by_side(Combinations all) {
  all.have_neighbours = true;
  return all;
}

/// All lanes of four warps take part. Half of a warp's keys are equal, and each of the others differs from
/// them in one bit: together in all 64.
inline Combinations single_bits() {
  Combinations all = full_warps(4, 1);
  for (unsigned i = 0; i < all.keys.size(); ++i)
    if (i % 2 == 1) all.keys[i] ^= 1ull << i / 2;
  return all;
}

/// What __match_any_sync gives each thread; `untouched` for those that take no part.
inline std::vector<unsigned> expected_peers(const Combinations& all, unsigned untouched) {
  std::vector<unsigned> peers(all.keys.size());
  for (unsigned i = 0; i < all.keys.size(); ++i) {
    if (!all.takes_part(i)) {
      peers[i] = untouched;
      continue;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned j = i / 32 * 32 + lane;
      if (all.takes_part(j) && all.keys[i] == all.keys[j]) peers[i] |= 1u << lane;
    }
  }
  return peers;
}

/// Distinct keys among the lanes of a warp that take part, summed over the warps.
template <class Key>
unsigned distinct_keys(const std::vector<Key>& keys, const Combinations& all) {
  std::set<std::pair<unsigned, Key>> seen;  // with the warp
  for (unsigned i = 0; i < keys.size(); ++i)
    if (all.takes_part(i)) seen.emplace(i / 32, keys[i]);
  return static_cast<unsigned>(seen.size());
}

}  // namespace warpwise::ch07
