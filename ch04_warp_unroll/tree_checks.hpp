#pragma once
/// \file What the checks of all kernels of chapter 4 have in common.

#include <bit>
#include <cstdint>
#include <string_view>

#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/device.hpp"
#include "common/harness/expectations.hpp"
#include "common/harness/inputs.hpp"

namespace warpwise::ch04 {

using simulator::Counters;
/// The type of all kernels of the chapter.
using BlockSum = harness::Kernel<void(const float*, float*, unsigned)>;

inline constexpr unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024};

/// Levels of a tree of pairs over `values` values, a power of two.
inline unsigned levels_of(unsigned values) { return static_cast<unsigned>(std::countr_zero(values)); }

/// Times at which a block or a warp lets values pass from one thread to another.
inline std::uint64_t exchanges(const Counters& counters) {
  return counters.block_barriers + counters.warp_barriers + counters.shuffles;
}

inline void expect_count_at_most(std::string_view what, std::uint64_t actual, double limit,
                                 std::string_view why) {
  harness::expect_at_most(what, static_cast<double>(actual), limit, why);
}

/// What all kernels of the chapter have in common. n is a whole number of blocks.
inline void expect_plain_loads_and_a_tree(const Counters& counters, unsigned n) {
  // 32 neighbouring floats fill 4 sectors of 32 bytes, and a warp asks for them at once.
  expect_count_at_most("global load requests", counters.global_load_requests, n / 32.0,
                       "each warp reads 32 neighbouring elements at once, and each element is read once");
  expect_count_at_most("global load sectors", counters.global_load_sectors, n / 8.0,
                       "each element is read once");
  expect_count_at_most("bank conflicts",
                       counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts, 0,
                       "the lanes of a warp work side by side, each in its own bank");
  expect_count_at_most("atomic requests", counters.shared_atomic_requests + counters.global_atomic_requests,
                       0, "atomics on one word add one value after the other: no tree");
}

/// How block_sum_by_warps is launched: any grid.
inline harness::LaunchShape by_warps_shape(unsigned grid, unsigned block) {
  return {.grid = grid, .block = block, .shared_bytes = block * sizeof(float)};
}

}  // namespace warpwise::ch04
