#pragma once
/// \file Kernels whose blocks divide n elements among them: on which launches blocks.cpp and argmax.cpp try
/// them, and what these and roof.cpp expect.

#include <string>
#include <vector>

#include "ch05_shuffle/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/check/work.hpp"

namespace warpwise::ch05 {

using harness::Check;

/// Grids to try: one block, three blocks, and two blocks more than the elements need.
inline std::vector<LaunchShape> shapes_for(unsigned n, unsigned block) {
  return {{.grid = 1, .block = block},
          {.grid = 3, .block = block},
          {.grid = harness::ceil_div(n, block) + 2, .block = block}};
}

/// Every element of `out` is written, and their sum differs from `expected` by at most `bound`. If `expected`
/// is an infinity or NaN, so is the sum.
inline void expect_sum_of_blocks(const Buffer<float>& out, double expected, double bound,
                                 const harness::Case& where) {
  harness::expect_made_of(out, "the sums of the blocks add up to",
                          harness::sum(harness::download_written(out, where)), expected, where, bound);
}

// The four kernels of blocks, launched on random input of n elements. The result is compared unless the
// launch is timed. (blocks.cpp)
Launch expect_reduce_shuffle(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_atomic(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_reduce_argmax(Device& device, unsigned n, const LaunchShape& shape);
Launch expect_dot_product(Device& device, unsigned n, const LaunchShape& shape);

/// The most additions that a value can go through: those of its thread, then a tree in the warp, then the
/// sums of up to 32 warps in any order, then `after` more.
inline unsigned additions_for(unsigned n, const LaunchShape& shape, unsigned after = 0) {
  return harness::ceil_div(n, 32 * warps_of(shape)) + 5 + 32 + after;
}

/// Two stages: first the values of a warp, with at most `shuffles_a_stage` shuffles, then the results of the
/// block's up to 32 warps, in any way, in one thread or in all. There is one barrier between the two, and
/// only the warps' results go through shared memory, `values` words for each.
inline void expect_two_stages(const harness::SimulatedDevice& device, const Launch& launch,
                              unsigned shuffles_a_stage, unsigned values) {
  using harness::Counters;
  using harness::expect_at_most;
  const double warps = static_cast<double>(launch.shape().block.x) / 32;
  expect_at_most("shared atomic requests", launch.count(&Counters::shared_atomic_requests), 0,
                 "atomics on the same word add one value after the other");
  expect_at_most("block barriers per block", launch.count(&Counters::block_barriers).per_block(), 1,
                 "one, between the warps' sums and the sum of these sums");
  expect_at_most("shuffles per warp", launch.count(&Counters::shuffles).per_warp(), 2 * shuffles_a_stage,
                 "two stages of five steps, since 2^5 = 32");
  expect_at_most("shared memory store requests per warp",
                 launch.count(&Counters::shared_store_requests).per_warp(), values,
                 "each warp stores its result once");
  expect_at_most("shared memory load requests per warp",
                 launch.count(&Counters::shared_load_requests).per_warp(), values * warps,
                 "a warp loads the result of each warp of the block at most once");
  expect_at_most("bytes of shared memory",
                 harness::Measured(harness::shared_bytes_of(device.program(), launch.kernel())),
                 4 * 32 * values, "a word for each of the 32 warps that a block can have");
}

/// `arrays` arrays of n elements are read once, 32 neighbours at a time, by all warps of all blocks.
inline void expect_read_once(const Launch& launch, const harness::Work& work, unsigned n, unsigned arrays) {
  harness::expect_each_element_is_read_once(launch, arrays * n, "32 neighbouring elements fill 4 sectors");
  harness::expect_shared_out(work, 4.0 * n * arrays);
}

// --- Launches ---------------------------------------------------------------------------------------------

/// Calls `run(n, shape)` for sizes, blocks and grids, including far more blocks than elements, and n above
/// 2^16.
template <class Run>
void for_each_case(const Check& check, Run run) {
  for (const auto [n, block] : check.sizes({32, 64, 256, 1024}))
    for (const LaunchShape& shape : shapes_for(n, block)) run(n, shape);
  run(33, LaunchShape{.grid = 300, .block = 64});
  run(70'001, LaunchShape{.grid = 2, .block = 512});
  run(70'001, LaunchShape{.grid = 70, .block = 1024});
}

// What is tried under each schedule: blocks of two warps and of eight, with an incomplete last round.
constexpr unsigned ordered_n = 1003;
inline constexpr LaunchShape ordered_shapes[] = {{.grid = 2, .block = 64}, {.grid = 1, .block = 256}};

/// Calls `run(device, n, shape, note)` for sizes, blocks and grids, then under all schedules.
template <class Run>
void for_each_case_and_order(Check& check, Run run) {
  for (Device& device : check.devices())
    for_each_case(check, [&](unsigned n, const LaunchShape& shape) { run(device, n, shape, ""); });
  check.under_every_schedule([&](Device& device, const std::string& schedule) {
    for (const LaunchShape& shape : ordered_shapes) run(device, ordered_n, shape, schedule);
  });
}

/// No findings at the sizes that matter: no element, less than a warp, incomplete warps, many rounds.
template <class Run>
void check_safety(Check& check, Run run) {
  for (const unsigned block : check.block_sizes())
    for (const unsigned n : {0u, 1u, 33u, 1025u, 3 * block - 1})
      for (const unsigned grid : {1u, 3u})
        check.expect_safe(run, n, LaunchShape{.grid = grid, .block = block});
  check.under_every_schedule([&](Device&, const std::string&) {
    for (const LaunchShape& shape : ordered_shapes) check.expect_safe(run, ordered_n, shape);
  });
}

// The launch whose technique is checked: 16 blocks of 256 threads, 64 elements per thread, which is enough
// for all threads even if each takes 32 at once.
constexpr unsigned technique_n = 1u << 18;
constexpr LaunchShape technique_shape{.grid = 16, .block = 256};

// When a kernel is counted at any size, a thread that does the others' additions makes more than this many. A
// thread takes at most four elements at once, so a few threads may have more than an even share, and one
// thread may combine the values of the 32 warps.
constexpr unsigned most_steps_a_value = 4;  ///< an index goes with it, or a product
inline void expect_threads_share_additions(const harness::LaunchAndWork& run, unsigned n) {
  const unsigned threads = 32 * warps_of(run.launch.shape());
  const harness::Work::Thread& busiest = run.work.busiest;
  harness::expect_at_most(
      "additions by thread " + std::to_string(busiest.number) + " of block " + std::to_string(busiest.block),
      harness::Measured(busiest.count), most_steps_a_value * (harness::ceil_div(n, threads) + 4 + 32 + 10),
      "its share of the elements, ten steps, and the values of at most 32 warps: does this thread do "
      "other threads' work?");
}

/// The two stages, on launches of the result check that the seed draws.
template <class Run>
void check_stages_at_any_size(Check& check, Run run, unsigned shuffles_a_stage, unsigned values) {
  for (const unsigned block : {32u, 64u, 256u, 1024u})
    for (const unsigned n : check.some_awkward_sizes(block))
      for (const LaunchShape& shape : shapes_for(n, block)) {
        const harness::LaunchAndWork counted = harness::launch_and_work(check.simulated(), run, n, shape);
        expect_two_stages(check.simulated(), counted.launch, shuffles_a_stage, values);
        expect_threads_share_additions(counted, n);
      }
}

}  // namespace warpwise::ch05
