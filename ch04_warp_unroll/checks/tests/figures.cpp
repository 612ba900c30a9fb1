/// \file The figures that the lesson prints, held against the kernels: they cannot drift. And the host's
/// choice among the unrolled kernels, which is given.

#include "ch04_warp_unroll/checks/unrolled.hpp"
#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Counters;

namespace {

constexpr unsigned n = 1u << 16;

Counters count(const InOutKernel<float>& kernel, unsigned block, unsigned elements_a_block,
               const char* module = WARPWISE_BINARY_DIR "/solution.ptx") {
  SimulatedDevice device(module);
  const LaunchShape shape = with_shared_floats({.grid = n / elements_a_block, .block = block});
  return run_in_out(device, kernel, shape, random_integers(n, 1), shape.grid.x).launch.counters();
}

void check_warp(const Counters& counters, unsigned divergent, unsigned barriers, unsigned wavefronts,
                double instructions, double lanes) {
  constexpr unsigned warps = n / 32;
  CHECK(counters.divergent_branches == warps * divergent);
  CHECK(counters.warp_barriers == warps * barriers);
  CHECK(counters.shared_load_wavefronts + counters.shared_store_wavefronts == warps * wavefronts);
  CHECK(static_cast<double>(counters.warp_instructions) / warps == Approx(instructions).margin(2));
  CHECK(counters.lane_utilisation() == Approx(lanes).margin(0.015));
}

void check_block(const Counters& counters, unsigned barriers, double instructions_an_element) {
  CHECK(counters.block_barriers == n / 512 * barriers);
  CHECK(counters.shared_load_wavefronts == 3200);
  CHECK(counters.shared_store_wavefronts == 2560);
  CHECK(counters.shared_load_bank_conflicts + counters.shared_store_bank_conflicts == 0);
  CHECK(counters.global_load_sectors == 8192);
  CHECK(static_cast<double>(counters.warp_instructions) / n == Approx(instructions_an_element).margin(0.03));
}

}  // namespace

TEST_CASE("one warp, three forms") {
  check_warp(count(warp_sum_step_condition, 32, 32), 6, 6, 17, 62, 0.65);
  check_warp(count(warp_sum_one_condition, 32, 32), 2, 11, 17, 60, 0.65);
  check_warp(count(warp_sum_padded, 32, 32), 2, 11, 18, 62, 0.89);
}

TEST_CASE("barriers, wavefronts and instructions of a block of 256") {
  check_block(count(reduce_unroll_last_warp, 256, 512,
                    WARPWISE_BINARY_DIR "/attempts/reduce_unroll_last_warp_barrier_a_level.ptx"),
              9, 1.43);
  check_block(count(reduce_unroll_last_warp, 256, 512), 3, 0.94);
  check_block(count(reduce_unrolled_256, 256, 512), 3, 0.72);
}

TEST_CASE("nine trees instead of one") {
  const Counters counters = count(block_sum_by_warps, 256, 512);
  CHECK(counters.block_barriers == n / 512);
  CHECK(counters.shared_load_wavefronts + counters.shared_store_wavefronts == 20608);
  CHECK(static_cast<double>(counters.warp_instructions) / n == Approx(1.47).margin(0.05));
}

TEST_CASE("the host chooses the kernel for its block, and refuses a block that has none") {
  for (const unsigned block : {32u, 64u, 128u, 256u, 512u, 1024u})
    CHECK(warpwise::ch04::unrolled_kernel(block).name == "reduce_unrolled_" + std::to_string(block));
  CHECK_THROWS_AS(warpwise::ch04::unrolled_kernel(96), std::invalid_argument);
}
