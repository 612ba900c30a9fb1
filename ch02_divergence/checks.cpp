/// \file What chapter 2 asks of its sums: result, technique, safety; and what the chapter shows. Contracts:
/// kernels.hpp. The three ways out of a branch are checked in ways_out.cpp.

#include <algorithm>
#include <bit>
#include <cmath>
#include <iomanip>
#include <ostream>

#include "ch02_divergence/launches.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch02;

namespace {

/// The book's question (PMPP 4th ed., exercise 10.2): as chapter 1 prints it for fig. 10.6.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned threads = launch.shape().block.x;
  const unsigned levels = levels_of(2 * threads);
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

const Exhibit exhibits[] = {
    {.kernel = reduce_contiguous,
     .technique = "neighbouring threads add",
     .task = "sum each block's elements: thread t adds the t-th pair",
     .run = [](Device& device, unsigned n) { return run_reduce_contiguous(device, n, 256); },
     .is_rung = true},
    {.kernel = alternate_by_warp,
     .technique = "condition aligned to warps",
     .task = "one operation for even elements, another for odd ones",
     .run = [](Device& device, unsigned n) { return run_alternate_by_warp(device, n, 256); }},
    {.kernel = score_matches,
     .technique = "arithmetic for branches",
     .task = "add the points of each match: 3, 1 or 0",
     .run = [](Device& device, unsigned n) { return run_score_matches(device, n, 256); }},
    {.kernel = partition_by_sign,
     .technique = "partition, then two passes",
     .task = "group by sign, in order, then process each group",
     .run = [](Device& device, unsigned n) { return run_partition_by_sign(device, n, 256); }},
    {.kernel = sum_convergent,
     .technique = "the book's convergent kernel",
     .task = "sum 2 * blockDim.x values in place, strides falling",
     .run = [](Device& device,
               unsigned n) { return run_in_place(sum_convergent, device, std::bit_ceil(std::max(n, 2u))); },
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
    {.kernel = sum_convergent_mirrored,
     .technique = "... into the last element",
     .task = "the same from the right: the sum ends in the last value",
     .run =
         [](Device& device, unsigned n) {
           return run_in_place(sum_convergent_mirrored, device, std::bit_ceil(std::max(n, 2u)));
         },
     .n = 1024,
     .largest_n = 2048},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "Active threads side by side",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

}  // namespace

TEST_CASE("reduce_contiguous: result", "[reduce_contiguous][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) {
        const LaunchShape shape = shape_for(n, block, block);
        const auto values = random_integers(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<float>("out", shape.grid.x);
        device.launch(reduce_contiguous, shape, in, out, n);
        expect_equal(out, block_sums(values, block), {.n = n, .block = block});
      }
}

TEST_CASE("reduce_contiguous: result, floats that round", "[reduce_contiguous][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned n = 3 * block - 1;
      const auto values = random_floats(n, seed_of(n, block));
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", 3);
      device.launch(reduce_contiguous, shape_for(n, block, block), in, out, n);
      // In a tree no value passes through more than log2(block) additions.
      expect_close(out, block_sums(values, block), block_sum_error_bounds(values, block, levels_of(block)),
                   {.n = n, .block = block, .note = "real floats"});
    }
}

TEST_CASE("reduce_contiguous: technique", "[reduce_contiguous][technique]") {
  for (const unsigned block : block_sizes) {
    const unsigned n = several_blocks * block;
    const Counters counters = run_reduce_contiguous(simulated_device(), n, block).counters();
    const auto per_block = [](std::uint64_t count) { return static_cast<double>(count) / several_blocks; };
    // At work in the levels are block / 2, block / 4 ... 16, 8, 4, 2, 1 threads. If these are neighbours, 32
    // and more of them are whole warps; only the last five numbers split one. One more split: the store.
    expect_at_most(
        "divergent branches a block of " + std::to_string(block), per_block(counters.divergent_branches), 6,
        "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work, and at the store");
    // One barrier after the load, and each level reads what the level before has written.
    expect_at_most("block barriers a block of " + std::to_string(block), per_block(counters.block_barriers),
                   levels_of(block) + 1, "one after the load and one for each level");
    // 32 neighbouring floats fill 4 sectors of 32 bytes, and a warp asks for them at once.
    expect_at_most("global load requests", static_cast<double>(counters.global_load_requests), n / 32.0,
                   "each warp reads 32 neighbouring elements at once, and each element is read once");
    expect_at_most("global load sectors", static_cast<double>(counters.global_load_sectors), n / 8.0,
                   "each element is read once");
    expect_at_most("atomic requests",
                   static_cast<double>(counters.shared_atomic_requests + counters.global_atomic_requests), 0,
                   "atomics on one word add one value after the other: no tree");
  }
}

// One thread that adds everything diverges least of all. But then values pass between threads only once; in a
// tree of pairs the number of values that a thread has seen doubles at best with each exchange, and 32 are 5
// doublings. (A block of 32 is one warp, so the warp's own barriers and shuffles count once each.)
TEST_CASE("reduce_contiguous: technique, a tree", "[reduce_contiguous][technique]") {
  const Counters counters = run_reduce_contiguous(simulated_device(), 32, 32).counters();
  expect_at_least("exchanges between the threads of a block of 32", static_cast<double>(exchanges(counters)),
                  levels_of(32), "a tree of pairs has 5 levels; does one thread add everything?");
}

TEST_CASE("reduce_contiguous: safety", "[reduce_contiguous][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_reduce_contiguous(simulated_device(), n, block));
}

namespace {

enum class SumIsIn { first_element, last_element };

void check_sum_in_place(const SumInPlace& kernel, SumIsIn side) {
  for (Device& device : devices())
    for (unsigned n = 2; n <= 2048; n *= 2) {
      const unsigned place = side == SumIsIn::first_element ? 0 : n - 1;
      const auto expect_sum = [&](const std::vector<float>& values, double error_bound) {
        const auto buffer = device.upload("values", values);
        device.launch(kernel, {.grid = 1, .block = n / 2}, buffer);
        const float actual = buffer.download()[place];
        expect_that(std::abs(actual - sum(values)) <= error_bound,
                    "n = " + std::to_string(n) + ": values[" + std::to_string(place) + "] is " +
                        detail::text_of(actual) + ", expected " + detail::text_of(sum(values)) +
                        (device.place().empty() ? "" : ", " + device.place()));
      };
      expect_sum(random_integers(n, seed_of(n)), 0);
      const auto floats = random_floats(n, seed_of(n));
      expect_sum(floats, sum_error_bound(floats, levels_of(n)));
    }
}

void check_convergence(const SumInPlace& kernel) {
  for (unsigned n = 2; n <= 2048; n *= 2) {
    const Counters counters = run_in_place(kernel, simulated_device(), n).counters();
    // At work are n/2, n/4 ... 16, 8, 4, 2, 1 threads. If they are neighbours, a warp can split only where
    // they are fewer than 32: in five levels, or in all where there are fewer.
    expect_at_most("divergent branches for " + std::to_string(n) + " values",
                   static_cast<double>(counters.divergent_branches), std::min(5u, levels_of(n)),
                   "a warp splits only in the levels with 16, 8, 4, 2 and 1 threads at work");
    expect_at_most("block barriers for " + std::to_string(n) + " values",
                   static_cast<double>(counters.block_barriers), levels_of(n), "one for each level");
    expect_at_most("atomic requests", static_cast<double>(counters.global_atomic_requests), 0,
                   "atomics on one word add one value after the other: no tree");
  }
  // As for reduce_contiguous: 64 values are one warp and 6 levels, the first of which reads what was there.
  const Counters counters = run_in_place(kernel, simulated_device(), 64).counters();
  expect_at_least("exchanges between the threads for 64 values", static_cast<double>(exchanges(counters)),
                  levels_of(64) - 1, "a tree of pairs has 6 levels; does one thread add everything?");
}

}  // namespace

TEST_CASE("sum_convergent: result", "[sum_convergent][result]") {
  check_sum_in_place(sum_convergent, SumIsIn::first_element);
}
TEST_CASE("sum_convergent: technique", "[sum_convergent][technique]") { check_convergence(sum_convergent); }
TEST_CASE("sum_convergent: safety", "[sum_convergent][safety]") {
  for (unsigned n = 2; n <= 2048; n *= 2)
    expect_no_findings(run_in_place(sum_convergent, simulated_device(), n));
}

TEST_CASE("sum_convergent_mirrored: result", "[sum_convergent_mirrored][result]") {
  check_sum_in_place(sum_convergent_mirrored, SumIsIn::last_element);
}
TEST_CASE("sum_convergent_mirrored: technique", "[sum_convergent_mirrored][technique]") {
  check_convergence(sum_convergent_mirrored);
}
TEST_CASE("sum_convergent_mirrored: safety", "[sum_convergent_mirrored][safety]") {
  for (unsigned n = 2; n <= 2048; n *= 2)
    expect_no_findings(run_in_place(sum_convergent_mirrored, simulated_device(), n));
}
