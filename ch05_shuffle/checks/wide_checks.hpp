#pragma once
/// \file What wide.cpp and roof.cpp expect of kernels that read 16 bytes at a time.

#include <string>

#include "ch05_shuffle/checks/block_checks.hpp"

namespace warpwise::ch05 {

constexpr unsigned tile = 4 * roof_loads * roof_threads;  ///< elements that a block takes at once

/// "in starts 1 float after a 16-byte boundary"
inline std::string start_of(unsigned offset) {
  if (offset == 0) return "in starts at a 16-byte boundary";
  return "in starts " + std::to_string(offset) + (offset == 1 ? " float" : " floats") +
         " after a 16-byte boundary";
}

/// Besides the wide loads of the n elements, the kernel makes at most `other_requests` load requests and
/// loads at most `other_bytes`. The limits:
///   Rounds: a loop has one guarded branch per round, and the start and end of the kernel have a few more. A
///   loop with one load has fewer than two loads per branch; the solution, with four, has 4. 3 instructions:
///   a float4 costs one load and four additions, 1.25 for each 32 elements. The rest is the address of the
///   next one and the loop: 2.25 and more if each load has its own multiplication by the size of the
///   grid, 1.9 in the solution. There are few blocks, so the loop counts and not the start and end.
inline void expect_wide_loads(const harness::LaunchAndWork& run, unsigned n, unsigned other_requests,
                              unsigned other_bytes) {
  using harness::Counters;
  using harness::expect_at_most;
  using harness::Measured;
  const harness::Launch& launch = run.launch;
  const harness::Count loads = launch.count(&Counters::global_load_requests);
  expect_at_most("global load requests", loads, n / 128.0 + other_requests,
                 "32 lanes that load 16 bytes each read 128 elements at once");
  expect_at_most("bytes loaded", Measured(run.work.total(&harness::WarpWork::loaded_bytes)),
                 4.0 * n + other_bytes, "each element is read once");
  expect_at_most("bytes from the first to the last that a warp's load touches",
                 Measured(run.work.most(&harness::WarpWork::widest_load)), 4096,
                 "neighbouring lanes load neighbours, or each lane loads a few float4 in a row");
  harness::expect_at_least(
      "loads per round", loads / launch.count(&Counters::branches).value(), 2,
      "several loads are on their way before the first is waited for: make several per round");
  expect_at_most("warp instructions for each 32 elements",
                 launch.count(&Counters::warp_instructions) / (n / 32.0), 3,
                 "16 bytes per lane and load, several loads per round");
  harness::expect_shared_out(run.work, 4.0 * n);
}

/// At most 3 elements at each end are loaded one by one, wherever `in` starts, and nothing outside of `in`,
/// not even to be dropped. `run(device, n, blocks, offset)` launches; it may load `other_bytes` besides.
template <class Run>
void expect_wide_loads_from_any_start(harness::SimulatedDevice& device, Run run, unsigned other_bytes = 0) {
  constexpr unsigned n = 1u << 18, blocks = 1;
  for (unsigned offset = 0; offset < 4; ++offset) {
    const auto [launch, work] = harness::launch_and_work(device, run, n, blocks, offset);
    harness::expect_at_most("global load requests, " + start_of(offset),
                            launch.count(&harness::Counters::global_load_requests), n / 128.0 + 16,
                            "16-byte loads from the first 16-byte boundary on");
    harness::expect_at_most("bytes loaded, " + start_of(offset),
                            harness::Measured(work.total(&harness::WarpWork::loaded_bytes)),
                            4.0 * n + other_bytes, "each element is read once, and nothing beside them");
  }
}

/// Blocks of a kernel.
inline unsigned roof_blocks(Device& device, unsigned n) {
  return roof_grid(device.properties().multiprocessors, n);
}

constexpr unsigned short_stretch = 4100;  ///< elements of the longest of for_short_stretches

/// Calls `sum(offset, n, blocks)` for parts of the input of up to 4100 elements. A GPU tries every n with all
/// four offsets. The simulator tries fewer n, each with one offset, and with all four if n is small.
template <class Sum>
void for_short_stretches(const harness::Device& device, Sum sum) {
  const unsigned step = device.is_simulated() ? 23 : 1;
  for (unsigned n = 0; n <= short_stretch; n += n < 40 ? 1 : step)
    for (unsigned offset = 0; offset < 4; ++offset)
      if (n < 40 || !device.is_simulated() || offset == n / step % 4) sum(offset, n, 1 + n % 3);
}

}  // namespace warpwise::ch05
