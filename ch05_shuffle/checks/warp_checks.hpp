#pragma once
/// \file Shared by checks.cpp and warps.cpp: the input of sums, and what a kernel may use inside a warp.

#include <cstdint>
#include <vector>

#include "ch05_shuffle/checks/launches.hpp"
#include "common/harness/check/technique.hpp"

namespace warpwise::ch05 {

/// The most additions that an element of a warp can go through, in any order: it meets the 31 others.
constexpr unsigned additions_in_a_warp = 31;

using Floats = std::vector<float>;

/// Puts `special(draw)` in the place of one lane in about every fourth warp; `turn` chooses the warps. Lane 0
/// keeps its element.
template <class Special>
void put_specials(Floats& values, std::uint64_t turn, Special special) {
  for (unsigned i = 0; i < values.size(); ++i) {
    const std::uint64_t draw = harness::seed_of(i / 32, turn);
    if (draw % 4 == 0 && i % 32 == 1 + draw / 4 % 31) values[i] = special(static_cast<unsigned>(draw >> 40));
  }
}

/// Whole numbers of either sign; in some warps multiples of 2^20, in some an infinity or NaN.
inline Floats summands(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_integers(n, seed, -999, 1000);
  for (unsigned i = 0; i < n; ++i)
    if (harness::seed_of(i / 32, seed) % 3 == 0) values[i] *= 0x1p20f;
  constexpr float specials[] = {infinity, -infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 3]; });
  return values;
}

/// What every kernel that works inside a warp may use. One load request of 32 lanes is one element per lane
/// at its natural width, so no single lane can have read the elements of the others.
inline void expect_registers_only(const Launch& launch) {
  using harness::Counters;
  using harness::expect_at_most;
  harness::expect_no_shared_memory(launch, "the lanes pass values on in registers");
  expect_at_most("block barriers", launch.count(&Counters::block_barriers), 0,
                 "a warp doesn't depend on any other warp");
  expect_at_most("global atomic requests", launch.count(&Counters::global_atomic_requests), 0,
                 "the lanes pass values on in registers");
  expect_at_most("global load requests per warp", launch.count(&Counters::global_load_requests).per_warp(), 1,
                 "a warp reads its 32 elements at once");
  expect_at_most("global load sectors per warp", launch.count(&Counters::global_load_sectors).per_warp(), 4,
                 "32 neighbouring elements fill 4 sectors");
}

}  // namespace warpwise::ch05
