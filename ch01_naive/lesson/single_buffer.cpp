/// \file The loop over levels in a single buffer (levels.hpp), and what is wrong with it. Runs on the
/// simulated GPU with the solution's kernel, which is right. Exit status 0 means that the race was found, as
/// it must be.

#include <cstdio>

#include "ch01_naive/checks/levels.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/files.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

int main() {
  // With one host thread the blocks run in order, so the result of the race and its report never change.
  harness::SimulatedDevice device(text::built_module("solution.ptx"));
  device.options().launch.threads = 1;
  const auto values = harness::random_integers(5000, 1);
  const auto in = device.upload("in", values);
  auto data = device.upload("data", values);

  const ch01::LevelSum in_place = ch01::reduce_levels_in_place(device, data, 256);
  std::printf("the sum is %.0f; two buffers: %.0f; one buffer: %.0f\n", harness::sum(values),
              ch01::reduce_levels(device, in, 256).sum, in_place.sum);

  bool is_found = false;
  for (const harness::Launch& level : in_place.launches)
    for (simulator::Finding finding : level.findings()) {
      finding.file = text::shown_path(finding.file);
      std::printf("%s\n", simulator::format(finding).c_str());
      is_found = is_found || finding.kind == simulator::FindingKind::race;
    }
  return is_found ? 0 : 1;
}
