/// \file Three ways for each thread to add two floats, and what a warp's loads cost in global memory.
/// Runs on the simulated GPU.

#include <cstdio>

#include "common/harness/check/inputs.hpp"
#include "common/harness/device/kernel.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

WARPWISE_KERNEL(add_two_loads, (const float* in, float* out));
WARPWISE_KERNEL(add_one_load, (const float* in, float* out));
WARPWISE_KERNEL(add_two_halves, (const float* in, float* out));

int main() {
  constexpr unsigned threads = 1u << 15, warps = threads / 32;
  harness::SimulatedDevice device(text::built_module("lesson/loads.ptx"));
  const auto in = device.upload("in", harness::random_integers(2 * threads, 1));

  std::printf("64 floats per warp   requests   sectors   sectors per request\n");
  for (const auto& kernel : {add_two_loads, add_one_load, add_two_halves}) {
    const auto out = device.zeroed<float>("out", threads);
    const auto counters = device.launch(kernel, {.grid = threads / 256, .block = 256}, in, out).counters();
    const auto requests = static_cast<double>(counters.global_load_requests);
    const auto sectors = static_cast<double>(counters.global_load_sectors);
    std::printf("  %-16s  %10.0f  %8.0f  %20.0f\n", kernel.name, requests / warps, sectors / warps,
                sectors / requests);
  }
}
