#pragma once
/// \file What the cases of chapter 4 share. Every block sums a stretch of its own: 32 elements in a block of
/// one warp, 2 * blockDim.x elements in a larger tree.

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "common/harness/check/cases.hpp"
#include "common/harness/check/matchers.hpp"

namespace warpwise::ch04 {

using namespace harness;

/// What the kernels compute, told once: out[b] is the sum of in[i] for i from b * stretch up to
/// (b + 1) * stretch, in every block.
inline auto EqualsBlockSums(const std::vector<float>& in, unsigned stretch) {
  return EqualsSums(in, stretches_of(stretch));
}
/// The same of floats that round, in whatever order they are added.
inline auto IsCloseToBlockSums(const std::vector<float>& in, unsigned stretch) {
  return EqualsBlockSums(in, stretch).rounded();
}

/// `out` has an element for each block, in which nothing is written.
inline Written<float> launch_sums(Device& device, const InOutKernel<float>& kernel,
                                  const std::vector<float>& in, const LaunchShape& shape) {
  return run_in_out(device, kernel, shape, in, shape.grid.x);
}

/// One at least.
inline unsigned blocks_for(unsigned n, unsigned stretch) { return std::max(1u, ceil_div(n, stretch)); }
/// As many blocks as n needs; fewer and more as well for 3 stretches less 5.
inline Generator<unsigned> grids_for(unsigned n, unsigned stretch) {
  return Catch::Generators::from_range(n == 3 * stretch - 5 ? std::vector<unsigned>{1, 2, 3, 4, 9}
                                                            : std::vector<unsigned>{blocks_for(n, stretch)});
}
/// "more blocks than n needs"
inline std::string grid_text(unsigned grid, unsigned n, unsigned stretch) {
  const unsigned needed = blocks_for(n, stretch);
  return grid < needed   ? "fewer blocks than n needs"
         : grid > needed ? "more blocks than n needs"
                         : "more elements than 16 bits count";
}

/// What the cases of the result have at these sizes: no kernel can tell when it is counted.
inline std::vector<float> counted_values(unsigned n, unsigned block, unsigned grid, unsigned stretch) {
  if (grid != blocks_for(n, stretch)) {
    auto in = random_integers(n, seed_of(n, block, grid));
    if (grid == 2) in.assign(n, 0.0f);
    if (grid == 4) in.assign(n, std::numeric_limits<float>::quiet_NaN());
    return in;
  }
  return n == 3 * stretch - 5 ? random_integers(n, 1, -3, 3) : random_integers(n, seed_of(n, block));
}

/// Values that a cheap mistake would lose, a SECTION each: 3 stretches less 5.
inline std::vector<float> values_at_risk(unsigned stretch) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const unsigned n = 3 * stretch - 5;
  const int largest = (1 << 24) / static_cast<int>(stretch);  // so that every partial sum is exact
  auto in = random_integers(n, 3);
  SECTION("zeros and both signs") { in = random_integers(n, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(n, 2, -largest, largest); }
  SECTION("2^40 everywhere") { in.assign(n, 0x1p40f); }
  SECTION("zeros, and the largest float once in each block") {
    in.assign(n, 0.0f);
    for (unsigned i = 0; i < n; i += stretch) in[i] = std::numeric_limits<float>::max();
  }
  SECTION("denormal numbers") { in = random_denormals(n, 4); }
  SECTION("with infinities") {
    in[1] = -infinity;                                    // a block with one,
    in[stretch] = infinity, in[stretch + 1] = -infinity;  // one with both,
    in[n - 1] = infinity;                                 // and one after whose elements nothing stands
  }
  SECTION("with a NaN") {
    in[1] = -infinity, in[stretch] = infinity, in[stretch + 1] = -infinity, in[n - 1] = infinity;
    in[0] = std::numeric_limits<float>::quiet_NaN();
  }
  return in;
}

/// counted(), of a launch in which every lane comes that the mask of a warp barrier names.
template <class... Arguments>
Counted<float> counted_with_masks(SimulatedDevice& device, const Arguments&... arguments) {
  std::optional<Counted<float>> all;
  require_masks_name_who_comes(device, [&] { all.emplace(counted(device, arguments...)); });
  return std::move(*all);
}

/// What holds for all kernels of the chapter whose threads have equally many elements.
inline void check_plain_loads(const LaunchAndWork& run, unsigned n, unsigned by_themselves = 0) {
  CHECK_THAT(run, ReadsEachElementOnce(n, by_themselves));
  CHECK_THAT(run.launch.count(shared_load_and_store_conflicts),
             AtMost(0, "bank conflicts",
                    "neighbouring lanes use neighbouring words, so each lane has its own bank"));
  CHECK_THAT(run.launch, HasNoAtomics());
  CHECK_THAT(run, HasNoExchangesInCode(Exchanges::atomics));
}

}  // namespace warpwise::ch04
