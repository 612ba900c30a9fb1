/// \file What chapter 4 asks of its kernels: result, technique, safety. Contracts: kernels.hpp. The kernel
/// with any grid, block_sum_by_warps: checks_by_warps.cpp.

#include <algorithm>

#include "ch04_warp_unroll/tree_checks.hpp"
#include "ch04_warp_unroll/unrolled.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/simulated_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch04;

namespace {

/// A kernel and how many elements each thread of a block takes.
struct Shape {
  unsigned block = 32;
  unsigned elements_a_thread = 1;
  std::size_t shared_bytes = 0;

  unsigned stretch() const { return block * elements_a_thread; }  ///< elements a block
  LaunchShape launch(unsigned n) const {
    return {.grid = std::max(1u, ceil_div(n, stretch())), .block = block, .shared_bytes = shared_bytes};
  }
};

constexpr Shape one_warp{};
constexpr Shape two_a_thread(unsigned block) { return {block, 2, block * sizeof(float)}; }

Launch run(Device& device, const BlockSum& kernel, const Shape& shape, unsigned n) {
  const auto in = device.upload("in", random_integers(n, seed_of(n, shape.block)));
  const auto out = device.poisoned<float>("out", shape.launch(n).grid.x);
  return device.launch(kernel, shape.launch(n), in, out, n);
}

// --- Result ---------------------------------------------------------------------------------------------

/// Exact sums of whole numbers.
Launch expect_sums(Device& device, const BlockSum& kernel, const Shape& shape, unsigned n,
                   const std::string& note = {}) {
  const auto values = random_integers(n, seed_of(n, shape.block));
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", shape.launch(n).grid.x);
  Launch launch = device.launch(kernel, shape.launch(n), in, out, n);
  expect_equal(out, block_sums(values, shape.stretch()), {.n = n, .block = shape.block, .note = note});
  return launch;
}

void expect_rounded_sums(Device& device, const BlockSum& kernel, const Shape& shape) {
  const unsigned n = 3 * shape.stretch() - 1;
  const auto values = random_floats(n, seed_of(n, shape.block));
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", shape.launch(n).grid.x);
  device.launch(kernel, shape.launch(n), in, out, n);
  // A tree, behind the additions of a thread's own elements, of which the first is to 0 or is none.
  expect_close(
      out, block_sums(values, shape.stretch()),
      block_sum_error_bounds(values, shape.stretch(), levels_of(shape.block) + shape.elements_a_thread),
      {.n = n, .block = shape.block, .note = "real floats"});
}

void check_results(const BlockSum& kernel, const Shape& shape) {
  for (Device& device : devices()) {
    for (const unsigned n : awkward_sizes(shape.stretch())) expect_sums(device, kernel, shape, n);
    expect_rounded_sums(device, kernel, shape);
  }
}

/// Right in every order that the lanes of a warp may take. The last block has a tail.
void check_results_in_any_order(const BlockSum& kernel, const Shape& shape) {
  for (const char* text : all_schedules) {
    const UnderSchedule schedule(simulated_device(), text);
    expect_sums(simulated_device(), kernel, shape, 3 * shape.stretch() - 5, std::string("schedule ") + text);
  }
}

// --- Safety ---------------------------------------------------------------------------------------------

void check_safety(const BlockSum& kernel, const Shape& shape) {
  for (const unsigned n : awkward_sizes(shape.stretch()))
    expect_no_findings(run(simulated_device(), kernel, shape, n));
  for (const char* text : all_schedules) {
    const UnderSchedule schedule(simulated_device(), text);
    expect_no_findings(run(simulated_device(), kernel, shape, 3 * shape.stretch() - 5));
  }
}

// --- Technique ------------------------------------------------------------------------------------------

struct WarpLimits {
  unsigned warp_barriers = 0;
  std::string_view why_barriers;
  unsigned divergent_branches = 0;
  std::string_view why_branches;
};

/// One warp and one block: the limits of kernels.hpp.
Launch check_warp_sum(const BlockSum& kernel, const WarpLimits& limits) {
  Launch launch = run(simulated_device(), kernel, one_warp, 32);
  const Counters& counters = launch.counters();
  expect_plain_loads_and_a_tree(counters, 32);
  expect_count_at_most("block barriers", counters.block_barriers, 0,
                       "a warp waits for its own lanes with __syncwarp()");
  expect_count_at_most("shuffles", counters.shuffles, 0, "the values lie in shared memory; see chapter 5");
  // In a tree of pairs the number of values that a lane has seen doubles at best with each exchange; 32 are
  // five doublings. One lane that adds everything has one exchange, after the load.
  expect_at_least("exchanges between the lanes", static_cast<double>(exchanges(counters)), 5,
                  "a tree of pairs has 5 levels; does one lane add everything?");
  expect_count_at_most("warp barriers", counters.warp_barriers, limits.warp_barriers, limits.why_barriers);
  expect_count_at_most("divergent branches", counters.divergent_branches, limits.divergent_branches,
                       limits.why_branches);
  return launch;
}

/// The tree over a block whose last levels need no block barrier.
void check_block_tree(const BlockSum& kernel, unsigned block) {
  constexpr unsigned blocks = 4;
  const unsigned n = blocks * 2 * block;
  const Counters counters = run(simulated_device(), kernel, two_a_thread(block), n).counters();
  expect_plain_loads_and_a_tree(counters, n);
  // log2(block) levels. The last six, strides 32 to 1, are the work of one warp, and between them its own
  // barriers do. So one block barrier comes after the load and one after each of log2(block) - 6 levels. A
  // block of 32 needs none and may have the one after its load.
  const unsigned limit = block > 64 ? levels_of(block) - 5 : 1;
  expect_at_most("block barriers a block of " + std::to_string(block),
                 static_cast<double>(counters.block_barriers) / blocks, limit,
                 "one after the load and one for each level with more than 32 additions");
  // Each level is separated from the one before, and the first from the load: by whatever barrier.
  expect_at_least(
      "exchanges between the threads of a block of " + std::to_string(block),
      static_cast<double>(exchanges(counters)) / blocks, levels_of(block),
      "a tree of pairs has " + std::to_string(levels_of(block)) + " levels; does one thread add everything?");
}

Launch run_by_warps(Device& device, unsigned n) {
  const unsigned grid = std::clamp(ceil_div(n, 256), 1u, 8 * device.properties().multiprocessors);
  const auto in = device.upload("in", random_integers(n, seed_of(n)));
  const auto out = device.poisoned<float>("out", grid);
  return device.launch(block_sum_by_warps, by_warps_shape(grid, 256), in, out, n);
}

const Exhibit exhibits[] = {
    {.kernel = warp_sum_step_condition,
     .technique = "one warp, condition a step",
     .task = "sum 32 values by one warp, with a condition a step",
     .run = [](Device& device, unsigned n) { return run(device, warp_sum_step_condition, one_warp, n); }},
    {.kernel = warp_sum_one_condition,
     .technique = "one warp, one condition",
     .task = "the same, with one condition around all additions",
     .run = [](Device& device, unsigned n) { return run(device, warp_sum_one_condition, one_warp, n); }},
    {.kernel = warp_sum_padded,
     .technique = "one warp, padded with zeros",
     .task = "the same, with zeros behind the values and no condition",
     .run = [](Device& device, unsigned n) { return run(device, warp_sum_padded, one_warp, n); }},
    {.kernel = reduce_unroll_last_warp,
     .technique = "last warp unrolled",
     .task = "sum each block's elements, the last 64 values by one warp",
     .run = [](Device& device,
               unsigned n) { return run(device, reduce_unroll_last_warp, two_a_thread(256), n); },
     .is_rung = true},
    {.kernel = reduce_unrolled_256,
     .technique = "fully unrolled",
     .task = "the same for a block size known to the compiler",
     .run = [](Device& device,
               unsigned n) { return run(device, unrolled_kernel(256), two_a_thread(256), n); },
     .is_rung = true},
    {.kernel = block_sum_by_warps,
     .technique = "a tree a warp, then one more",
     .task = "sum by warps: each its own 32 sums, then the first theirs",
     .run = run_by_warps},
};
const RegisterChapter registered({.name = WARPWISE_CHAPTER,
                                  .title = "The last warp needs no block barrier",
                                  .source_folder = WARPWISE_SOURCE_DIR,
                                  .binary_folder = WARPWISE_BINARY_DIR,
                                  .exhibits = exhibits});

}  // namespace

TEST_CASE("warp_sum_step_condition: result", "[warp_sum_step_condition][result]") {
  check_results(warp_sum_step_condition, one_warp);
}
TEST_CASE("warp_sum_step_condition: result, in any order", "[warp_sum_step_condition][result]") {
  check_results_in_any_order(warp_sum_step_condition, one_warp);
}
TEST_CASE("warp_sum_step_condition: technique", "[warp_sum_step_condition][technique]") {
  // In the step with stride s the lanes below s write their own slots and read slots from s to 2s - 1, which
  // nobody writes in this step. So one barrier a step does.
  check_warp_sum(warp_sum_step_condition,
                 {.warp_barriers = 6,
                  .why_barriers = "one after the load and one a step: within a step nobody writes what "
                                  "another lane reads",
                  .divergent_branches = 6,
                  .why_branches = "one a step, and the store of the result"});
}
TEST_CASE("warp_sum_step_condition: safety", "[warp_sum_step_condition][safety]") {
  check_safety(warp_sum_step_condition, one_warp);
}

TEST_CASE("warp_sum_one_condition: result", "[warp_sum_one_condition][result]") {
  check_results(warp_sum_one_condition, one_warp);
}
TEST_CASE("warp_sum_one_condition: result, in any order", "[warp_sum_one_condition][result]") {
  check_results_in_any_order(warp_sum_one_condition, one_warp);
}
TEST_CASE("warp_sum_one_condition: technique", "[warp_sum_one_condition][technique]") {
  // Lane 8 writes slot 8 in the step in which lane 0 reads it: read, wait, write, wait.
  check_warp_sum(warp_sum_one_condition,
                 {.warp_barriers = 11,
                  .why_barriers = "one after the load and two a step: after reading, after writing",
                  .divergent_branches = 2,
                  .why_branches = "one condition around all additions, and the store of the result"});
}
TEST_CASE("warp_sum_one_condition: safety", "[warp_sum_one_condition][safety]") {
  check_safety(warp_sum_one_condition, one_warp);
}

TEST_CASE("warp_sum_padded: result", "[warp_sum_padded][result]") {
  check_results(warp_sum_padded, one_warp);
}
TEST_CASE("warp_sum_padded: result, in any order", "[warp_sum_padded][result]") {
  check_results_in_any_order(warp_sum_padded, one_warp);
}
TEST_CASE("warp_sum_padded: technique", "[warp_sum_padded][technique]") {
  const Launch launch = check_warp_sum(
      warp_sum_padded, {.warp_barriers = 12,
                        .why_barriers = "at most two before the additions and two a step: after reading, "
                                        "after writing",
                        .divergent_branches = 2,
                        .why_branches = "writing the zeros, and the store of the result"});
  // Lane 31 reads slot 47 in the first step. Indices that wrap around at 32 would do without zeros, and
  // without what this kernel is about: lanes that take part and add nothing.
  expect_at_least("slots in shared memory", launch.report().shared_bytes / double{sizeof(float)}, 48,
                  "16 zeros stand behind the 32 values");
  // A step is at least load, wait, add, store, wait: 25 instructions for five, and 20 or more for the index,
  // the element and its guard, by all lanes. What only some do are the store of the zeros, up to 3
  // instructions by 16 lanes, and that of the result, up to 5 by one. They waste 3/2 + 5 * 31/32 < 7 of at
  // most 45 + 8 warp instructions: 87 % remain. With half of the lanes in the additions 13 more are lost.
  expect_at_least("lanes busy, in percent", 100 * launch.counters().lane_utilisation(), 85,
                  "all 32 lanes add in every step: no condition");
}
TEST_CASE("warp_sum_padded: safety", "[warp_sum_padded][safety]") { check_safety(warp_sum_padded, one_warp); }

TEST_CASE("reduce_unroll_last_warp: result", "[reduce_unroll_last_warp][result]") {
  for (const unsigned block : block_sizes) check_results(reduce_unroll_last_warp, two_a_thread(block));
}
TEST_CASE("reduce_unroll_last_warp: result, in any order", "[reduce_unroll_last_warp][result]") {
  for (const unsigned block : {32u, 64u, 256u})
    check_results_in_any_order(reduce_unroll_last_warp, two_a_thread(block));
}
TEST_CASE("reduce_unroll_last_warp: technique", "[reduce_unroll_last_warp][technique]") {
  for (const unsigned block : block_sizes) check_block_tree(reduce_unroll_last_warp, block);
}
TEST_CASE("reduce_unroll_last_warp: safety", "[reduce_unroll_last_warp][safety]") {
  for (const unsigned block : block_sizes) check_safety(reduce_unroll_last_warp, two_a_thread(block));
}

// One family, six kernels: all are checked under the name of the one that the ladder shows.
TEST_CASE("reduce_unrolled_256: result", "[reduce_unrolled_256][result]") {
  for (const unsigned block : block_sizes) check_results(unrolled_kernel(block), two_a_thread(block));
}
TEST_CASE("reduce_unrolled_256: result, in any order", "[reduce_unrolled_256][result]") {
  for (const unsigned block : {32u, 64u, 256u})
    check_results_in_any_order(unrolled_kernel(block), two_a_thread(block));
}
TEST_CASE("reduce_unrolled_256: result, the host's choice", "[reduce_unrolled_256][result]") {
  for (const unsigned block : block_sizes)
    expect_that(unrolled_kernel(block).name == "reduce_unrolled_" + std::to_string(block),
                "the host chooses the wrong kernel for blocks of " + std::to_string(block));
  CHECK_THROWS_AS(unrolled_kernel(96), std::invalid_argument);
}
TEST_CASE("reduce_unrolled_256: technique", "[reduce_unrolled_256][technique]") {
  for (const unsigned block : block_sizes) {
    check_block_tree(unrolled_kernel(block), block);
    expect_count_at_most("branches that lead backward in " + std::string(unrolled_kernel(block).name),
                         backward_branches(simulated_device(), unrolled_kernel(block).name), 0,
                         "every level is written out, so no loop is left");
  }
}
TEST_CASE("reduce_unrolled_256: technique, instructions", "[reduce_unrolled_256][technique]") {
  Device& device = simulated_device();
  constexpr unsigned n = 1u << 16;
  const auto warp_instructions = [&](const BlockSum& kernel) {
    return run(device, kernel, two_a_thread(256), n).counters().warp_instructions;
  };
  // The yardstick is the same author's loop over the levels. Where that is not written yet, it stores
  // nothing.
  if (!device.has_kernel(reduce_unroll_last_warp.name) ||
      dynamic_cast<SimulatedDevice&>(device).writes_nothing(reduce_unroll_last_warp.name))
    return;
  expect_count_at_most("warp instructions for 65536 elements", warp_instructions(reduce_unrolled_256),
                       static_cast<double>(warp_instructions(reduce_unroll_last_warp)) - 1,
                       "fewer than reduce_unroll_last_warp takes: what the loop did is gone");
}
TEST_CASE("reduce_unrolled_256: safety", "[reduce_unrolled_256][safety]") {
  for (const unsigned block : block_sizes) check_safety(unrolled_kernel(block), two_a_thread(block));
}
