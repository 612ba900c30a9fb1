/// \file What chapter 4 asks of block_sum_by_warps, the kernel with any grid: result, technique, safety.

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ch04_warp_unroll/checks/block_sums.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// What the kernel computes, told once: out[b] is the sum of the elements that block b takes. Exactly, or,
/// where each passes through `additions` additions that round, as near as these allow.
Requirement<Buffer<float>> EqualsSumsByWarps(const std::vector<float>& in, unsigned block,
                                             unsigned additions = 0) {
  const auto require_sums = [block, additions](const Buffer<float>& out, const std::vector<float>& values) {
    std::vector<std::vector<float>> elements(out.size());  // that each block takes
    for (std::size_t i = 0; i < values.size(); ++i) elements[i / block % out.size()].push_back(values[i]);
    std::vector<double> expected, bounds;
    for (const std::vector<float>& own : elements) {
      expected.push_back(sum(own));
      bounds.push_back(sum_error_bound(own, additions));
    }
    const auto taken_by = [&](std::size_t b) {
      std::vector<ElementRange> stretches;
      for (std::size_t i = b * block; i < values.size(); i += block * out.size())
        stretches.push_back({.begin = i, .end = std::min(i + block, values.size())});
      return stretches;
    };
    require(out, Holds(expected)
                     .within(bounds)
                     .as(joined_by<operators::Sum, float>(), each_result(out, out.size(), taken_by))
                     .where(case_of(out.memory(), values.size(), 0)));
  };
  return {"is the sum of what each block takes", [=, &in](const Buffer<float>& out) {
            ask_with_other_values<float>(out.memory(), {in, "in", add_up_exactly<float>},
                                         [&](const auto& values) { require_sums(out, values); });
          }};
}

Written<float> launch_by_warps(Device& device, const std::vector<float>& in, unsigned grid, unsigned block) {
  return launch_sums(device, block_sum_by_warps, in, with_shared_floats({.grid = grid, .block = block}));
}

}  // namespace

// --- Result ---

TEST_CASE("block_sum_by_warps: each block's sum, at awkward sizes", "[block_sum_by_warps][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u);
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto out = launch_by_warps(device, in, grid, block).out;
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

TEST_CASE("block_sum_by_warps: floats that round", "[block_sum_by_warps][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 3u);
  const unsigned n = 3 * grid * block - 1;
  const auto in = random_floats(n, seed_of(n, block));
  const auto out = launch_by_warps(device, in, grid, block).out;
  INFO("real floats");
  // A thread adds up to three elements, and one of these additions is to 0. Two trees of five levels follow.
  CHECK_THAT(out, EqualsSumsByWarps(in, block, 3 + 5 + 5));
}

TEST_CASE("block_sum_by_warps: in any order", "[block_sum_by_warps][result]") {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned block = GENERATE(32u, 64u, 1024u);
  const auto in = random_integers(5 * block - 5, seed_of(block));
  const auto out = launch_by_warps(device, in, 2, block).out;
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

TEST_CASE("block_sum_by_warps: far more blocks, far more elements", "[block_sum_by_warps][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block, seed] = GENERATE(table<unsigned, unsigned, unsigned, unsigned>(
      {{5, 300, 32, 5}, {1000, 300, 32, 1000}, {65'635, 4, 256, 1}}));
  const auto in = random_integers(n, seed);
  const auto out = launch_by_warps(device, in, grid, block).out;
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

TEST_CASE("block_sum_by_warps: 300 launches in a row", "[block_sum_by_warps][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const auto in = random_integers(i % 5 * 37, i);
    const auto out = launch_by_warps(device, in, 1 + i % 3, 32).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsSumsByWarps(in, 32));
  }
}

TEST_CASE("block_sum_by_warps: values that a cheap mistake would lose", "[block_sum_by_warps][result]") {
  Device& device = GENERATE(devices());
  auto in = random_integers(500, 3);
  SECTION("zeros and both signs") { in = random_integers(500, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(500, 2, -(1 << 15), 1 << 15); }
  SECTION("with an infinity and a NaN") {
    in[499] = -std::numeric_limits<float>::infinity();
    in[0] = std::numeric_limits<float>::quiet_NaN();
  }
  const auto out = launch_by_warps(device, in, 3, 64).out;
  CHECK_THAT(out, EqualsSumsByWarps(in, 64));
}

// --- Technique ---

namespace {

/// What holds for every launch on n elements.
void check_trees(const LaunchAndWork& run, unsigned n, unsigned grid, unsigned block) {
  if (n % (grid * block) == 0) check_plain_loads(run, n);
  CHECK_THAT(run, LoadsEachElementOnce(n));
  CHECK_THAT(run, WritesOwnResults());
  // A tree of 5 levels over the sums of a warp's lanes, and one over the sums of the warps: together they are
  // as deep as one tree over 1024 values, even for a smaller block (whose second tree may count missing warps
  // as 0).
  const unsigned own = 4 * std::max(1u, ceil_div(n, grid * block));
  CHECK_THAT(run, IsTreeOver(1024, own));
  CHECK_THAT(run, IsTreeOfPairs({32, block / 32}, std::max(1u, own / 4)));
  // A warp needs no other warp to reduce its own values. One barrier is needed between the sums of the warps
  // and the first warp, which reads them. There may be a second one before it, if the array is first set to
  // 0.
  CHECK_THAT(run.launch.count(&Counters::block_barriers).per_block(),
             AtMost(2, "block barriers per block of " + std::to_string(block),
                    "one between the warps' sums and the first warp, and at most one more"));
}

}  // namespace

TEST_CASE("block_sum_by_warps: every warp reduces its own sums", "[block_sum_by_warps][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(2u, 1u);
  constexpr unsigned elements = 4;  // for each thread
  const unsigned n = elements * grid * block;
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto [run, out] = counted_with_masks(device, launch_by_warps, in, grid, block);
  check_trees(run, n, grid, block);
  // Every warp adds up its own elements, and then its lanes' sums, which takes 5 more levels.
  if (const std::optional<Joins>& joins = run.work.joins()) {
    const auto laziest = std::ranges::min_element(joins->by_warps);
    const auto warp = static_cast<unsigned>(laziest - joins->by_warps.begin()) % (block / 32);
    CHECK_THAT(
        Measured(*laziest),
        AtLeast(elements - 1 + 5,
                "joins by warp " + std::to_string(warp) + " of a block of " + std::to_string(block),
                "a join makes one value of two: every warp reduces its own 32 sums in a tree of 5 levels"));
  }
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

// Some launches of the result, which the seed draws.
TEST_CASE("block_sum_by_warps: a tree in each warp, at awkward sizes", "[block_sum_by_warps][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(some_awkward_sizes(block, 4));
  const auto in = random_integers(n, seed_of(n, block, 3));
  const auto [run, out] = counted_with_masks(device, launch_by_warps, in, 3u, block);
  check_trees(run, n, 3, block);
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

// --- Safety ---

TEST_CASE("block_sum_by_warps: no findings", "[block_sum_by_warps][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n));
  const auto [launch, out] = launch_by_warps(device, in, 3, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSumsByWarps(in, block));
}

// Sums of floats that round tell two threads apart that write the same sum, added in two orders.
TEST_CASE("block_sum_by_warps: no findings in any order", "[block_sum_by_warps][safety]") {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned block = GENERATE(block_sizes());
  const auto in = random_floats(5 * block - 5, seed_of(5 * block - 5));
  const auto [launch, out] = launch_by_warps(device, in, 2, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsSumsByWarps(in, block, 3 + 5 + 5));
}

// --- What the chapter shows ---

namespace {

/// The launch that is counted, drawn and, on a GPU, timed.
Launch show_by_warps(Device& device, unsigned n) {
  const LaunchShape shape = walking_grid(device, n, device.block_or(256));
  const auto in = random_integers(n, seed_of(n));
  auto [launch, out] = launch_by_warps(device, in, shape.grid.x, shape.block.x);
  if (!launch.is_timed()) require(out, EqualsSumsByWarps(in, shape.block.x));
  return std::move(launch);
}

const RegisterKernels by_warps_kernel({
    {.kernel = block_sum_by_warps,
     .technique = "one tree per warp, plus one",
     .task = "each warp sums its own 32, then the first warp sums those",
     .run = show_by_warps},
});

}  // namespace
