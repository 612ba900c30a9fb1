/// \file The solution's kernels beside CUB's on the simulated GPU: their results, and what each of them does
/// for it. Exit status 0: all results are equal, and neither side has a finding.

#include <cstdio>
#include <string>

#include "ch05_shuffle/kernels.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/device/kernel.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/installation.hpp"

// Kernels of cub_reference.cu, in which CUB does what this chapter writes by hand.

/// The same as warp_reduce_sum and warp_reduce_max, with cub::WarpReduce. blockDim.x is 256.
WARPWISE_KERNEL(cub_warp_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(cub_warp_max, (const float* in, float* out, unsigned n));

/// The same as reduce_shuffle, reduce_argmax and dot_product, with cub::BlockReduce. blockDim.x is 256.
WARPWISE_KERNEL(cub_block_sum, (const float* in, float* out, unsigned n));
WARPWISE_KERNEL(cub_block_argmax, (const float* in, float* value, unsigned* index, unsigned n));
WARPWISE_KERNEL(cub_block_dot, (const float* a, const float* b, float* out, unsigned n));

using namespace warpwise;
using harness::Device;
using harness::InOutKernel;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;
using harness::warps_of;

namespace {

/// The input of both sides: 65536 elements, many of them equal, in 64 blocks of 256 threads.
constexpr unsigned n = 1u << 16;

struct Outcome {
  Launch launch;
  std::vector<float> values;
  std::vector<unsigned> indices = {};
};

void print_row(const Outcome& outcome) {
  const auto& counters = outcome.launch.counters();
  std::printf("  %-18s %12.2f %10.2f %12.2f %12.2f\n", outcome.launch.kernel().c_str(),
              outcome.launch.count(&harness::Counters::shuffles).per_warp().value(),
              outcome.launch.count(&harness::Counters::block_barriers).per_block().value(),
              outcome.launch.count(harness::shared_load_and_store_wavefronts).per_block().value(),
              static_cast<double>(counters.warp_instructions) / (n / 32.0));
}

/// Prints both. Returns whether they agree.
bool show(const Outcome& ours, const Outcome& cubs) {
  print_row(ours);
  print_row(cubs);
  const bool is_equal = ours.values == cubs.values && ours.indices == cubs.indices;
  const bool is_safe = ours.launch.findings().empty() && cubs.launch.findings().empty();
  std::printf("    %s%s\n", is_equal ? "equal results" : "DIFFERENT RESULTS", is_safe ? "" : ", FINDINGS");
  return is_equal && is_safe;
}

Outcome run_values(Device& device, const InOutKernel<float>& kernel, const LaunchShape& shape,
                   std::size_t results) {
  auto [launch, out] = run_in_out(device, kernel, shape, harness::random_integers(n, 1), results);
  return {std::move(launch), out.download()};
}

Outcome run_argmax(Device& device, const Kernel<void(const float*, float*, unsigned*, unsigned)>& kernel,
                   const LaunchShape& shape) {
  const auto in = device.upload("in", harness::random_integers(n, 1));
  const auto value = device.poisoned<float>("value", shape.grid.x);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  Launch launch = device.launch(kernel, shape, in, value, index, n);
  return {std::move(launch), value.download(), index.download()};
}

Outcome run_dot(Device& device, const Kernel<void(const float*, const float*, float*, unsigned)>& kernel,
                const LaunchShape& shape) {
  const auto a = device.upload("a", harness::random_integers(n, 1));
  const auto b = device.upload("b", harness::random_integers(n, 2));
  const auto out = device.poisoned<float>("out", shape.grid.x);
  Launch launch = device.launch(kernel, shape, a, b, out, n);
  return {std::move(launch), out.download()};
}

}  // namespace

int main() {
  harness::SimulatedDevice ours(text::built_module("solution.ptx"));
  harness::SimulatedDevice cubs(text::built_module("bench/cub_reference.ptx"));
  const LaunchShape each = thread_for_each(n, 256);
  const LaunchShape few{.grid = 64, .block = 256};
  const unsigned warps = warps_of(each);

  std::printf("  %-18s %12s %10s %12s %12s\n", "", "shuffles", "barriers", "shared wavef.", "instructions");
  std::printf("  %-18s %12s %10s %12s %12s\n", "n = 65536", "a warp", "a block", "a block", "for 32 elem.");
  bool is_right =
      show(run_values(ours, warp_reduce_sum, each, warps), run_values(cubs, cub_warp_sum, each, warps));
  is_right &=
      show(run_values(ours, warp_reduce_max, each, warps), run_values(cubs, cub_warp_max, each, warps));
  is_right &= show(run_values(ours, reduce_shuffle, few, few.grid.x),
                   run_values(cubs, cub_block_sum, few, few.grid.x));
  is_right &= show(run_argmax(ours, reduce_argmax, few), run_argmax(cubs, cub_block_argmax, few));
  is_right &= show(run_dot(ours, dot_product, few), run_dot(cubs, cub_block_dot, few));
  return is_right ? 0 : 1;
}
