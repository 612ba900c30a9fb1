/// \file What chapter @number@ asks of its kernels: result, technique, safety. Contracts: kernels.hpp.

#include <vector>

#include "@chapter@/kernels.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/in_out.hpp"

using namespace warpwise::harness;

namespace {

/// TEMPLATE: a reference that is obviously right: sequential, on the host.
std::vector<double> doubled(const std::vector<float>& values) {
  std::vector<double> results;
  for (const float value : values) results.push_back(2.0 * value);
  return results;
}

Written<float> run(Device& device, unsigned n, unsigned block) {
  return run_in_out(device, @kernel@, thread_for_each(n, block), random_floats(n, seed_of(n, block)), n);
}

const Exhibit exhibits[] = {
    {.kernel = @kernel@,
     .technique = "TEMPLATE: in few words",
     .task = "TEMPLATE: what the kernel must do, in one line",
     .run = [](Device& device, unsigned n) { return run(device, n, device.block_or(256)).launch; },
     .bytes_per_element = 8},
};
const RegisterChapter registered(this_chapter("TEMPLATE: the title of the lesson", exhibits));

}  // namespace

WARPWISE_CHECK(@kernel@, result) {
  for (Device& device : devices())
    for (const auto [n, block] : every_size_and_block())
      expect_equal(run(device, n, block).out, doubled(random_floats(n, seed_of(n, block))),
                   {.n = n, .block = block});
}

WARPWISE_CHECK(@kernel@, result, "more blocks than n needs") {
  const auto values = random_floats(100, 1);
  for (Device& device : devices())
    expect_equal(run_in_out(device, @kernel@, {.grid = 9, .block = 32}, values, 100).out, doubled(values),
                 {.n = 100, .block = 32, .grid = 9});
}

// TEMPLATE: what the chapter teaches, as counts: divergent branches, bank conflicts, barriers, sectors.
WARPWISE_CHECK(@kernel@, technique) {
  for (const unsigned block : every_block_size)
    expect_each_element_is_read_once(run(simulated_device(), 4 * block, block).launch.counters(), 4 * block);
}

WARPWISE_CHECK(@kernel@, safety) {
  for (const auto [n, block] : every_size_and_block())
    expect_no_findings(run(simulated_device(), n, block).launch);
}
