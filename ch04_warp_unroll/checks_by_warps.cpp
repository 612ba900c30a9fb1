/// \file What chapter 4 asks of block_sum_by_warps, the kernel with any grid: result, technique, safety.

#include <vector>

#include "ch04_warp_unroll/tree_checks.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/simulated_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// The elements that block b takes: all i with i / block mod grid == b.
std::vector<float> elements_of(const std::vector<float>& values, unsigned b, unsigned grid, unsigned block) {
  std::vector<float> own;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i / block % grid == b) own.push_back(values[i]);
  return own;
}

/// Launches on `values`, and holds every block's sum against its elements; `additions` 0: exactly.
Launch expect_sums_by_warps(Device& device, const std::vector<float>& values, unsigned grid, unsigned block,
                            unsigned additions = 0, const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", grid);
  Launch launch = device.launch(block_sum_by_warps, by_warps_shape(grid, block), in, out, n);
  std::vector<double> expected, bounds;
  for (unsigned b = 0; b < grid; ++b) {
    const auto own = elements_of(values, b, grid, block);
    expected.push_back(sum(own));
    bounds.push_back(additions == 0 ? 0 : sum_error_bound(own, additions));
  }
  expect_close(out, expected, bounds, {.n = n, .block = block, .grid = grid, .note = note});
  return launch;
}

}  // namespace

TEST_CASE("block_sum_by_warps: result", "[block_sum_by_warps][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned grid : {1u, 3u}) {
        for (const unsigned n : awkward_sizes(block))
          expect_sums_by_warps(device, random_integers(n, seed_of(n, block, grid)), grid, block);
        // A thread adds up to three elements, two trees of five levels follow, and one addition is to 0.
        const unsigned n = 3 * grid * block - 1;
        expect_sums_by_warps(device, random_floats(n, seed_of(n, block)), grid, block, 3 + 5 + 5,
                             "real floats");
      }
}
TEST_CASE("block_sum_by_warps: result, in any order", "[block_sum_by_warps][result]") {
  for (const unsigned block : {32u, 64u, 1024u})
    for (const char* text : all_schedules) {
      const UnderSchedule schedule(simulated_device(), text);
      expect_sums_by_warps(simulated_device(), random_integers(5 * block - 5, seed_of(block)), 2, block, 0,
                           std::string("schedule ") + text);
    }
}
TEST_CASE("block_sum_by_warps: technique", "[block_sum_by_warps][technique]") {
  constexpr unsigned grid = 2;
  for (const unsigned block : block_sizes) {
    const unsigned n = 4 * grid * block;
    const Counters counters =
        expect_sums_by_warps(simulated_device(), random_integers(n, seed_of(n)), grid, block).counters();
    expect_plain_loads_and_a_tree(counters, n);
    // A warp needs nobody else to reduce its own values. One barrier stands between the sums of the warps and
    // the first warp, which reads them. A second may stand before it, where the array is set to 0 first.
    expect_at_most("block barriers a block of " + std::to_string(block),
                   static_cast<double>(counters.block_barriers) / grid, 2,
                   "one between the warps' sums and the first warp, and one more at most");
    // Each warp has a tree of 5 levels, hence 5 exchanges: after its load and between the levels. (The second
    // tree, where there are several warps, has more: see below.)
    const unsigned warps = block / 32;
    expect_at_least("exchanges in the warps of a block of " + std::to_string(block),
                    static_cast<double>(counters.warp_barriers + counters.shuffles) / grid, 5 * warps,
                    "every warp reduces its own 32 sums in a tree of 5 levels");
  }
}

// The first trees cost twice the exchanges for twice the warps. So what remains of twice those of 16 warps,
// less those of 32, is the second stage's: 2 s(16) - s(32). A tree over w sums whose first level is behind
// the block barrier has s(w) = log2(w) - 1 at least, which leaves 2 * 3 - 4 = 2; trees with two exchanges a
// level, or always five levels, leave more. One thread that adds up the sums leaves nothing.
TEST_CASE("block_sum_by_warps: technique, the second tree", "[block_sum_by_warps][technique]") {
  const auto warp_exchanges = [](unsigned block) {
    const Counters counters =
        expect_sums_by_warps(simulated_device(), random_integers(2 * block, seed_of(block)), 1, block)
            .counters();
    return static_cast<double>(counters.warp_barriers + counters.shuffles);
  };
  expect_at_least("exchanges of the second stage", 2 * warp_exchanges(16 * 32) - warp_exchanges(32 * 32), 2,
                  "the first warp reduces the sums of the warps in a tree; does one thread add them all?");
}

TEST_CASE("block_sum_by_warps: safety", "[block_sum_by_warps][safety]") {
  const auto launch = [](unsigned n, unsigned grid, unsigned block) {
    const auto in = simulated_device().upload("in", random_integers(n, seed_of(n)));
    const auto out = simulated_device().poisoned<float>("out", grid);
    return simulated_device().launch(block_sum_by_warps, by_warps_shape(grid, block), in, out, n);
  };
  for (const unsigned block : block_sizes) {
    for (const unsigned n : awkward_sizes(block)) expect_no_findings(launch(n, 3, block));
    for (const char* text : all_schedules) {
      const UnderSchedule schedule(simulated_device(), text);
      expect_no_findings(launch(5 * block - 5, 2, block));
    }
  }
}
