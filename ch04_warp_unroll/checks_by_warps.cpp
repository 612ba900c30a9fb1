/// \file What chapter 4 asks of block_sum_by_warps, the kernel with any grid: result, technique, safety.

#include <vector>

#include "ch04_warp_unroll/tree_checks.hpp"
#include "common/harness/chapter.hpp"

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
  auto [launch, out] = run_in_out(device, block_sum_by_warps, by_warps_shape(grid, block), values, grid);
  std::vector<double> expected, bounds;
  for (unsigned b = 0; b < grid; ++b) {
    const auto own = elements_of(values, b, grid, block);
    expected.push_back(sum(own));
    bounds.push_back(additions == 0 ? 0 : sum_error_bound(own, additions));
  }
  expect_close(out, expected, bounds, {.n = n, .block = block, .grid = grid, .note = note});
  return std::move(launch);
}

}  // namespace

WARPWISE_CHECK(block_sum_by_warps, result) {
  for (Device& device : devices())
    for (const unsigned block : every_block_size)
      for (const unsigned grid : {1u, 3u}) {
        for (const unsigned n : awkward_sizes(block))
          expect_sums_by_warps(device, random_integers(n, seed_of(n, block, grid)), grid, block);
        // A thread adds up to three elements, two trees of five levels follow, and one addition is to 0.
        const unsigned n = 3 * grid * block - 1;
        expect_sums_by_warps(device, random_floats(n, seed_of(n, block)), grid, block, 3 + 5 + 5,
                             "real floats");
      }
}
WARPWISE_CHECK(block_sum_by_warps, result, "in any order") {
  for (const unsigned block : {32u, 64u, 1024u})
    under_every_schedule([&](Device& device, const std::string& schedule) {
      expect_sums_by_warps(device, random_integers(5 * block - 5, seed_of(block)), 2, block, 0, schedule);
    });
}
WARPWISE_CHECK(block_sum_by_warps, technique) {
  constexpr unsigned grid = 2;
  for (const unsigned block : every_block_size) {
    const unsigned n = 4 * grid * block;
    const Launch launch =
        expect_sums_by_warps(simulated_device(), random_integers(n, seed_of(n)), grid, block);
    const Counters& counters = launch.counters();
    expect_plain_loads_and_a_tree(counters, n);
    // A warp needs no other to reduce its own values. One barrier stands between the sums of the warps and
    // the first warp, which reads them. A second may stand before it, where the array is set to 0 first.
    expect_block_barriers_at_most(launch, 2,
                                  "one between the warps' sums and the first warp, and one more at most");
    // Each warp has a tree of 5 levels, hence 5 exchanges: after its load and between the levels. (The second
    // tree, where there are several warps, has more: see below.)
    const unsigned warps = block / 32;
    expect_at_least("exchanges in the warps of a block of " + std::to_string(block),
                    per_block(launch, counters.warp_barriers + counters.shuffles), 5 * warps,
                    "every warp reduces its own 32 sums in a tree of 5 levels");
  }
}

// The first trees cost twice the exchanges for twice the warps. So what remains of twice those of 16 warps,
// less those of 32, is the second stage's: 2 s(16) - s(32). A tree over w sums whose first level comes after
// the block barrier has s(w) = log2(w) - 1 at least, which leaves 2 * 3 - 4 = 2; trees with two exchanges a
// level, or always five levels, leave more. One thread that adds up the sums leaves nothing.
WARPWISE_CHECK(block_sum_by_warps, technique, "the second tree") {
  const auto warp_exchanges = [](unsigned block) {
    const Counters counters =
        expect_sums_by_warps(simulated_device(), random_integers(2 * block, seed_of(block)), 1, block)
            .counters();
    return static_cast<double>(counters.warp_barriers + counters.shuffles);
  };
  expect_at_least("exchanges of the second stage", 2 * warp_exchanges(16 * 32) - warp_exchanges(32 * 32), 2,
                  "the first warp reduces the sums of the warps in a tree; does one thread add them all?");
}

WARPWISE_CHECK(block_sum_by_warps, safety) {
  const auto run = [](unsigned n, unsigned grid, unsigned block) {
    return run_in_out(simulated_device(), block_sum_by_warps, by_warps_shape(grid, block),
                      random_integers(n, seed_of(n)), grid)
        .launch;
  };
  for (const unsigned block : every_block_size) {
    for (const unsigned n : awkward_sizes(block)) expect_no_findings(run(n, 3, block));
    under_every_schedule(
        [&](Device&, const std::string&) { expect_no_findings(run(5 * block - 5, 2, block)); });
  }
}
