/// \file What chapter 3 asks of the reductions in which each block has its own stretch of elements: result,
/// technique, safety. Contracts: kernels.hpp. The other kernels: grids.cpp, columns.cpp.

#include <algorithm>
#include <limits>
#include <string>

#include "ch03_bank_conflicts/checks/tree_checks.hpp"
#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch03;

namespace {

/// out[b] of both kernels is the sum of in[i] for i from b * stretch up to (b + 1) * stretch, in every block.
auto EqualsBlockSums(const std::vector<float>& in, unsigned stretch) {
  return EqualsSums(in, stretches_of(stretch));
}
/// The elements that a block of reduce_first_add sums: two a thread. (reduce_sequential: one, so `block`.)
constexpr unsigned first_add_stretch(unsigned block) { return 2 * block; }

/// A kernel, and the elements that each of its blocks of `block` threads sums.
struct StretchSums {
  InOutKernel<float> kernel;
  unsigned (*stretch)(unsigned block);
};
constexpr StretchSums sequential{reduce_sequential, [](unsigned block) { return block; }};
constexpr StretchSums first_add{reduce_first_add, first_add_stretch};

/// A kernel on `in`, with `grid` blocks of `block` threads; without a number, as many as `in` needs.
Written<float> launch_block_sums(Device& device, const StretchSums& sums, const std::vector<float>& in,
                                 unsigned block, unsigned grid = 0) {
  if (grid == 0) grid = thread_for_each(static_cast<unsigned>(in.size()), sums.stretch(block)).grid.x;
  const LaunchShape shape = with_shared_floats({.grid = grid, .block = block});
  return run_in_out(device, sums.kernel, shape, in, grid);
}

/// The blocks of the launch sum `elements` elements in stretches of `stretch`.
void check_block_trees(const LaunchAndWork& run, unsigned elements, unsigned stretch) {
  const unsigned elements_a_thread = stretch / run.launch.shape().block.x;
  const bool are_full = run.launch.shape().grid.x * stretch == elements;
  check_tree(run, elements_a_thread, are_full ? 0 : branches_of_guards);
  // The last elements, too few for wider loads, may be loaded by themselves.
  const unsigned by_themselves = elements_a_thread == 1 || are_full ? 0 : 64;
  CHECK_THAT(run, ReadsNeighbours(elements, by_themselves));
}

// --- Both: the same cases for each
// --------------------------------------------------------------------------

void at_awkward_sizes(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned stretch = sums.stretch(block);
  const unsigned n = GENERATE_COPY(awkward_sizes(stretch));
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_block_sums(device, sums, in, block).out;
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void floats_that_round(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned stretch = sums.stretch(block);
  const unsigned n = GENERATE_COPY(2u, 3 * stretch - 1);
  const auto in = n == 2 ? one_rounding() : random_floats(n, seed_of(n, block));
  const auto out = launch_block_sums(device, sums, in, block).out;
  INFO("real floats");
  CHECK_THAT(out, EqualsBlockSums(in, stretch).rounded());
}

void fewer_and_more_blocks(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 128u, 512u);
  const unsigned grid = GENERATE(1u, 2u, 4u, 9u);
  const unsigned stretch = sums.stretch(block);
  const unsigned n = 3 * stretch - 5;
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto out = launch_block_sums(device, sums, in, block, grid).out;
  INFO((grid < 3 ? "fewer" : "more") << " blocks than n needs");
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void far_more_blocks(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const auto in = random_integers(5, seed_of(5, 32, 300));
  const auto out = launch_block_sums(device, sums, in, 32, 300).out;
  INFO("more blocks than n needs");
  CHECK_THAT(out, EqualsBlockSums(in, sums.stretch(32)));
}

void many_elements(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const unsigned block = 1024, n = (1u << 16) + sums.stretch(block) / 2 + 3;
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_block_sums(device, sums, in, block).out;
  INFO("more elements than 16 bits count");
  CHECK_THAT(out, EqualsBlockSums(in, sums.stretch(block)));
}

// Whatever a launch leaves behind, in a variable of the module say, the next ones meet.
void many_launches(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned n = i % 7 * sums.stretch(32) / 4 + 1;
    const auto in = random_integers(n, seed_of(n, 32));
    const auto out = launch_block_sums(device, sums, in, 32).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsBlockSums(in, sums.stretch(32)));
  }
}

void any_values(const StretchSums& sums) {
  Device& device = GENERATE(devices());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const unsigned block = 64, stretch = sums.stretch(block), n = 3 * stretch - 5;
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
  SECTION("with a NaN") { in[0] = std::numeric_limits<float>::quiet_NaN(), in[n - 1] = infinity; }
  const auto out = launch_block_sums(device, sums, in, block).out;
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void a_tree_in_each_block(const StretchSums& sums) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned stretch = sums.stretch(block);
  const unsigned n =
      GENERATE_COPY(4 * stretch, 8 * stretch, awkward_sizes(stretch), sizes_with_short_rest(stretch));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [run, out] = counted(device, launch_block_sums, sums, in, block, 0u);
  check_block_trees(run, n, stretch);
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void a_tree_in_any_grid(const StretchSums& sums) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 2u, 3u, 4u, 9u);
  const unsigned stretch = sums.stretch(block);
  const unsigned n = 3 * stretch - 5;
  auto in = grid == 3 ? random_integers(n, 1, -3, 3) : random_integers(n, seed_of(n, block, grid));
  if (grid == 2) in.assign(n, 0.0f);
  if (grid == 4) in.assign(n, std::numeric_limits<float>::quiet_NaN());
  const auto [run, out] = counted(device, launch_block_sums, sums, in, block, grid);
  check_block_trees(run, std::min(n, grid * stretch), stretch);
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void no_findings(const StretchSums& sums) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned stretch = sums.stretch(block);
  const unsigned n = GENERATE_COPY(awkward_sizes(stretch));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [launch, out] = launch_block_sums(device, sums, in, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, stretch));
}

void no_findings_with_more_blocks(const StretchSums& sums) {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned stretch = sums.stretch(block);
  const unsigned n = 3 * stretch - 5;
  const auto in = random_floats(n, seed_of(n, block));  // added in two orders, other sums
  const auto [launch, out] = launch_block_sums(device, sums, in, block, 6);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, stretch).rounded());
}

void register_stretch_cases(const StretchSums& sums) {
  register_cases(
      sums.kernel, sums,
      {
          {"each block's sum, at awkward sizes", Aspect::result, at_awkward_sizes},
          {"floats that round", Aspect::result, floats_that_round},
          {"fewer and more blocks than n needs", Aspect::result, fewer_and_more_blocks},
          {"far more blocks than elements", Aspect::result, far_more_blocks},
          {"more elements than 16 bits count", Aspect::result, many_elements},
          {"300 launches in a row", Aspect::result, many_launches},
          {"values that a cheap mistake would lose", Aspect::result, any_values},
          {"a tree in each block", Aspect::technique, a_tree_in_each_block},
          {"a tree in each block of any grid", Aspect::technique, a_tree_in_any_grid},
          {"no findings, at awkward sizes", Aspect::safety, no_findings},
          {"no findings, with more blocks than n needs", Aspect::safety, no_findings_with_more_blocks},
      });
}
[[maybe_unused]] const bool are_stretch_cases_registered =
    (register_stretch_cases(sequential), register_stretch_cases(first_add), true);

// --- What the chapter shows of them -----------------------------------------------------------------------

template <const StretchSums& sums>
Launch show_block_sums(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_block_sums(device, sums, in, block);
  if (!launch.is_timed()) require(out, EqualsBlockSums(in, sums.stretch(block)));
  return std::move(launch);
}

const RegisterKernels stretch_kernels({
    {.kernel = reduce_sequential,
     .technique = "strides B/2, B/4 ... 1",
     .task = "sum each block's elements, strides B/2, B/4 ... 1",
     .run = show_block_sums<sequential>,
     .is_step = true,
     .comes_from = "reduce_contiguous"},
    {.kernel = reduce_first_add,
     .technique = "first add at the load",
     .task = "sum 2 * blockDim.x elements per block, adding at the load",
     .run = show_block_sums<first_add>,
     .is_step = true,
     .comes_from = "reduce_sequential"},
});
const RegisterChapter registered(this_chapter("32 banks"));

}  // namespace
