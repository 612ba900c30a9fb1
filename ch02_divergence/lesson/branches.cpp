/// \file Four kernels with the same condition, and how often they diverge. Runs on the simulated GPU.

#include <cstdio>
#include <vector>

#include "common/harness/check/inputs.hpp"
#include "common/harness/device/kernel.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

WARPWISE_KERNEL(choose_a_value, (const int* in, int* out, unsigned n));
WARPWISE_KERNEL(choose_a_store, (const int* in, int* out, unsigned n));
WARPWISE_KERNEL(store_in_one_arm, (const int* in, int* out, unsigned n));
WARPWISE_KERNEL(call_max, (const int* in, int* out, unsigned n));

int main() {
  constexpr unsigned n = 1u << 16;
  harness::SimulatedDevice device(text::built_module("lesson/branches.ptx"));
  const auto numbers = harness::random_integers(n, 1, -500, 500);
  const std::vector<int> values(numbers.begin(), numbers.end());
  const auto in = device.upload("in", values);

  std::printf("%u numbers of both signs, %u warps\n", n, n / 32);
  std::printf("  kernel            divergent branches  warp instructions\n");
  for (const auto& kernel : {choose_a_value, call_max, choose_a_store, store_in_one_arm}) {
    const auto out = device.zeroed<int>("out", n);
    const auto counters = device.launch(kernel, {.grid = n / 256, .block = 256}, in, out, n).counters();
    std::printf("  %-16s  %18llu  %17llu\n", kernel.name,
                static_cast<unsigned long long>(counters.divergent_branches),
                static_cast<unsigned long long>(counters.warp_instructions));
  }
}
