/// \file What the kernels of chapter @number@ must satisfy: result, technique, safety. Contracts: kernels.hpp.

#include <utility>
#include <vector>

#include "@chapter@/kernels.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;

namespace {

/// TEMPLATE: a reference that is obviously right: sequential, on the host.
std::vector<double> doubled(const std::vector<float>& values) {
  std::vector<double> results;
  for (const float value : values) results.push_back(2.0 * value);
  return results;
}

/// Launches the kernel and checks the result, so that no wrong launch is counted or searched for findings. (On a real
/// GPU the kernel's launch is repeated and timed.)
Launch run(Device& device, const std::vector<float>& values, const LaunchShape& shape) {
  const auto n = static_cast<unsigned>(values.size());
  auto [launch, out] = run_in_out(device, @kernel@, shape, values, n);
  expect_equal(out, doubled(values), case_of(n, shape));
  return std::move(launch);
}
Launch run_some(Device& device, unsigned n, unsigned block) {
  return run(device, random_floats(n, seed_of(n, block)), thread_for_each(n, block));
}

const RegisterKernels kernels({
    {.kernel = @kernel@,
     .technique = "TEMPLATE: in a few words",
     .task = "TEMPLATE: what the kernel must do, in one line",
     .run = [](Device& device, unsigned n) { return run_some(device, n, device.block_or(256)); },
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("TEMPLATE: the title of the lesson"));

}  // namespace

WARPWISE_CHECK(@kernel@, result) {
  for (Device& device : check.devices())
    for (const auto [n, block] : check.sizes()) run_some(device, n, block);
}

WARPWISE_CHECK(@kernel@, result, "more blocks than n needs") {
  for (Device& device : check.devices()) run(device, random_floats(100, 1), {.grid = 9, .block = 32});
}

// TEMPLATE: what the chapter teaches, as counts: divergent branches, bank conflicts, barriers, sectors. They are taken at
// the sizes of the result check, so that no kernel can tell when it is counted.
WARPWISE_CHECK(@kernel@, technique) {
  for (const auto [n, block] : check.sizes())
    expect_each_element_is_read_once(run_some(check.simulated(), n, block), n);
}

WARPWISE_CHECK(@kernel@, safety) {
  for (const auto [n, block] : check.sizes()) check.expect_safe(run_some, n, block);
}
