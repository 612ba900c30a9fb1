/// \file What chapter 1 asks of its kernels: result, technique, safety. Contracts: kernels.hpp.
///
/// A case begins with the device that it launches on. devices(): the simulated GPU, a real one where there is
/// one, then the simulated one with the lanes of a warp in five other orders. simulated(): that one alone.
///
/// block_sizes(): 32, 64 and so on to 1024. awkward_sizes(block): n = 0, and what lies one below, at and
/// above 1, 2 and 3 blocks, and more. shape_for(n, block): as many blocks as n needs, one for n = 0.
/// random_integers(n, seed): 1 to 15, unless two bounds follow, both included: such sums are exact in float
/// in any order.
///
/// HasNoFindings(): no race, no access out of bounds, no uninitialised value, no barrier that some threads
/// miss; all that docs/findings.md names.

#include <iomanip>
#include <limits>
#include <ostream>

#include "ch01_naive/checks/levels.hpp"
#include "ch01_naive/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;
using warpwise::ch01::reduce_levels;
using warpwise::ch01::shape_for;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

// What the kernels compute, told once: the cases below try it at many sizes and values.

/// out[b] of reduce_naive is the sum of in[i] for i from b * block up to (b + 1) * block, in every block.
auto EqualsBlockSums(const std::vector<float>& in, unsigned block) {
  return EqualsSums(in, stretches_of(block));
}
/// values[0] is the sum of all that the values were before sum_in_place.
auto HoldsSum(const std::vector<float>& before) { return EqualsSums(before, one_stretch()).at(0); }
/// The sum that the levels of levels.hpp come to.
auto IsSumOf(const std::vector<float>& in) {
  return IsSame(sum(in), "launched level by level (levels.hpp), the sum of all is ");
}

/// reduce_naive on `in`: `out` has an element for each block, unwritten before the launch.
Written<float> launch_naive(Device& device, const std::vector<float>& in, const LaunchShape& shape) {
  return run_in_out(device, reduce_naive, shape, in, shape.grid.x);
}
/// sum_in_place on a copy of `values`, with a thread for every two.
Written<float> launch_in_place(Device& device, const std::vector<float>& values) {
  const auto n = static_cast<unsigned>(values.size());
  auto buffer = device.upload("values", values);
  Launch launch = device.launch(sum_in_place, {.grid = 1, .block = n / 2, .n = n}, buffer);
  return {std::move(launch), std::move(buffer)};
}

}  // namespace

// --- reduce_naive: result ---------------------------------------------------------------------------------

TEST_CASE("reduce_naive: each block's sum, at awkward sizes", "[reduce_naive][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_naive(device, in, shape_for(n, block)).out;
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_naive: floats that round", "[reduce_naive][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(2u, 3 * block - 1);
  const auto in = n == 2 ? one_rounding() : random_floats(n, seed_of(n, block));
  const auto out = launch_naive(device, in, shape_for(n, block)).out;
  INFO("real floats");
  CHECK_THAT(out, EqualsBlockSums(in, block).rounded());
}

TEST_CASE("reduce_naive: any grid, many elements, many launches", "[reduce_naive][result]") {
  Device& device = GENERATE(devices());
  SECTION("fewer or more blocks than n needs") {
    const unsigned block = GENERATE(32u, 128u, 512u);
    const unsigned grid = GENERATE(1u, 2u, 4u, 9u);
    const unsigned n = 3 * block - 5;
    const auto in = random_integers(n, seed_of(n, block, grid));
    const auto out = launch_naive(device, in, with_shared_floats({.grid = grid, .block = block})).out;
    CHECK_THAT(out, EqualsBlockSums(in, block));
  }
  SECTION("far more blocks than elements") {
    const auto in = random_integers(5, 1);
    const auto out = launch_naive(device, in, with_shared_floats({.grid = 300, .block = 32})).out;
    CHECK_THAT(out, EqualsBlockSums(in, 32));
  }
  SECTION("more elements than 16 bits count") {
    constexpr unsigned block = 1024, n = (1u << 16) + block / 2 + 3;
    const auto in = random_integers(n, seed_of(n, block));
    const auto out = launch_naive(device, in, shape_for(n, block)).out;
    CHECK_THAT(out, EqualsBlockSums(in, block));
  }
  SECTION("in a row") {  // the module's variables keep what a launch leaves in them
    const KeptModuleMemory kept(device);
    for (unsigned launch = 1; launch <= 300; ++launch) {
      const unsigned n = (launch - 1) % 7 * 8 + 1;
      const auto in = random_integers(n, seed_of(n, launch));
      const auto out = launch_naive(device, in, shape_for(n, 32)).out;
      CAPTURE(launch);
      REQUIRE_THAT(out, EqualsBlockSums(in, 32));
    }
  }
}

TEST_CASE("reduce_naive: values that a cheap mistake would lose", "[reduce_naive][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned block = 64, n = 3 * block - 5;
  auto in = random_integers(n, 3);
  SECTION("zeros and both signs") { in = random_integers(n, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(n, 2, -(1 << 18), 1 << 18); }  // 64 are at most 2^24: exact
  SECTION("2^40 everywhere") { in.assign(n, 0x1p40f); }
  SECTION("zeros, and the largest float once in each block") {
    in.assign(n, 0.0f);
    for (unsigned i = 0; i < n; i += block) in[i] = std::numeric_limits<float>::max();
  }
  SECTION("denormal numbers") { in = random_denormals(n, 4); }
  SECTION("with infinities") {
    in[1] = -infinity;                                // a block with one,
    in[block] = infinity, in[block + 1] = -infinity;  // one with both,
    in[n - 1] = infinity;                             // and one at the very end of `in`
  }
  SECTION("with a NaN") { in[0] = not_a_number, in[n - 1] = infinity; }
  const auto out = launch_naive(device, in, shape_for(n, block)).out;
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

// A wrong kernel makes the host loop complain of buffers that are not the student's: "sums[0], which has
// never been written", where the store to `out` is missing. So a small launch is tried by itself before.
TEST_CASE("reduce_naive: level by level", "[reduce_naive][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(256u, 32u);
  const unsigned n = GENERATE(0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, 32u * 32 * 32, 32u * 32 * 32 + 1);
  const auto in = random_integers(n, seed_of(n, block));
  const auto some = random_integers(33, 1);
  const auto first = launch_naive(device, some, shape_for(33, 32)).out;
  REQUIRE_THAT(first, EqualsBlockSums(some, 32));
  CAPTURE(n, block);
  const auto levels = reduce_levels(device, device.upload("in", in), block);
  CHECK_THAT(levels.sum, IsSumOf(in));
}

// --- reduce_naive: technique ------------------------------------------------------------------------------

namespace {

/// The blocks of the launch sum `elements` elements, all together, each with a tree in shared memory. (What
/// is staged elsewhere is read more than once, or with more barriers, or moved by shuffles.)
void check_trees(const LaunchAndWork& run, unsigned block, unsigned elements) {
  CHECK_THAT(run.launch, HasNoShuffles());
  CHECK_THAT(run.launch, HasNoAtomics());
  CHECK_THAT(run.launch.count(&Counters::block_barriers).per_block(),
             AtMost(tree_levels(block) + 1, "block barriers per block of " + std::to_string(block),
                    "one after the load and one for each level"));
  // Behind pairs (float2) a last element may be loaded by itself.
  const bool are_full = elements == block * run.launch.shape().grid.x;
  CHECK_THAT(run, HasNoExchangesInCode());
  CHECK_THAT(run, ReadsEachElementOnce(elements, are_full ? 0 : 32));
  CHECK_THAT(run, ExchangesInSharedMemory());
  CHECK_THAT(run, IsTreeOver(block));
  CHECK_THAT(run, WritesOwnResults());
}

}  // namespace

// Among these are the sizes that the result is tried at: a kernel cannot tell when it is counted.
TEST_CASE("reduce_naive: a tree in each block", "[reduce_naive][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(4 * block, 8 * block, awkward_sizes(block), sizes_with_short_rest(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [run, out] = counted(device, launch_naive, in, shape_for(n, block));
  check_trees(run, block, n);
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_naive: a tree in each block of any grid", "[reduce_naive][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 2u, 3u, 4u, 9u);
  const unsigned n = 3 * block - 5;
  auto in = grid == 3 ? random_integers(n, 1, -3, 3) : random_integers(n, seed_of(n, block, grid));
  if (grid == 2) in.assign(n, 0.0f);
  if (grid == 4) in.assign(n, not_a_number);
  const auto [run, out] =
      counted(device, launch_naive, in, with_shared_floats({.grid = grid, .block = block}));
  check_trees(run, block, std::min(n, grid * block));
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

// --- reduce_naive: safety ---------------------------------------------------------------------------------

TEST_CASE("reduce_naive: no findings, at awkward sizes", "[reduce_naive][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [launch, out] = launch_naive(device, in, shape_for(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_naive: no findings, with more blocks than n needs", "[reduce_naive][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 5;
  const auto in = random_floats(n, seed_of(n, block));  // added in two orders, other sums
  const auto [launch, out] = launch_naive(device, in, with_shared_floats({.grid = 6, .block = block}));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, block).rounded());
}

TEST_CASE("reduce_naive: no findings, level by level", "[reduce_naive][safety]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 5000, block = 32;
  const auto in = random_integers(n, 1);
  const auto first = launch_naive(device, in, shape_for(n, block)).out;
  REQUIRE_THAT(first, EqualsBlockSums(in, block));
  const auto levels = reduce_levels(device, device.upload("in", in), block);
  for (const Launch& level : levels.launches) CHECK_THAT(level, HasNoFindings());
  CAPTURE(n, block);
  CHECK_THAT(levels.sum, IsSumOf(in));
}

// --- sum_in_place -----------------------------------------------------------------------------------------

TEST_CASE("sum_in_place: the sum, for every n that one block can have", "[sum_in_place][result]") {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_integers(n, seed_of(n));
  const auto values = launch_in_place(device, before).out;
  CHECK_THAT(values, HoldsSum(before));
}

TEST_CASE("sum_in_place: floats that round", "[sum_in_place][result]") {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_floats(n, seed_of(n));
  const auto values = launch_in_place(device, before).out;
  INFO("real floats");
  CHECK_THAT(values, HoldsSum(before).rounded());
}

TEST_CASE("sum_in_place: values that a cheap mistake would lose", "[sum_in_place][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned n = 128;
  auto before = random_integers(n, 1, -3, 3);
  SECTION("zeros and both signs") {}
  SECTION("large numbers") {
    before = random_integers(n, 2, -(1 << 17), 1 << 17);
  }  // 128 are at most 2^24: exact
  SECTION("2^40 everywhere") { before.assign(n, 0x1p40f); }
  SECTION("denormal numbers") { before = random_denormals(n, 3); }
  SECTION("with an infinity") { before[77] = -infinity; }
  SECTION("with both infinities") { before[3] = infinity, before[90] = -infinity; }
  SECTION("with a NaN") { before[n - 1] = not_a_number; }
  const auto values = launch_in_place(device, before).out;
  CHECK_THAT(values, HoldsSum(before));
}

TEST_CASE("sum_in_place: a tree in global memory", "[sum_in_place][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const bool are_whole = GENERATE(true, false);
  const auto before = are_whole ? random_integers(n, seed_of(n)) : random_floats(n, seed_of(n));
  const auto [run, values] = counted(device, launch_in_place, before);
  CHECK_THAT(run.launch, UsesNoSharedMemory("the values stay where they are, in global memory"));
  CHECK_THAT(run.launch, HasNoShuffles());
  CHECK_THAT(run.launch, HasNoAtomics());
  // One barrier fewer than reduce_naive: the first level reads what was there, and waits for no load.
  CHECK_THAT(
      run.launch.count(&Counters::block_barriers),
      AtMost(tree_levels(n), "block barriers for " + std::to_string(n) + " values", "one for each level"));
  CHECK_THAT(run, IsTreeOver(n));
  CHECK_THAT(values, HoldsSum(before).rounded());
}

TEST_CASE("sum_in_place: no findings", "[sum_in_place][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_integers(n, seed_of(n));
  const auto [launch, values] = launch_in_place(device, before);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(values, HoldsSum(before));
}

// --- What the chapter shows of its kernels ----------------------------------------------------------------

namespace {

/// The launches that are counted, drawn and, on a GPU, timed.
Launch show_naive(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_naive(device, in, shape_for(n, block));
  if (!launch.is_timed()) require(out, EqualsBlockSums(in, block));
  return std::move(launch);
}
Launch show_in_place(Device& device, unsigned n) {
  const auto before = random_integers(std::bit_ceil(std::max(n, 2u)), seed_of(n));
  auto [launch, values] = launch_in_place(device, before);
  if (!launch.is_timed()) require(values, HoldsSum(before));
  return std::move(launch);
}

/// The book's question (PMPP 4th ed., exercise 10.1): how many warps diverge in each iteration? There is one
/// block, each iteration ends in its barrier, and a warp diverges in it at most once: at the `if`.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned levels = tree_levels(2 * launch.shape().block.x);
  out << "  iteration       ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << level + 1;
  out << "\n  stride          ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << (1u << level);
  out << "\n  warps diverging ";
  for (unsigned level = 0; level < levels; ++level)
    out << std::setw(5) << (level < intervals.size() ? intervals[level] : 0);
  out << '\n';
}

const RegisterKernels kernels({
    {.kernel = reduce_naive,
     .technique = "tree of adjacent pairs",
     .task = "sum each block's elements with a tree in shared memory",
     .run = show_naive,
     .is_step = true},
    {.kernel = sum_in_place,
     .technique = "the book's first kernel",
     .task = "sum 2 * blockDim.x values in place, with one block",
     .run = show_in_place,
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
});
const RegisterChapter registered(this_chapter("A tree of adjacent pairs"));

}  // namespace
