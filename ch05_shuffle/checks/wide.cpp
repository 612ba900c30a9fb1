/// \file What chapter 5 requires of sum_tiles and sum_wide, the first two steps to the roof. Contracts:
/// kernels.hpp.

#include <span>

#include "ch05_shuffle/checks/wide_checks.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// One input on one device, any part of which can be summed. Its elements are 1 to 15: sums of up to 2^20 of
/// them are exact.
class Shares {
 public:
  Shares(Device& device, unsigned size)
      : device_(device), values_(random_integers(size, size, 1, 15)), in_(device.upload("in", values_)) {}

  /// Sums n elements from `offset` on. `count` is the number that the kernel gets, of tiles or of elements.
  Launch run(const SharesKernel& kernel, unsigned offset, unsigned n, unsigned count, unsigned blocks) {
    const auto out = device_.poisoned<float>("out", std::size_t{blocks} * roof_threads);
    Launch launch = device_.launch(kernel, roof_shape(blocks), in_.from(offset), out, count);
    const Case where{.n = n, .grid = blocks, .note = start_of(offset)};
    expect_shares(out, std::span(values_).subspan(offset, n), where);
    return launch;
  }
  Launch tiles(unsigned count, unsigned blocks) { return run(sum_tiles, 0, count * tile, count, blocks); }
  Launch wide(unsigned offset, unsigned n, unsigned blocks) { return run(sum_wide, offset, n, n, blocks); }

 private:
  Device& device_;
  std::vector<float> values_;
  Buffer<float> in_;
};

/// The shares stay in registers until each thread stores its own.
void expect_shares_only(const Launch& launch) {
  expect_no_shared_memory(launch, "each thread keeps its share to itself");
  expect_no_shuffles(launch, "each thread keeps its share to itself");
  expect_no_atomics(launch, "each thread keeps its share to itself");
}

const RegisterKernels share_kernels({
    {.kernel = sum_tiles,
     .technique = "16-byte loads, 4 in flight",
     .task = "step 1 to the roof: each thread's share of whole tiles",
     .run = [](Device& device, unsigned n) { return run_sum_tiles(device, n, roof_blocks(device, n)); }},
    {.kernel = sum_wide,
     .technique = "the same, and the two ends",
     .task = "step 2 to the roof: any n, from any place",
     .run = [](Device& device, unsigned n) { return run_sum_wide(device, n, roof_blocks(device, n), 0); }},
});

}  // namespace

WARPWISE_CHECK(sum_tiles, result) {
  for (Device& device : check.devices()) {
    Shares shares(device, 9 * tile);
    for (const unsigned tiles : {1u, 2u, 3u, 5u, 9u})
      for (const unsigned blocks : {1u, 2u, 3u, 12u}) shares.tiles(tiles, blocks);
    shares.tiles(0, 3);
  }
}
WARPWISE_CHECK(sum_tiles, technique) {
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto run = launch_and_work(check.simulated(), run_sum_tiles, n, blocks);
  expect_wide_loads(run, n, 0, 0);
  expect_shares_only(run.launch);
}
WARPWISE_CHECK(sum_tiles, safety) {
  for (const unsigned tiles : {0u, 1u, 4u})
    for (const unsigned blocks : {1u, 3u}) check.expect_safe(run_sum_tiles, tiles * tile, blocks);
}

WARPWISE_CHECK(sum_wide, result) {
  for (Device& device : check.devices()) {
    Shares shares(device, short_stretch + 4);
    for_short_stretches(
        device, [&](unsigned offset, unsigned n, unsigned blocks) { shares.wide(offset, n, blocks); });
  }
}
WARPWISE_CHECK(sum_wide, result, "tiles and ends") {
  for (Device& device : check.devices()) {
    Shares shares(device, 7 * tile + 8);
    for (const unsigned tiles : {1u, 4u, 7u})
      for (const int more : {-5, -1, 0, 1, 4})
        for (unsigned offset = 0; offset < 4; ++offset)
          shares.wide(offset, tiles * tile + static_cast<unsigned>(more), 1 + (tiles + offset) % 5);
  }
}
WARPWISE_CHECK(sum_wide, technique) {
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto run = launch_and_work(check.simulated(), run_sum_wide, n, blocks, 0);
  expect_wide_loads(run, n, 8 * blocks, 0);
  expect_shares_only(run.launch);
}
WARPWISE_CHECK(sum_wide, technique, "any alignment") {
  expect_wide_loads_from_any_start(check.simulated(), run_sum_wide);
}
WARPWISE_CHECK(sum_wide, safety) {
  for (const unsigned n : {0u, 1u, 2u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2})
    for (unsigned offset = 0; offset < 4; ++offset)
      for (const unsigned blocks : {1u, 3u}) check.expect_safe(run_sum_wide, n, blocks, offset);
}
