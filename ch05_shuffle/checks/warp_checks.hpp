#pragma once
/// \file Shared by checks.cpp and warps.cpp: inputs, and what a kernel may use inside a warp.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ch05_shuffle/checks/launches.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/check/technique.hpp"

namespace warpwise::ch05 {

/// The most additions that an element of a warp can go through, in any order: it meets the 31 others.
constexpr unsigned additions_in_a_warp = 31;

using Floats = std::vector<float>;
using Words = std::vector<std::uint32_t>;

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
/// -1, 2 and 1/2: every product of 32 of them is exact, in any order. In some warps a 0, an infinity or NaN.
inline Floats factors(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_integers(n, seed, 0, 2);
  for (float& value : values) value = value == 0 ? -1.0f : value == 1 ? 2.0f : 0.5f;
  constexpr float specials[] = {0, infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 3]; });
  return values;
}
/// For maxima and minima. In some warps all elements are negative, in some all are positive, so a 0 for a
/// missing element would win; elsewhere they have either sign. Some are zeros of either sign, infinities,
/// NaN.
inline Floats of_either_sign(unsigned n, std::uint64_t seed) {
  Floats values = harness::random_floats(n, seed);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned kind = harness::seed_of(i / 32, seed) % 3;
    if (kind != 0) values[i] += kind == 1 ? 2.0f : -2.0f;
  }
  constexpr float specials[] = {0.0f, -0.0f, infinity, -infinity, not_a_number};
  put_specials(values, seed, [&](unsigned draw) { return specials[draw % 5]; });
  return values;
}
/// A true word: it has one bit, every bit is equally likely, and so two words seldom have the same.
inline std::uint32_t one_bit(std::uint32_t word) { return 1u << word / 64 % 32; }
/// Bits are rare: about one word in 40 is not 0.
inline Words few_bits(unsigned n, std::uint64_t seed) {
  Words words = harness::random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? one_bit(word) : 0;
  return words;
}
/// About one word in 40 is 0; the others have one bit, or all.
inline Words many_true(unsigned n, std::uint64_t seed) {
  Words words = harness::random_words(n, seed);
  for (std::uint32_t& word : words) word = word % 40 == 0 ? 0 : word % 7 == 0 ? ~0u : one_bit(word);
  return words;
}
/// About one bit in 64 is 0, so some bits are set in all of 32 words, and some are not.
inline Words many_bits(unsigned n, std::uint64_t seed) {
  Words words(n, 0);
  for (unsigned draw = 0; draw < 6; ++draw) {
    const Words more = harness::random_words(n, harness::seed_of(seed, draw));
    for (unsigned i = 0; i < n; ++i) words[i] |= more[i];
  }
  return words;
}

/// For each warp of `shape`, `kernel` writes the exact reduction of the warp's elements of `values`.
template <class Operator, class T>
Launch expect_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& values,
                    const LaunchShape& shape, const std::string& note = {}) {
  auto expected = harness::block_reductions<Operator>(values, 32);
  expected.resize(warps_of(shape), Operator::template identity<harness::ReferenceType<T>>);
  auto [launch, out] = run_in_out(device, kernel, shape, values, warps_of(shape));
  harness::expect_equal(out, expected, case_of(static_cast<unsigned>(values.size()), shape, note));
  return std::move(launch);
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
