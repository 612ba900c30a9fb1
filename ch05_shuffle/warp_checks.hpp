#pragma once
/// \file What checks.cpp and checks_warps.cpp share: inputs, and what a warp by itself may use.

#include <cstdint>
#include <vector>

#include "ch05_shuffle/launches.hpp"
#include "common/harness/technique.hpp"

namespace warpwise::ch05 {

/// Additions that an element of a warp passes through at most, whatever the order: it meets the 31 others.
constexpr unsigned additions_in_a_warp = 31;

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;

inline Floats integers(unsigned n, std::uint64_t seed) { return harness::random_integers(n, seed); }
/// -1, 2 and 1/2: every product of 32 of them is exact, in any order.
inline Floats factors(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_integers(n, seed, 0, 2);
  for (float& value : values) value = value == 0 ? -1.0f : value == 1 ? 2.0f : 0.5f;
  return values;
}
/// All below 0, so that a 0 where there is no element would be the largest.
inline Floats negative(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_floats(n, seed);
  for (float& value : values) value -= 2;
  return values;
}
inline Floats positive(unsigned n, std::uint64_t seed) {
  Floats values = negative(n, seed);
  for (float& value : values) value = -value;
  return values;
}
/// Bits are rare: about one word in 40 is not 0, and it is seldom 1.
inline Words few_bits(unsigned n, std::uint64_t seed) {
  Words words = harness::random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? word : 0;
  return words;
}
/// About one word in 40 is 0; the others are even, mostly.
inline Words many_true(unsigned n, std::uint64_t seed) {
  Words words = harness::random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? 0 : word << 1 | (word % 7 == 0) | 0x80000000u;
  return words;
}
/// About one bit in 64 is 0, so that some are set in all of 32 words and some are not.
inline Words many_bits(unsigned n, std::uint64_t seed) {
  Words words(n, 0);
  for (unsigned draw = 0; draw < 6; ++draw) {
    const Words more = harness::random_words(n, harness::seed_of(seed, draw));
    for (unsigned i = 0; i < n; ++i) words[i] |= more[i];
  }
  return words;
}

/// What every kernel that works inside a warp may use. One load request of 32 lanes is one element a lane at
/// its natural width, so that one lane alone cannot have read what the others have.
inline void expect_registers_only(const Launch& launch) {
  using harness::expect_at_most;
  const simulator::Counters& counters = launch.counters();
  harness::expect_no_shared_memory(counters, "the lanes hand values over in registers");
  expect_at_most("block barriers", counters.block_barriers, 0, "a warp needs none of the other warps");
  expect_at_most("global atomic requests", counters.global_atomic_requests, 0,
                 "the lanes hand values over in registers");
  expect_at_most("global load requests a warp", per_warp(launch, counters.global_load_requests), 1,
                 "a warp reads its 32 elements at once");
  expect_at_most("global load sectors a warp", per_warp(launch, counters.global_load_sectors), 4,
                 "32 neighbouring elements fill 4 sectors");
}

}  // namespace warpwise::ch05
