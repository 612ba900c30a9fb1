#pragma once
/// \file The launches on which blocks.cpp and argmax.cpp try kernels whose blocks divide n
/// elements among them.

#include <string>

#include "ch05_shuffle/checks/block_checks.hpp"
#include "common/harness/check/work.hpp"

namespace warpwise::ch05 {

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
inline void expect_threads_share_additions(const harness::CountedLaunch& run, unsigned n) {
  const unsigned threads = 32 * warps_of(run.launch.shape());
  const harness::Additions::Thread& busiest = run.additions.busiest;
  harness::expect_at_most(
      "additions by thread " + std::to_string(busiest.number) + " of block " + std::to_string(busiest.block),
      harness::Measured(busiest.count), most_steps_a_value * (harness::ceil_div(n, threads) + 4 + 32 + 10),
      "its share of the elements, ten steps, and the values of at most 32 warps: this thread does "
      "other threads' work");
}

/// The two stages, on launches of the result check that the seed draws.
template <class Run>
void check_stages_at_any_size(Check& check, Run run, unsigned shuffles_a_stage, unsigned values) {
  for (const unsigned block : {32u, 64u, 256u, 1024u})
    for (const unsigned n : check.some_awkward_sizes(block))
      for (const LaunchShape& shape : shapes_for(n, block)) {
        const harness::CountedLaunch counted = harness::count_additions(check.simulated(), run, n, shape);
        expect_two_stages(check.simulated(), counted.launch, shuffles_a_stage, values);
        expect_threads_share_additions(counted, n);
      }
}

}  // namespace warpwise::ch05
