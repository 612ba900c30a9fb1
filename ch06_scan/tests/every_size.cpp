/// \file The scans of a whole array by the solution, for every n from 0 to 5000, and around whole tiles.

#include "ch06_scan/references.hpp"
#include "ch06_scan/three_launches.hpp"
#include "common/harness/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::ch06;
using warpwise::harness::SimulatedDevice;

namespace {

constexpr unsigned most = 5000;  // half a tile of scan_device

/// The first n elements of a scan are the scan of the first n elements.
bool starts_with(const std::vector<int>& all, const std::vector<int>& first) {
  return std::equal(first.begin(), first.end(), all.begin());
}

}  // namespace

TEST_CASE("scan_device: every n from 0 to 5000") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  device.options().launch.threads = 1;
  const auto values = whole_numbers<int>(most, 1);
  const auto expected = running_sums(values, most, ScanKind::inclusive);
  const auto in = device.upload("in", values);
  const ScanScratch scratch(device, 1);
  unsigned wrong = 0, unsafe = 0;
  for (unsigned n = 0; n <= most; ++n) {
    using warpwise::simulator::Watch;
    device.options().watch = n % 16 < 2 ? Watch::everything : Watch::counters;
    const auto out = device.poisoned<int>("out", n);
    const auto launch =
        device.launch(scan_device, device_shape(n), in, out, n, scratch.states, scratch.drawn);
    wrong += !starts_with(expected, out.download());
    unsafe += !launch.findings().empty();
  }
  CHECK(wrong == 0);
  CHECK(unsafe == 0);
}

// From 5000 on the upper warps of a block get elements, too, and behind the first tile a block looks back.
TEST_CASE("scan_device: every n around one and two tiles, and where a warp gets its first element") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  constexpr unsigned around = 20, of_warp = tile_elements / (tile_threads / 32);
  const auto values = whole_numbers<int>(3 * tile_elements, 4);
  const auto expected = running_sums(values, values.size(), ScanKind::inclusive);
  const auto in = device.upload("in", values);
  const ScanScratch scratch(device, 3);
  unsigned wrong = 0, unsafe = 0;
  for (unsigned warps = 4; warps <= 17; ++warps)
    for (unsigned n = warps * of_warp - around; n <= warps * of_warp + around; ++n) {
      const auto out = device.poisoned<int>("out", n);
      const auto launch =
          device.launch(scan_device, device_shape(n), in, out, n, scratch.states, scratch.drawn);
      wrong += !starts_with(expected, out.download());
      unsafe += !launch.findings().empty();
    }
  CHECK(wrong == 0);
  CHECK(unsafe == 0);
}

TEST_CASE("three launches: every n from 0 to 5000") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  device.options().launch.threads = 1;
  device.options().watch = warpwise::simulator::Watch::counters;
  const auto values = whole_numbers<int>(most, 2);
  const auto expected = running_sums(values, most, ScanKind::inclusive);
  unsigned wrong = 0;
  for (unsigned n = 0; n <= most; ++n) {
    const auto in = device.upload("in", std::vector<int>(values.begin(), values.begin() + n));
    const auto out = device.poisoned<int>("out", n);
    scan_in_three_launches(device, in, out, 128);
    wrong += !starts_with(expected, out.download());
  }
  CHECK(wrong == 0);
}

// Whatever the number of host threads: blocks that wait for a block that has not started would never end.
TEST_CASE("scan_device ends with any number of host threads") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  constexpr unsigned n = 100 * tile_elements + 3;
  const auto values = whole_numbers<int>(n, 3);
  const auto expected = running_sums(values, n, ScanKind::inclusive);
  const auto in = device.upload("in", values);
  const ScanScratch scratch(device, tiles_for(n));
  for (const unsigned threads : {1u, 2u, 3u, 4u, 7u, 16u, 32u}) {
    device.options().launch.threads = threads;
    const auto out = device.poisoned<int>("out", n);
    const auto launch =
        device.launch(scan_device, device_shape(n), in, out, n, scratch.states, scratch.drawn);
    CHECK(launch.completed());
    CHECK(launch.findings().empty());
    CHECK(out.download() == expected);
  }
}
