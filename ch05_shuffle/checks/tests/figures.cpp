/// \file The figures that the lesson quotes, counted; and reduce_to_the_roof of the solution, for every n
/// from 0 to 4100 and every place where `in` can start.

#include "ch05_shuffle/checks/requirements.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::ch05;
using warpwise::harness::SimulatedDevice;

namespace {

SimulatedDevice& device() {
  static SimulatedDevice solution(WARPWISE_BINARY_DIR "/solution.ptx");
  return solution;
}
constexpr unsigned n = 1u << 16;
constexpr LaunchShape shape{.grid = 64, .block = 256};

}  // namespace

TEST_CASE("a warp: five shuffles, no shared memory") {
  const auto counters = launch_warps(device(), warp_reduce_sum, warpwise::harness::random_integers(n, 1),
                                     thread_for_each(n, 256))
                            .launch.counters();
  CHECK(counters.shuffles == 5 * n / 32);
  CHECK(counters.shared_load_requests + counters.shared_store_requests == 0);
  CHECK(counters.block_barriers + counters.warp_barriers == 0);
}

TEST_CASE("a block: one barrier, 9 shared wavefronts, 45 shuffles") {
  const auto values = warpwise::harness::random_integers(n, n);
  const auto counters = run_in_out(device(), reduce_shuffle, shape, values, shape.grid.x).launch.counters();
  CHECK(counters.block_barriers == 64);
  CHECK(counters.shared_store_wavefronts == 64 * 8);  // one per warp
  CHECK(counters.shared_load_wavefronts == 64);       // the first warp reads the 8 sums at once
  CHECK(counters.shuffles == 64 * (8 * 5 + 5));
}

TEST_CASE("one atomic per block") {
  const auto in = device().upload("in", warpwise::harness::random_integers(n, n));
  const auto total = device().zeroed<float>("total", 1);  // the kernel adds to it
  const auto counters = device().launch(reduce_atomic, shape, in, total, n).counters();
  CHECK(counters.global_atomic_requests == 64);
  CHECK(counters.global_atomic_sectors == 64);
}

TEST_CASE("the roof: 16 sectors per request, at most 2 instructions for 32 elements") {
  const unsigned blocks = roof_grid(device().properties().multiprocessors, 1u << 24);
  REQUIRE(blocks == 64);
  const auto in = device().upload("in", warpwise::harness::random_integers(1u << 24, 1, 1, 3));
  const RoofScratch scratch(device(), blocks);
  const auto counters = launch_roof(device(), in, 0, 1u << 24, blocks, scratch).launch.counters();
  // Each warp of 32 lanes loads 128 elements at once, and there is one more request for each 32 partial sums.
  CHECK(counters.global_load_requests == (1u << 24) / 128 + blocks / 32);
  CHECK(counters.global_load_sectors == (1u << 24) / 8 + blocks / 8);
  CHECK(static_cast<double>(counters.warp_instructions) / ((1u << 24) / 32) < 2);
}

TEST_CASE("reduce_to_the_roof: every n from 0 to 4100 at every alignment") {
  constexpr unsigned most = 4100;
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  // For speed, without observers. The machine itself still stops at misaligned accesses and accesses out of
  // bounds. The chapter's checks look for races and other findings.
  device.options().watch = warpwise::simulator::Watch::nothing;
  device.options().launch.threads = 1;
  const auto values = warpwise::harness::random_integers(most + 3, 1);
  const auto in = device.upload("in", values);
  const RoofScratch scratch(device, 1);
  unsigned wrong = 0, unsafe = 0;
  for (unsigned offset = 0; offset < 4; ++offset) {
    float expected = 0;  // exact: whole numbers below 2^24
    for (unsigned n = 0; n <= most; ++n) {
      const auto out = device.poisoned<float>("out", 1);
      const auto launch = device.launch(reduce_to_the_roof, roof_shape(1), in.from(offset), out, n,
                                        scratch.partials, scratch.ticket);
      wrong += out.download()[0] != expected;
      unsafe += !launch.findings().empty();
      if (n < most) expected += values[offset + n];
    }
  }
  CHECK(wrong == 0);
  CHECK(unsafe == 0);
}
