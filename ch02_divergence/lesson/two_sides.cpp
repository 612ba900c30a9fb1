/// \file What a warp pays for a branch with two long sides, and how that depends on the number of
/// lanes that take each side. Runs on the simulated GPU.

#include <cstdio>
#include <vector>

#include "common/harness/device/kernel.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

WARPWISE_KERNEL(choose_by_lane, (const unsigned* in, unsigned* out, unsigned shaken));

int main() {
  constexpr unsigned n = 1024, warps = n / 32;
  harness::SimulatedDevice device(text::built_module("lesson/two_sides.ptx"));
  std::vector<unsigned> values;
  for (unsigned i = 0; i < n; ++i) values.push_back(i * 2654435761u);
  const auto in = device.upload("in", values);

  std::printf("lanes that shake   lanes that stir   instructions per warp   lanes busy\n");
  for (const unsigned shaken : {0u, 1u, 8u, 16u, 31u, 32u}) {
    const auto out = device.zeroed<unsigned>("out", n);
    const auto counters =
        device.launch(choose_by_lane, {.grid = n / 256, .block = 256}, in, out, shaken).counters();
    std::printf("%16u  %16u  %22.0f  %9.0f %%\n", shaken, 32 - shaken,
                static_cast<double>(counters.warp_instructions) / warps, 100 * counters.lane_utilisation());
  }
}
