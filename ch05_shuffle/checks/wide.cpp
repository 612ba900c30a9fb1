/// \file What chapter 5 asks of sum_tiles and sum_wide, the first two steps to the roof. Contracts:
/// kernels.hpp.

#include <span>

#include "ch05_shuffle/checks/requirements.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch05;

namespace {

/// What both kernels compute, told once: the sum of all out[i] is the sum of `in`, whichever thread took
/// which of them. Sums of up to 2^20 whole numbers from 1 to 15 are exact.
Requirement<Buffer<float>> SharesAddUpTo(std::span<const float> in) {
  return {"adds up to the sum of in", [=](const Buffer<float>& out) {
            require(out, ReducesTo<operators::Sum>(in, "the shares of the threads add up to")
                             .where(roof_case(out, in.size())));
          }};
}

/// The shares are kept in registers until each thread stores its own.
void check_shares_only(const Launch& launch) {
  CHECK_THAT(launch, UsesNoSharedMemory("each thread keeps its share to itself"));
  CHECK_THAT(launch, HasNoShuffles("each thread keeps its share to itself"));
  CHECK_THAT(launch, HasNoAtomics("each thread keeps its share to itself"));
}

}  // namespace

// --- sum_tiles --------------------------------------------------------------------------------------------

TEST_CASE("sum_tiles: whole tiles", "[sum_tiles][result]") {
  Device& device = GENERATE(devices());
  const unsigned tiles = GENERATE(1u, 2u, 3u, 5u, 9u);
  const unsigned blocks = GENERATE(1u, 2u, 3u, 12u);
  const auto values = random_integers(9 * tile, 9 * tile);
  const auto in = device.upload("in", values);
  const auto out = launch_shares(device, sum_tiles, in, 0, tiles, blocks).out;
  INFO(start_of(0));
  CHECK_THAT(out, SharesAddUpTo(std::span(values).first(tiles * tile)));
}

TEST_CASE("sum_tiles: no tile", "[sum_tiles][result]") {
  Device& device = GENERATE(devices());
  const auto in = device.upload("in", random_integers(9 * tile, 1));
  const auto out = launch_shares(device, sum_tiles, in, 0, 0, 3).out;
  INFO(start_of(0));
  CHECK_THAT(out, SharesAddUpTo({}));
}

TEST_CASE("sum_tiles: wide loads, several at once", "[sum_tiles][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto values = random_integers(n, n);
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_tiles, in, 0u, n / tile, blocks);
  check_wide_loads(run, n, 0, 0);
  check_shares_only(run.launch);
  CHECK_THAT(out, SharesAddUpTo(values));
}

TEST_CASE("sum_tiles: no findings", "[sum_tiles][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned tiles = GENERATE(0u, 1u, 4u);
  const unsigned blocks = GENERATE(1u, 3u);
  const auto values = random_integers(tiles * tile, tiles * tile);
  const auto in = device.upload("in", values);
  const auto [launch, out] = launch_shares(device, sum_tiles, in, 0, tiles, blocks);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, SharesAddUpTo(values));
}

// --- sum_wide ---------------------------------------------------------------------------------------------

// A GPU tries every n up to 4100 with all four offsets. The simulator tries fewer n, each with one offset,
// and with all four if n is small.
TEST_CASE("sum_wide: short stretches, from any float", "[sum_wide][result]") {
  Device& device = GENERATE(devices());
  const auto values = random_integers(4100 + 4, 4100 + 4);
  const auto in = device.upload("in", values);
  const unsigned step = device.is_simulated() ? 23 : 1;
  for (unsigned n = 0; n <= 4100; n += n < 40 ? 1 : step)
    for (unsigned offset = 0; offset < 4; ++offset) {
      if (n >= 40 && device.is_simulated() && offset != n / step % 4) continue;
      const auto out = launch_shares(device, sum_wide, in, offset, n, 1 + n % 3).out;
      INFO(start_of(offset));
      REQUIRE_THAT(out, SharesAddUpTo(std::span(values).subspan(offset, n)));
    }
}

TEST_CASE("sum_wide: tiles and ends", "[sum_wide][result]") {
  Device& device = GENERATE(devices());
  const unsigned tiles = GENERATE(1u, 4u, 7u);
  const unsigned n =
      GENERATE_COPY(tiles * tile - 5, tiles * tile - 1, tiles * tile, tiles * tile + 1, tiles * tile + 4);
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  const auto values = random_integers(7 * tile + 8, 7 * tile + 8);
  const auto in = device.upload("in", values);
  const auto out = launch_shares(device, sum_wide, in, offset, n, 1 + (tiles + offset) % 5).out;
  INFO(start_of(offset));
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset, n)));
}

TEST_CASE("sum_wide: wide loads, several at once", "[sum_wide][technique]") {
  SimulatedDevice& device = simulated();
  constexpr unsigned n = 1u << 22, blocks = 4;
  const auto values = random_integers(n, n);
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_wide, in, 0u, n, blocks);
  check_wide_loads(run, n, 8 * blocks, 0);
  check_shares_only(run.launch);
  CHECK_THAT(out, SharesAddUpTo(values));
}

TEST_CASE("sum_wide: wide loads, at any alignment", "[sum_wide][technique]") {
  SimulatedDevice& device = simulated();
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  constexpr unsigned n = 1u << 18;
  const auto values = random_integers(n + offset, n);
  const auto in = device.upload("in", values);
  const auto [run, out] = counted(device, launch_shares, sum_wide, in, offset, n, 1u);
  check_wide_loads_from(offset, run, n, 0);
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset)));
}

TEST_CASE("sum_wide: no findings", "[sum_wide][safety]") {
  SimulatedDevice& device = simulated();
  const unsigned n = GENERATE(0u, 1u, 2u, 3u, 5u, 1023u, tile + 3, 4 * tile + 2);
  const unsigned offset = GENERATE(0u, 1u, 2u, 3u);
  const unsigned blocks = GENERATE(1u, 3u);
  const auto values = random_integers(n + offset, n);
  const auto in = device.upload("in", values);
  const auto [launch, out] = launch_shares(device, sum_wide, in, offset, n, blocks);
  CHECK_THAT(launch, HasNoFindings());
  CHECK_THAT(out, SharesAddUpTo(std::span(values).subspan(offset)));
}

// --- What the chapter shows of its kernels ----------------------------------------------------------------

namespace {

/// The whole tiles among n elements.
Launch show_tiles(Device& device, unsigned n) {
  const auto values = random_integers(n / tile * tile, n / tile * tile);
  const auto in = device.upload("in", values);
  auto [launch, out] = launch_shares(device, sum_tiles, in, 0, n / tile, roof_blocks(device, n));
  if (!launch.is_timed()) require(out, SharesAddUpTo(values));
  return std::move(launch);
}
Launch show_wide(Device& device, unsigned n) {
  const auto values = random_integers(n, n);
  const auto in = device.upload("in", values);
  auto [launch, out] = launch_shares(device, sum_wide, in, 0, n, roof_blocks(device, n));
  if (!launch.is_timed()) require(out, SharesAddUpTo(values));
  return std::move(launch);
}

const RegisterKernels share_kernels({
    {.kernel = sum_tiles,
     .technique = "16-byte loads, 4 in flight",
     .task = "step 1 to the roof: each thread's share of whole tiles",
     .run = show_tiles},
    {.kernel = sum_wide,
     .technique = "the same, and the two ends",
     .task = "step 2 to the roof: any n, from any place",
     .run = show_wide},
});

}  // namespace
