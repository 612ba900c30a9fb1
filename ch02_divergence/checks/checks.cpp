/// \file What chapter 2 asks of its sums: result, technique, safety; and what the chapter shows. Contracts:
/// kernels.hpp. The three kernels without branches are checked in without_branches.cpp.

#include <algorithm>
#include <bit>
#include <iomanip>
#include <limits>
#include <ostream>
#include <string>

#include "ch02_divergence/checks/requirements.hpp"
#include "ch02_divergence/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

/// out[b] of reduce_contiguous is the sum of in[i] for i from b * block up to (b + 1) * block, in every
/// block.
auto EqualsBlockSums(const std::vector<float>& in, unsigned block) {
  return EqualsSums(in, stretches_of(block));
}
/// The first element, of sum_convergent, or the last one, of sum_convergent_mirrored, is the sum of all that
/// the values were before.
auto HoldsSumInFirst(const std::vector<float>& before) { return EqualsSums(before, one_stretch()).at(0); }
auto HoldsSumInLast(const std::vector<float>& before) {
  return EqualsSums(before, one_stretch()).at(before.size() - 1);
}

/// reduce_contiguous on `in`, with `grid` blocks of `block` threads; without a number, as many as `in` needs.
Written<float> launch_contiguous(Device& device, const std::vector<float>& in, unsigned block,
                                 unsigned grid = 0) {
  if (grid == 0) grid = thread_for_each(static_cast<unsigned>(in.size()), block).grid.x;
  const LaunchShape shape = with_shared_floats({.grid = grid, .block = block});
  return run_in_out(device, reduce_contiguous, shape, in, grid);
}
/// One of the two kernels in place on a copy of `values`, with a thread for every two.
Written<float> launch_in_place(Device& device, const Kernel<void(float*)>& kernel,
                               const std::vector<float>& values) {
  const auto n = static_cast<unsigned>(values.size());
  auto buffer = device.upload("values", values);
  Launch launch = device.launch(kernel, {.grid = 1, .block = n / 2, .n = n}, buffer);
  return {std::move(launch), std::move(buffer)};
}

/// Every block of the launch sums its part of `elements` elements, all together, with a tree in shared memory
/// whose threads are neighbours.
void check_trees(const LaunchAndWork& run, unsigned elements) {
  const Launch& launch = run.launch;
  const unsigned block = launch.shape().block.x;
  // At work in the levels are block / 2, block / 4 ... 16, 8, 4, 2, 1 threads. If these are neighbours, 32
  // and more of them are whole warps; only the last five numbers split one. One more split: the store. Where
  // a block is not full, guards split its last warp.
  const bool are_full = launch.shape().grid.x * block == elements;
  CHECK_THAT((launch.count(&Counters::divergent_branches) - (are_full ? 0 : branches_of_guards)).per_block(),
             AtMost(6, "divergent branches per block of " + std::to_string(block),
                    "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work, and at the "
                    "store; the owners of chapter 1 split every warp in each level"));
  CHECK_THAT(launch, HasNoShuffles());
  CHECK_THAT(launch, HasNoAtomics());
  CHECK_THAT(launch.count(&Counters::block_barriers).per_block(),
             AtMost(tree_levels(block) + 1, "block barriers per block of " + std::to_string(block),
                    "one after the load and one for each level"));
  CHECK_THAT(run, HasNoExchangesInCode());
  CHECK_THAT(run, ReadsEachElementOnce(elements, are_full ? 0 : 32));  // behind pairs, a last one
  CHECK_THAT(run, ExchangesInSharedMemory());
  CHECK_THAT(run, IsTreeOver(block));                 // one thread that adds everything diverges least of all
  if (block >= 64) CHECK_THAT(run, NeighboursAdd());  // of smaller ones the branches say less
  CHECK_THAT(run, RestsIdleWarps(1, 1));
  CHECK_THAT(run, WritesOwnResults());
}

/// The launch sums n values in place, with a tree whose threads are neighbours.
void check_convergent_tree(const LaunchAndWork& run, unsigned n) {
  const Launch& launch = run.launch;
  const std::string for_values = " for " + std::to_string(n) + " values";
  CHECK_THAT(launch, UsesNoSharedMemory("the values stay where they are, in global memory"));
  CHECK_THAT(launch, HasNoShuffles());
  CHECK_THAT(launch, HasNoAtomics());
  // Each level reads what the level before has written; the first reads what was there.
  CHECK_THAT(launch.count(&Counters::block_barriers),
             AtMost(tree_levels(n), "block barriers" + for_values, "one for each level"));
  CHECK_THAT(run, IsTreeOver(n));
  // At work are n/2, n/4 ... 16, 8, 4, 2, 1 threads. If they are neighbours, a warp can split only where they
  // are fewer than 32: in five levels, or in all where there are fewer.
  CHECK_THAT(launch.count(&Counters::divergent_branches),
             AtMost(std::min(5u, tree_levels(n)), "divergent branches" + for_values,
                    "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work"));
  if (n >= 128) CHECK_THAT(run, NeighboursAdd());
  if (n >= 64) CHECK_THAT(run, RestsIdleWarps(1, 1));
}

}  // namespace

// --- reduce_contiguous ------------------------------------------------------------------------------------

TEST_CASE("reduce_contiguous: each block's sum, at awkward sizes", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_contiguous(device, in, block).out;
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: floats that round", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(2u, 3 * block - 1);
  const auto in = n == 2 ? one_rounding() : random_floats(n, seed_of(n, block));
  const auto out = launch_contiguous(device, in, block).out;
  INFO("real floats");
  CHECK_THAT(out, EqualsBlockSums(in, block).rounded());
}

TEST_CASE("reduce_contiguous: fewer and more blocks than n needs", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(32u, 128u, 512u);
  const unsigned grid = GENERATE(1u, 2u, 4u, 9u);
  const unsigned n = 3 * block - 5;
  const auto in = random_integers(n, seed_of(n, block, grid));
  const auto out = launch_contiguous(device, in, block, grid).out;
  INFO((grid < 3 ? "fewer" : "more") << " blocks than n needs");
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: far more blocks than elements", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  const auto in = random_integers(5, seed_of(5, 32, 300));
  const auto out = launch_contiguous(device, in, 32, 300).out;
  INFO("more blocks than n needs");
  CHECK_THAT(out, EqualsBlockSums(in, 32));
}

TEST_CASE("reduce_contiguous: more elements than 16 bits count", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  constexpr unsigned block = 1024, n = (1u << 16) + block / 2 + 3;
  const auto in = random_integers(n, seed_of(n, block));
  const auto out = launch_contiguous(device, in, block).out;
  INFO("more elements than 16 bits count");
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

// Whatever a launch leaves behind, in a variable of the module say, the next ones meet.
TEST_CASE("reduce_contiguous: 300 launches in a row", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  const KeptModuleMemory kept(device);
  for (unsigned i = 0; i < 300; ++i) {
    const unsigned n = i % 7 * 8 + 1;
    const auto in = random_integers(n, seed_of(n, 32));
    const auto out = launch_contiguous(device, in, 32).out;
    INFO("launch " << i + 1 << " in a row");
    REQUIRE_THAT(out, EqualsBlockSums(in, 32));
  }
}

TEST_CASE("reduce_contiguous: values that a cheap mistake would lose", "[reduce_contiguous][result]") {
  Device& device = GENERATE(devices());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr unsigned block = 64, n = 3 * block - 5;
  constexpr int largest = (1 << 24) / int{block};  // so that every partial sum is exact
  auto in = random_integers(n, 3);
  SECTION("zeros and both signs") { in = random_integers(n, 1, -3, 3); }
  SECTION("large numbers") { in = random_integers(n, 2, -largest, largest); }
  SECTION("2^40 everywhere") { in.assign(n, 0x1p40f); }
  SECTION("zeros, and the largest float once in each block") {
    in.assign(n, 0.0f);
    for (unsigned i = 0; i < n; i += block) in[i] = std::numeric_limits<float>::max();
  }
  SECTION("denormal numbers") { in = random_denormals(n, 4); }
  SECTION("with infinities") {
    in[1] = -infinity;                                // a block with one,
    in[block] = infinity, in[block + 1] = -infinity;  // one with both,
    in[n - 1] = infinity;                             // and one after whose elements nothing stands
  }
  SECTION("with a NaN") { in[0] = std::numeric_limits<float>::quiet_NaN(), in[n - 1] = infinity; }
  const auto out = launch_contiguous(device, in, block).out;
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: a tree in each block", "[reduce_contiguous][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(4 * block, 8 * block, awkward_sizes(block), sizes_with_short_rest(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [run, out] = counted(device, launch_contiguous, in, block, 0u);
  check_trees(run, n);
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: a tree in each block of any grid", "[reduce_contiguous][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned grid = GENERATE(1u, 2u, 3u, 4u, 9u);
  const unsigned n = 3 * block - 5;
  auto in = grid == 3 ? random_integers(n, 1, -3, 3) : random_integers(n, seed_of(n, block, grid));
  if (grid == 2) in.assign(n, 0.0f);
  if (grid == 4) in.assign(n, std::numeric_limits<float>::quiet_NaN());
  const auto [run, out] = counted(device, launch_contiguous, in, block, grid);
  check_trees(run, std::min(n, grid * block));
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: no findings, at awkward sizes", "[reduce_contiguous][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_integers(n, seed_of(n, block));
  const auto [launch, out] = launch_contiguous(device, in, block);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, block));
}

TEST_CASE("reduce_contiguous: no findings, with more blocks than n needs", "[reduce_contiguous][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = 3 * block - 5;
  const auto in = random_floats(n, seed_of(n, block));  // added in two orders, other sums
  const auto [launch, out] = launch_contiguous(device, in, block, 6);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, EqualsBlockSums(in, block).rounded());
}

// --- sum_convergent, sum_convergent_mirrored: the same cases for both -------------------------------------

namespace {

/// A kernel, and what must be in its values.
struct SumInPlace {
  Kernel<void(float*)> kernel;
  decltype(&HoldsSumInFirst) holds_sum;
};
constexpr SumInPlace to_first{sum_convergent, HoldsSumInFirst};
constexpr SumInPlace to_last{sum_convergent_mirrored, HoldsSumInLast};

void sums_of_every_size(const SumInPlace& sum) {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_integers(n, seed_of(n));
  const auto values = launch_in_place(device, sum.kernel, before).out;
  CHECK_THAT(values, sum.holds_sum(before));
}

void sums_of_floats(const SumInPlace& sum) {
  Device& device = GENERATE(devices());
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_floats(n, seed_of(n));
  const auto values = launch_in_place(device, sum.kernel, before).out;
  INFO("real floats");
  CHECK_THAT(values, sum.holds_sum(before).rounded());
}

void sums_of_any_values(const SumInPlace& sum) {
  Device& device = GENERATE(devices());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr unsigned n = 128;
  auto before = random_integers(n, 1, -3, 3);
  SECTION("zeros and both signs") {}
  SECTION("large numbers") { before = random_integers(n, 2, -(1 << 17), 1 << 17); }  // 128 are below 2^24
  SECTION("2^40 everywhere") { before.assign(n, 0x1p40f); }
  SECTION("denormal numbers") { before = random_denormals(n, 3); }
  SECTION("with an infinity") { before[77] = -infinity; }
  SECTION("with both infinities") { before[3] = infinity, before[90] = -infinity; }
  SECTION("with a NaN") { before[n - 1] = std::numeric_limits<float>::quiet_NaN(); }
  const auto values = launch_in_place(device, sum.kernel, before).out;
  CHECK_THAT(values, sum.holds_sum(before));
}

void a_convergent_tree(const SumInPlace& sum) {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const bool are_whole = GENERATE(true, false);
  const auto before = are_whole ? random_integers(n, seed_of(n)) : random_floats(n, seed_of(n));
  const auto [run, values] = counted(device, launch_in_place, sum.kernel, before);
  check_convergent_tree(run, n);
  CHECK_THAT(values, sum.holds_sum(before).rounded());
}

void sums_without_findings(const SumInPlace& sum) {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u);
  const auto before = random_integers(n, seed_of(n));
  const auto [launch, values] = launch_in_place(device, sum.kernel, before);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(values, sum.holds_sum(before));
}

void register_cases_in_place(const SumInPlace& sum) {
  register_cases(sum.kernel, sum,
                 {
                     {"the sum, for every n that one block can have", Aspect::result, sums_of_every_size},
                     {"floats that round", Aspect::result, sums_of_floats},
                     {"values that a cheap mistake would lose", Aspect::result, sums_of_any_values},
                     {"a convergent tree in global memory", Aspect::technique, a_convergent_tree},
                     {"no findings", Aspect::safety, sums_without_findings},
                 });
}
[[maybe_unused]] const bool are_cases_in_place_registered =
    (register_cases_in_place(to_first), register_cases_in_place(to_last), true);

// --- What the chapter shows of them -----------------------------------------------------------------------

Launch show_contiguous(Device& device, unsigned n) {
  const unsigned block = device.block_or(256);
  const auto in = random_integers(n, seed_of(n, block));
  auto [launch, out] = launch_contiguous(device, in, block);
  if (!launch.is_timed()) require(out, EqualsBlockSums(in, block));
  return std::move(launch);
}
template <const SumInPlace& sum>
Launch show_in_place(Device& device, unsigned n) {
  const auto before = random_integers(std::bit_ceil(std::max(n, 2u)), seed_of(n));
  auto [launch, values] = launch_in_place(device, sum.kernel, before);
  if (!launch.is_timed()) require(values, sum.holds_sum(before));
  return std::move(launch);
}

/// The book's question (PMPP 4th ed., exercise 10.2): as chapter 1 prints it for fig. 10.6.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned threads = launch.shape().block.x;
  const unsigned levels = tree_levels(2 * threads);
  const auto row = [&](const char* title, auto value_of) {
    out << "  " << title;
    for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << value_of(level);
    out << '\n';
  };
  row("iteration       ", [](unsigned level) { return level + 1; });
  row("stride          ", [&](unsigned level) { return threads >> level; });
  row("warps at work   ", [&](unsigned level) { return ceil_div(threads >> level, 32); });
  row("warps diverging ",
      [&](unsigned level) { return level < intervals.size() ? intervals[level] : std::uint64_t{0}; });
}

const RegisterKernels sum_kernels({
    {.kernel = reduce_contiguous,
     .technique = "neighbouring threads add",
     .task = "sum each block's elements: thread t adds the t-th pair",
     .run = show_contiguous,
     .is_step = true,
     .comes_from = "reduce_naive"},
    {.kernel = sum_convergent,
     .technique = "the book's convergent kernel",
     .task = "sum 2 * blockDim.x values in place, strides falling",
     .run = show_in_place<to_first>,
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
    {.kernel = sum_convergent_mirrored,
     .technique = "... into the last element",
     .task = "the same from the right: the sum ends in the last value",
     .run = show_in_place<to_last>,
     .n = 1024,
     .largest_n = 2048},
});
const RegisterChapter registered(this_chapter("Active threads side by side"));

}  // namespace
