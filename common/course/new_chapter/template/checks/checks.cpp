/// \file What the kernels of chapter @number@ must satisfy: result, technique, safety. Contracts: kernels.hpp.

#include <vector>

#include "@chapter@/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/chapter.hpp"
#include "common/harness/check/matchers.hpp"

using namespace warpwise::harness;

namespace {

/// TEMPLATE: what the kernel computes, told once, by a reference that is obviously right: sequential, on the host.
auto HoldsDoubled(const std::vector<float>& in) {
  std::vector<double> doubled;
  for (const float value : in) doubled.push_back(2.0 * value);
  return Holds(doubled);
}

/// The kernel on `in`; `out` has as many elements, in which nothing is written.
Written<float> launch_@kernel@(Device& device, const std::vector<float>& in, const LaunchShape& shape) {
  return run_in_out(device, @kernel@, shape, in, in.size());
}

}  // namespace

TEST_CASE("@kernel@: at awkward sizes", "[@kernel@][result]") {
  Device& device = GENERATE(devices());
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_floats(n, seed_of(n, block));
  const auto out = launch_@kernel@(device, in, thread_for_each(n, block)).out;
  CHECK_THAT(out, HoldsDoubled(in));
}

TEST_CASE("@kernel@: more blocks than n needs", "[@kernel@][result]") {
  Device& device = GENERATE(devices());
  const auto in = random_floats(100, 1);
  const auto out = launch_@kernel@(device, in, {.grid = 9, .block = 32}).out;
  CHECK_THAT(out, HoldsDoubled(in));
}

// TEMPLATE: what the chapter teaches, as counts: divergent branches, bank conflicts, barriers, sectors. They are taken at
// the sizes that the result is tried at, so that no kernel can tell when it is counted.
TEST_CASE("@kernel@: each element is read once", "[@kernel@][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_floats(n, seed_of(n, block));
  const auto [run, out] = counted(device, launch_@kernel@, in, thread_for_each(n, block));
  CHECK_THAT(run, ReadsEachElementOnce(n));
  CHECK_THAT(out, HoldsDoubled(in));
}

TEST_CASE("@kernel@: no findings", "[@kernel@][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned block = GENERATE(block_sizes());
  const unsigned n = GENERATE_COPY(awkward_sizes(block));
  const auto in = random_floats(n, seed_of(n, block));
  const auto [launch, out] = launch_@kernel@(device, in, thread_for_each(n, block));
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, HoldsDoubled(in));
}

namespace {

/// The launch that is counted, drawn and, on a GPU, timed.
Launch show(Device& device, unsigned n) {
  const auto in = random_floats(n, n);
  auto [launch, out] = launch_@kernel@(device, in, thread_for_each(n, device.block_or(256)));
  if (!launch.is_timed()) require(out, HoldsDoubled(in));
  return std::move(launch);
}

const RegisterKernels kernels({
    {.kernel = @kernel@,
     .technique = "TEMPLATE: in a few words",
     .task = "TEMPLATE: what the kernel must do, in one line",
     .run = show,
     .bytes_per_element = 8},
});
const RegisterChapter registered(this_chapter("TEMPLATE: the title of the lesson"));

}  // namespace
