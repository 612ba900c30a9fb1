/// \file What chapter 1 asks of its kernels: result, technique, safety. Contracts: kernels.hpp.

#include <bit>
#include <iomanip>
#include <ostream>

#include "ch01_naive/kernels.hpp"
#include "ch01_naive/levels.hpp"
#include "common/harness/chapter.hpp"

using namespace warpwise::harness;
using warpwise::ch01::reduce_levels;
using warpwise::ch01::shape_for;
using warpwise::simulator::Counters;

namespace {

constexpr unsigned block_sizes[] = {32, 64, 128, 256, 512, 1024};

/// Levels of a tree of pairs over `values` values, a power of two.
unsigned levels_of(unsigned values) { return std::countr_zero(values); }

/// Times at which a block or a warp lets values pass from one thread to another.
std::uint64_t exchanges(const Counters& counters) {
  return counters.block_barriers + counters.warp_barriers + counters.shuffles;
}

Launch run_reduce_naive(Device& device, unsigned n, unsigned block) {
  const LaunchShape shape = shape_for(n, block);
  const auto in = device.upload("in", random_integers(n, seed_of(n, block)));
  const auto out = device.poisoned<float>("out", shape.grid.x);
  return device.launch(reduce_naive, shape, in, out, n);
}

Launch run_sum_in_place(Device& device, unsigned n) {
  const auto values = device.upload("values", random_integers(n, seed_of(n)));
  return device.launch(sum_in_place, {.grid = 1, .block = n / 2}, values);
}

/// The host loop of levels.hpp feeds a kernel with what it wrote in the level before. If that is wrong
/// already, the loop has nothing to add but findings about buffers that are not the student's: "nobody has
/// written sums[0]", where the store to `out` is missing. So its checks wait until each block's sum is right.
/// Checks run in the order in which they stand here, so the record knows.
bool must_wait_for_result() { return record().outcome("reduce_naive", Aspect::result) == Outcome::failed; }

/// The book's question (PMPP 4th ed., exercise 10.1): how many warps diverge in each iteration? There is one
/// block, each iteration ends in its barrier, and a warp diverges in it at most once: at the `if`.
void show_divergence(std::ostream& out, const Launch& launch) {
  const auto& intervals = launch.report().divergent_branches_by_interval;
  const unsigned levels = levels_of(2 * launch.shape().block.x);
  out << "  iteration       ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << level + 1;
  out << "\n  stride          ";
  for (unsigned level = 0; level < levels; ++level) out << std::setw(5) << (1u << level);
  out << "\n  warps diverging ";
  for (unsigned level = 0; level < levels; ++level)
    out << std::setw(5) << (level < intervals.size() ? intervals[level] : 0);
  out << '\n';
}

const Exhibit exhibits[] = {
    {.kernel = reduce_naive,
     .technique = "tree of adjacent pairs",
     .task = "sum each block's elements with a tree in shared memory",
     .run = [](Device& device, unsigned n) { return run_reduce_naive(device, n, 256); },
     .is_rung = true},
    {.kernel = sum_in_place,
     .technique = "the book's first kernel",
     .task = "sum 2 * blockDim.x values in place, with one block",
     .run = [](Device& device,
               unsigned n) { return run_sum_in_place(device, std::bit_ceil(std::max(n, 2u))); },
     .n = 1024,
     .largest_n = 2048,
     .show = show_divergence},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "A tree of adjacent pairs",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

}  // namespace

TEST_CASE("reduce_naive: result", "[reduce_naive][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block)) {
        const auto values = random_integers(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const auto out = device.poisoned<float>("out", shape_for(n, block).grid.x);
        device.launch(reduce_naive, shape_for(n, block), in, out, n);
        expect_equal(out, block_sums(values, block), {.n = n, .block = block});
      }
}

TEST_CASE("reduce_naive: result, floats that round", "[reduce_naive][result]") {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned n = 3 * block - 1;
      const auto values = random_floats(n, seed_of(n, block));
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", shape_for(n, block).grid.x);
      device.launch(reduce_naive, shape_for(n, block), in, out, n);
      // In a tree no value passes through more than log2(block) additions.
      expect_close(out, block_sums(values, block), block_sum_error_bounds(values, block, levels_of(block)),
                   {.n = n, .block = block, .note = "real floats"});
    }
}

TEST_CASE("reduce_naive: result, level by level", "[reduce_naive][result]") {
  if (must_wait_for_result()) return;
  for (Device& device : devices())
    for (const unsigned block : {32u, 256u})
      for (const unsigned n :
           {0u, 1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, 32u * 32 * 32, 32u * 32 * 32 + 1}) {
        const auto values = random_integers(n, seed_of(n, block));
        const auto in = device.upload("in", values);
        const float sum = reduce_levels(device, in, block).sum;
        expect_that(sum == block_sums(values, std::max(1u, n)).front(),
                    "n = " + std::to_string(n) + ", block = " + std::to_string(block) +
                        ": launched level by level (levels.hpp), the sum of all is wrong");
      }
}

TEST_CASE("reduce_naive: technique", "[reduce_naive][technique]") {
  constexpr unsigned blocks = 8;
  for (const unsigned block : block_sizes) {
    const unsigned n = blocks * block;
    const Counters counters = run_reduce_naive(simulated_device(), n, block).counters();
    // One barrier after the load. Each of the log2(block) levels reads what the level before has written, so
    // one ends each level; within a level a thread reads its own value and that of an idle one.
    expect_at_most("block barriers a block of " + std::to_string(block),
                   static_cast<double>(counters.block_barriers) / blocks, levels_of(block) + 1,
                   "one after the load and one for each level");
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

// A tree, and not one thread that adds everything: that has one exchange, after the load. In a tree of pairs
// the number of values that a thread has seen doubles at best with each exchange between threads; 32 are 5
// doublings. A safe exchange needs a barrier of the block or the warp between write and read, or a shuffle. A
// block of 32 is one warp, so the warp's own barriers count once for each of them.
TEST_CASE("reduce_naive: technique, a tree", "[reduce_naive][technique]") {
  const Counters counters = run_reduce_naive(simulated_device(), 32, 32).counters();
  expect_at_least("exchanges between the threads of a block of 32", static_cast<double>(exchanges(counters)),
                  levels_of(32), "a tree of pairs has 5 levels; does one thread add everything?");
}

TEST_CASE("reduce_naive: safety", "[reduce_naive][safety]") {
  for (const unsigned block : block_sizes)
    for (const unsigned n : awkward_sizes(block))
      expect_no_findings(run_reduce_naive(simulated_device(), n, block));
}

TEST_CASE("reduce_naive: safety, level by level", "[reduce_naive][safety]") {
  if (must_wait_for_result()) return;
  Device& device = simulated_device();
  const auto in = device.upload("in", random_integers(5000, 1));
  for (const Launch& level : reduce_levels(device, in, 32).launches) expect_no_findings(level);
}

TEST_CASE("sum_in_place: result", "[sum_in_place][result]") {
  for (Device& device : devices())
    for (unsigned n = 2; n <= 2048; n *= 2) {
      const auto integers = random_integers(n, seed_of(n));
      const auto exact = device.upload("values", integers);
      device.launch(sum_in_place, {.grid = 1, .block = n / 2}, exact);
      expect_equal(exact, sum(integers), {.n = n, .block = n / 2});

      const auto floats = random_floats(n, seed_of(n));
      const auto rounded = device.upload("values", floats);
      device.launch(sum_in_place, {.grid = 1, .block = n / 2}, rounded);
      expect_close(rounded, sum(floats), sum_error_bound(floats, levels_of(n)),
                   {.n = n, .block = n / 2, .note = "real floats"});
    }
}

TEST_CASE("sum_in_place: technique", "[sum_in_place][technique]") {
  for (unsigned n = 2; n <= 2048; n *= 2) {
    const Counters counters = run_sum_in_place(simulated_device(), n).counters();
    // Each level reads what the level before has written; the first reads what was there.
    expect_at_most("block barriers for " + std::to_string(n) + " values",
                   static_cast<double>(counters.block_barriers), levels_of(n), "one for each level");
    expect_at_most("atomic requests", static_cast<double>(counters.global_atomic_requests), 0,
                   "atomics on one word add one value after the other: no tree");
  }
  // As for reduce_naive: 64 values are one warp and 6 levels, the first of which reads what was there.
  const Counters counters = run_sum_in_place(simulated_device(), 64).counters();
  expect_at_least("exchanges between the threads for 64 values", static_cast<double>(exchanges(counters)),
                  levels_of(64) - 1, "a tree of pairs has 6 levels; does one thread add everything?");
}

TEST_CASE("sum_in_place: safety", "[sum_in_place][safety]") {
  for (unsigned n = 2; n <= 2048; n *= 2) expect_no_findings(run_sum_in_place(simulated_device(), n));
}
