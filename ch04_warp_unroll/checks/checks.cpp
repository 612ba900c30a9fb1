/// \file What chapter 4 asks of its kernels: result, technique, safety. Contracts: kernels.hpp. Here the
/// blocks whose last warp is unrolled; blocks of one warp: warp_sums.cpp; the kernel with any grid:
/// by_warps.cpp. What each block's sum is, and the values that are tried: block_sums.hpp.

#include <string>
#include <utility>

#include "ch04_warp_unroll/checks/block_sums.hpp"
#include "ch04_warp_unroll/checks/unrolled.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// As many blocks as n elements need, two for each thread as in chapter 3.
LaunchShape shape_for(unsigned n, unsigned block) {
  return with_shared_floats({.grid = blocks_for(n, 2 * block), .block = block});
}

/// A tree in each block whose last levels need no block barrier, for launches whose blocks have `elements`
/// elements together.
void check_trees(const LaunchAndWork& run, unsigned block, unsigned elements) {
  const bool are_full = 2 * block * run.launch.shape().grid.x == elements;
  // The last elements, too few for wider loads, may be loaded by themselves.
  check_plain_loads(run, elements, are_full ? 0 : 64);
  CHECK_THAT(run, IsTreeOver(block, 2));
  CHECK_THAT(run, IsTreeOfPairs({block}, 2));
  // There are log2(block) levels. The last six, strides 32 to 1, are the work of one warp, and between them
  // its own barriers are enough. So there is one block barrier after the load and one after each of the other
  // log2(block) - 6 levels. A block of 32 needs none, and may have the one after its load.
  CHECK_THAT(
      run.launch.count(&Counters::block_barriers).per_block(),
      AtMost(block > 64 ? tree_levels(block) - 5 : 1, "block barriers per block of " + std::to_string(block),
             "one after the load and one for each level with more than 32 additions; chapter 3 has one "
             "in every level"));
  CHECK_THAT(run, RestsIdleWarps(2));
  CHECK_THAT(run, WritesOwnResults());
}

/// A tree for blocks of any size: one kernel, or a family with one for each size.
struct Trees {
  KernelName name;
  InOutKernel<float> (*kernel)(unsigned block);
};
constexpr Trees of_last_warp{reduce_unroll_last_warp, [](unsigned) { return reduce_unroll_last_warp; }};
constexpr Trees unrolled{reduce_unrolled_256, unrolled_kernel};

// --- Both: the same cases for each ---

void trees_at_awkward_sizes(const Trees& trees) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(2 * block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_sums(device, trees.kernel(block), in, shape_for(n, block)).out;
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

void trees_floats_that_round(const Trees& trees) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(2u, 6 * block - 1);
  const auto in = n == 2 ? one_rounding() : random_floats(n, seed_of(n, block));
  const auto out = launch_sums(device, trees.kernel(block), in, shape_for(n, block)).out;
  INFO("real floats");
  CHECK_THAT(out, IsCloseToBlockSums(in, 2 * block));
}

void trees_any_values(const Trees& trees) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const auto in = values_at_risk(2 * block);
  const auto out = launch_sums(device, trees.kernel(block), in, shape_for(6 * block - 5, block)).out;
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

void trees_in_any_order(const Trees& trees) {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned block = GENERATE(32u, 64u, 256u);
  const unsigned n = 6 * block - 5;
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_sums(device, trees.kernel(block), in, shape_for(n, block)).out;
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

void a_tree_in_each_block(const Trees& trees) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(8 * block, 16 * block, awkward_sizes(2 * block), 6 * block - 5,
                                   sizes_with_short_rest(2 * block));
  const unsigned grid = GENERATE_COPY(grids_for(n, 2 * block));
  const auto in = counted_values(n, block, grid, 2 * block);
  const auto [run, out] = counted_with_masks(device, launch_sums, trees.kernel(block), in,
                                             with_shared_floats({.grid = grid, .block = block}));
  check_trees(run, block, std::min(n, 2 * block * grid));
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

// At 6 * block - 5 elements with three blocks more than they need.
void trees_no_findings(const Trees& trees) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(2 * block), 6 * block - 5);
  const auto in = random_integers(n, seed_of(n, block));
  LaunchShape shape = shape_for(n, block);
  if (n == 6 * block - 5) shape.grid.x += 3;
  const auto [launch, out] = launch_sums(device, trees.kernel(block), in, shape);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

// Sums of floats that round tell two threads apart that write the same sum, added in two orders.
void trees_no_findings_in_any_order(const Trees& trees) {
  SimulatedDevice& device = GENERATE(every_order());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 6 * block - 5;
  const auto in = random_floats(n, seed_of(n, block));
  const auto [launch, out] = launch_sums(device, trees.kernel(block), in, shape_for(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, IsCloseToBlockSums(in, 2 * block));
}

void register_tree_cases(const Trees& trees) {
  register_cases(trees.name, trees,
                 {
                     {"each block's sum, at awkward sizes", Aspect::result, trees_at_awkward_sizes},
                     {"floats that round", Aspect::result, trees_floats_that_round},
                     {"values that a cheap mistake would lose", Aspect::result, trees_any_values},
                     {"in any order", Aspect::result, trees_in_any_order},
                     {"a tree in each block", Aspect::technique, a_tree_in_each_block},
                     {"no findings", Aspect::safety, trees_no_findings},
                     {"no findings in any order", Aspect::safety, trees_no_findings_in_any_order},
                 });
}
[[maybe_unused]] const bool are_tree_cases_registered =
    (register_tree_cases(of_last_warp), register_tree_cases(unrolled), true);

}  // namespace

// --- reduce_unroll_last_warp ---

TEST_CASE("reduce_unroll_last_warp: fewer and more blocks than n needs",
          "[reduce_unroll_last_warp][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 128u, 512u);
  const unsigned grid = GENERATE(1u, 2u, 4u, 9u);
  const unsigned n = 6 * block - 5;
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto out =
      launch_sums(device, reduce_unroll_last_warp, in, with_shared_floats({.grid = grid, .block = block}))
          .out;
  INFO(grid_text(grid, n, 2 * block));
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

TEST_CASE("reduce_unroll_last_warp: far more blocks, far more elements",
          "[reduce_unroll_last_warp][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid, block] =
      GENERATE(table<unsigned, unsigned, unsigned>({{5, 300, 32}, {66'563, 33, 1024}}));
  const auto in = random_integers(n, grid == 300 ? seed_of(n, block, grid) : seed_of(n, block));
  const auto out =
      launch_sums(device, reduce_unroll_last_warp, in, with_shared_floats({.grid = grid, .block = block}))
          .out;
  INFO(grid_text(grid, n, 2 * block));
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

TEST_CASE("reduce_unroll_last_warp: 300 launches in a row", "[reduce_unroll_last_warp][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned n = i % 7 * 16 + 1;
    const auto in = random_integers(n, seed_of(n, 32));
    const auto out = launch_sums(device, reduce_unroll_last_warp, in, shape_for(n, 32)).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsBlockSums(in, 64));
  }
}

// --- reduce_unrolled_256: a family of six kernels, one for each block ---

TEST_CASE("reduce_unrolled_256: any grid", "[reduce_unrolled_256][result]") {
  Device& device = GENERATE(devices());
  const auto [n, grid] =
      GENERATE(table<unsigned, unsigned>({{379, 1}, {379, 2}, {379, 4}, {379, 9}, {5, 300}, {65'603, 513}}));
  const auto in = random_integers(n, grid == 513 ? seed_of(n, 64) : seed_of(n, 64, grid));
  const auto out =
      launch_sums(device, reduce_unrolled_64, in, with_shared_floats({.grid = grid, .block = 64})).out;
  INFO(grid_text(grid, n, 128));
  CHECK_THAT(out, EqualsBlockSums(in, 128));
}

TEST_CASE("reduce_unrolled_256: 300 launches in a row", "[reduce_unrolled_256][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned n = i % 7 * 32 + 1;
    const auto in = random_integers(n, seed_of(n, 64));
    const auto out = launch_sums(device, reduce_unrolled_64, in, shape_for(n, 64)).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsBlockSums(in, 128));
  }
}

TEST_CASE("reduce_unrolled_256: no loop is left", "[reduce_unrolled_256][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  require_no_backward_branches(
      device.program(), unrolled_kernel(block).name,
      "every level is written out, so no loop is left; the compiler writes out a loop "
      "over a constant");
}

// A joint check: it compares with the same author's loop over the levels. If that kernel is missing, has no
// loop or gives wrong sums, there is nothing to compare with.
TEST_CASE("reduce_unrolled_256: fewer instructions than a loop over the levels",
          "[reduce_unrolled_256][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 16, block = 256;
  const std::string& other = reduce_unroll_last_warp.name;
  if (!device.has_kernel(other) || backward_branches(device.program(), other) == 0) return;
  const auto in = random_integers(n, seed_of(n, block));
  LaunchShape shape = shape_for(n, block);
  shape.may_end_early = true;
  const auto [loop, sums] = launch_sums(device, reduce_unroll_last_warp, in, shape);
  if (!loop.completed() || !EqualsBlockSums(in, 2 * block).match(sums)) return;
  const auto [launch, out] = launch_sums(device, reduce_unrolled_256, in, shape_for(n, block));
  CHECK_THAT(
      launch.count(&Counters::warp_instructions),
      AtMost(loop.count(&Counters::warp_instructions).value() - 1, "warp instructions for 65536 elements",
             "a joint check: fewer than reduce_unroll_last_warp of this file takes, because the work of "
             "the loop is gone"));
  CHECK_THAT(out, EqualsBlockSums(in, 2 * block));
}

// --- What the chapter shows of its kernels ---

namespace {

/// The launches that are counted, drawn and, on a GPU, timed. `fixed`: the block, where the kernel has one.
template <const auto& kernel, unsigned fixed = 0>
Launch show_sums(Device& device, unsigned n) {
  const unsigned block = fixed != 0 ? fixed : device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_sums(device, kernel, in, shape_for(n, block));
  if (!launch.is_timed()) require(out, EqualsBlockSums(in, 2 * block));
  return std::move(launch);
}

// Judged together, under the name of the one that the ladder shows.
constexpr KernelName unrolled_family[] = {reduce_unrolled_32,  reduce_unrolled_64,  reduce_unrolled_128,
                                          reduce_unrolled_256, reduce_unrolled_512, reduce_unrolled_1024};

const RegisterKernels tree_kernels({
    {.kernel = reduce_unroll_last_warp,
     .technique = "last warp unrolled",
     .task = "sum each block's elements, the last 64 values by one warp",
     .run = show_sums<reduce_unroll_last_warp>,
     .is_step = true,
     .comes_from = "reduce_first_add"},
    {.kernel = reduce_unrolled_256,
     .technique = "fully unrolled",
     .task = "the same for a block size known to the compiler",
     .run = show_sums<reduce_unrolled_256, 256>,
     .is_step = true,
     .comes_from = "reduce_unroll_last_warp",
     .family = unrolled_family},
});
const RegisterChapter registered(this_chapter("The last warp needs no block barrier"));

}  // namespace
