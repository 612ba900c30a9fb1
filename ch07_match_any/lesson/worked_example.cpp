/// \file The worked example: 32 counters, and threads 16 to 31 of a warp increment counter threadIdx.x / 4.
/// Runs on the simulated GPU with the solution's kernel. Exit status 0 means that the result is right.

#include <cstdio>

#include "ch07_match_any/kernels.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

int main() {
  harness::SimulatedDevice device(text::built_module("solution.ptx"));
  // [worked_example]
  std::vector<unsigned> counter_of_thread(32);
  for (unsigned thread = 0; thread < 32; ++thread) counter_of_thread[thread] = thread / 4;
  const auto which = device.upload("which", counter_of_thread);
  const auto active = device.upload("active", std::vector<unsigned>{0xffff0000u});  // threads 16 to 31
  const auto counters = device.zeroed<unsigned>("counters", 32);
  const auto tickets = device.poisoned<unsigned>("tickets", 32);
  const auto launch =
      device.launch(atomic_aggregate_increment, {.grid = 1, .block = 32}, which, active, counters, tickets);
  // [/worked_example]

  bool is_right = launch.findings().empty();
  std::printf("counter ");
  for (unsigned c = 0; c < 32; ++c) std::printf("%3u", c);
  std::printf("\nholds   ");
  const auto held = counters.download();
  for (unsigned c = 0; c < 32; ++c) {
    std::printf("%3u", held[c]);
    is_right = is_right && held[c] == (c >= 4 && c < 8 ? 4u : 0u);
  }
  std::printf("\nthread  ");
  for (unsigned thread = 16; thread < 32; ++thread) std::printf("%3u", thread);
  std::printf("\nticket  ");
  const auto drawn = tickets.download();
  for (unsigned thread = 16; thread < 32; ++thread) std::printf("%3u", drawn[thread]);
  std::printf("\n");
  return is_right ? 0 : 1;
}
