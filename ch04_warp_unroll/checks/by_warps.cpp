/// \file What chapter 4 asks of block_sum_by_warps, the kernel with any grid: result, technique, safety.

#include <algorithm>
#include <limits>
#include <vector>

#include "ch04_warp_unroll/checks/tree_checks.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// Launches on `values`, and compares every block's sum with that of its elements, unless the launch is
/// timed: exactly, if `additions` is 0.
Launch expect_sums_by_warps(Device& device, const std::vector<float>& values, unsigned grid, unsigned block,
                            unsigned additions = 0, const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  const LaunchShape shape = with_shared_floats({.grid = grid, .block = block});
  auto [launch, out] = run_in_out(device, block_sum_by_warps, shape, values, grid);
  if (launch.is_timed()) return std::move(launch);
  std::vector<std::vector<float>> elements(grid);  // that each block takes
  for (std::size_t i = 0; i < values.size(); ++i) elements[i / block % grid].push_back(values[i]);
  std::vector<double> expected, bounds;
  for (const std::vector<float>& own : elements) {
    expected.push_back(sum(own));
    bounds.push_back(sum_error_bound(own, additions));
  }
  const Case where{.n = n, .block = block, .grid = grid, .note = note};
  if (additions == 0)
    expect_equal(out, expected, where);
  else
    expect_close(out, expected, bounds, where);
  return std::move(launch);
}

/// Every warp adds up its own elements, and then its lanes' sums, which takes 5 more levels.
void expect_every_warp_reduces(const LaunchAndWork& run, unsigned elements) {
  const WarpWork laziest = *std::ranges::min_element(run.work.warps, {}, &WarpWork::additions);
  expect_at_least("additions by warp " + std::to_string(laziest.warp) + " of a block of " +
                      std::to_string(run.launch.shape().block.x),
                  Measured(laziest.additions), elements - 1 + 5,
                  "every warp reduces its own 32 sums in a tree of 5 levels");
}

Launch run_by_warps(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  return expect_sums_by_warps(device, random_integers(n, seed_of(n)), shape.grid.x, shape.block.x);
}

const RegisterKernels by_warps_kernel({
    {.kernel = block_sum_by_warps,
     .technique = "one tree per warp, plus one",
     .task = "each warp sums its own 32, then the first warp sums those",
     .run = run_by_warps},
});

}  // namespace

WARPWISE_CHECK(block_sum_by_warps, result) {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes())
      for (const unsigned grid : {1u, 3u}) {
        for (const unsigned n : check.awkward_sizes(block))
          expect_sums_by_warps(device, random_integers(n, seed_of(n, block, grid)), grid, block);
        // A thread adds up to three elements, and one of these additions is to 0. Two trees of five levels
        // follow.
        const unsigned n = 3 * grid * block - 1;
        expect_sums_by_warps(device, random_floats(n, seed_of(n, block)), grid, block, 3 + 5 + 5,
                             "real floats");
      }
}
WARPWISE_CHECK(block_sum_by_warps, result, "in any order") {
  for (const unsigned block : {32u, 64u, 1024u})
    check.under_every_schedule([&](Device& device, const std::string& schedule) {
      expect_sums_by_warps(device, random_integers(5 * block - 5, seed_of(block)), 2, block, 0, schedule);
    });
}
WARPWISE_CHECK(block_sum_by_warps, result, "any grid and any values") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (Device& device : check.devices()) {
    for (const unsigned n : {5u, 1000u}) expect_sums_by_warps(device, random_integers(n, n), 300, 32);
    expect_sums_by_warps(device, random_integers((1 << 16) + 99, 1), 4, 256);
    const KeptModuleMemory kept(device);
    for (unsigned i = 0; i < 300; ++i)
      expect_sums_by_warps(device, random_integers(i % 5 * 37, i), 1 + i % 3, 32, 0,
                           "launch " + std::to_string(i + 1) + " in a row");
    expect_sums_by_warps(device, random_integers(500, 1, -3, 3), 3, 64, 0, "zeros and both signs");
    expect_sums_by_warps(device, random_integers(500, 2, -(1 << 15), 1 << 15), 3, 64, 0, "large numbers");
    std::vector<float> values = random_integers(500, 3);
    values[499] = -infinity;
    values[0] = std::numeric_limits<float>::quiet_NaN();
    expect_sums_by_warps(device, values, 3, 64, 0, "with an infinity and a NaN");
  }
}
namespace {
/// What holds for every launch on n elements.
LaunchAndWork expect_warps_technique(SimulatedDevice& device, unsigned n, unsigned grid, unsigned block) {
  LaunchAndWork run = launch_and_work(device, [&](Device&) {
    return expect_sums_by_warps(device, random_integers(n, seed_of(n, block, grid)), grid, block);
  });
  // A tree of 5 levels over the sums of a warp's lanes, and one over the sums of the warps: together they are
  // as deep as one tree over 1024 values, even for a smaller block (whose second tree may count missing warps
  // as 0).
  const unsigned own = 4 * ceil_div(n, grid * block);
  if (n % (grid * block) == 0)
    expect_plain_loads_and_a_tree(run, n, 1024, own);
  else
    expect_a_tree(run, 1024, own);
  expect_all_are_added(run, n, grid);
  // A warp needs no other warp to reduce its own values. One barrier is needed between the sums of the warps
  // and the first warp, which reads them. There may be a second one before it, if the array is first set to
  // 0.
  expect_block_barriers_at_most(run.launch, 2,
                                "one between the warps' sums and the first warp, and at most one more");
  return run;
}
}  // namespace

// With full blocks, and with some launches from the check of the result, which the seed draws.
WARPWISE_CHECK(block_sum_by_warps, technique) {
  constexpr unsigned grid = 2, elements = 4;
  expect_masks_name_who_comes(check.simulated(), [&] {
    for (const unsigned block : check.block_sizes()) {
      expect_every_warp_reduces(
          expect_warps_technique(check.simulated(), elements * grid * block, grid, block), elements);
      for (const unsigned n : check.some_awkward_sizes(block, 4))
        expect_warps_technique(check.simulated(), n, 3, block);
    }
  });
}

WARPWISE_CHECK(block_sum_by_warps, safety) {
  const auto run = [](Device& device, unsigned n, unsigned grid, unsigned block) {
    return expect_sums_by_warps(device, random_integers(n, seed_of(n)), grid, block);
  };
  for (const unsigned block : check.block_sizes()) {
    for (const unsigned n : check.awkward_sizes(block)) check.expect_safe(run, n, 3, block);
    check.under_every_schedule(
        [&](Device&, const std::string&) { check.expect_safe(run, 5 * block - 5, 2, block); });
  }
}
