/// \file reduce_to_the_roof of the solution, for every n from 0 to 4100 and every place where `in` can start.

#include "ch05_shuffle/checks/launches.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::ch05;

TEST_CASE("reduce_to_the_roof: every n from 0 to 4100 at every alignment") {
  constexpr unsigned most = 4100;
  warpwise::harness::SimulatedDevice device(WARPWISE_BINARY_DIR "/solution.ptx");
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
