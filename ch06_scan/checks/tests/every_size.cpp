/// \file The solution's scans of a whole array, for every n from 0 to 5000, and around whole tiles.

#include "ch06_scan/checks/states.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::ch06;
using warpwise::harness::SimulatedDevice;

namespace {

constexpr unsigned most = 5000;  // half a tile of scan_device

/// The first n elements of a scan are the scan of the first n elements.
bool starts_with(const std::vector<int>& all, const std::vector<int>& first) {
  return std::equal(first.begin(), first.end(), all.begin());
}

/// Scans the first n elements of one input, for any n, and counts what goes wrong.
class Scans {
 public:
  Scans(SimulatedDevice& device, unsigned size, unsigned seed)
      : device_(device),
        values_(whole_numbers<int>(size, seed)),
        expected_(running_sums(values_, size, ScanKind::inclusive)),
        in_(device.upload("in", values_)),
        scratch_(device, tiles_for(size)) {}

  void scan(unsigned length) {
    const auto out = device_.poisoned<int>("out", length);
    const auto launch = scratch_.launch(device_, in_, out, length);
    wrong += !starts_with(expected_, out.download());
    unsafe += !launch.completed() || !launch.findings().empty();
  }

  unsigned wrong = 0, unsafe = 0;

 private:
  SimulatedDevice& device_;
  std::vector<int> values_, expected_;
  Buffer<int> in_;
  ScanScratch scratch_;
};

}  // namespace

TEST_CASE("scan_device: every n from 0 to 5000") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  device.options().launch.threads = 1;
  Scans scans(device, most, 1);
  for (unsigned n = 0; n <= most; ++n) {
    using warpwise::simulator::Watch;
    device.options().watch = n % 16 < 2 ? Watch::everything : Watch::counters;
    scans.scan(n);
  }
  CHECK(scans.wrong == 0);
  CHECK(scans.unsafe == 0);
}

// From 5000 on the upper warps of a block get elements, too, and after the first tile a block looks back.
TEST_CASE("scan_device: every n around one and two tiles, and where a warp gets its first element") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  constexpr unsigned around = 20, of_warp = tile_elements / (tile_threads / 32);
  Scans scans(device, 3 * tile_elements, 4);
  for (unsigned warps = 4; warps <= 17; ++warps)
    for (unsigned n = warps * of_warp - around; n <= warps * of_warp + around; ++n) scans.scan(n);
  CHECK(scans.wrong == 0);
  CHECK(scans.unsafe == 0);
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

// With any number of host threads. Blocks that wait for a block that has not started would never end.
TEST_CASE("scan_device ends with any number of host threads") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
  constexpr unsigned n = 100 * tile_elements + 3;
  Scans scans(device, n, 3);
  for (const unsigned threads : {1u, 2u, 3u, 4u, 7u, 16u, 32u}) {
    device.options().launch.threads = threads;
    scans.scan(n);
    CHECK(scans.wrong == 0);
    CHECK(scans.unsafe == 0);
  }
}
