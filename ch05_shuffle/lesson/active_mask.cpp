/// \file __activemask() as the mask of a shuffle. The sum is right if the lanes happen to be
/// together, and wrong if not, and no rule keeps them together. Exit status 0: both happened, and both had a
/// finding. The lesson shows the output.

#include <cstdio>

#include "common/harness/check/inputs.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/print/terminal.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;

namespace {

const harness::Kernel<void(const float*, float*)> kernel{"sum_of_whoever_is_here"};
constexpr unsigned n = 16;  // lanes 16 to 31 have no element

struct Outcome {
  float sum;
  std::string finding;  ///< the first one's sentence; may be empty
};

Outcome run(harness::SimulatedDevice& device, const std::vector<float>& values, const std::string& schedule) {
  const harness::UnderSchedule order(device, schedule);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", 1);
  const auto launch = device.launch(kernel, {.grid = 1, .block = 32, .may_end_early = true}, in, out);
  const auto& findings = launch.findings();
  return {out.download()[0], findings.empty() ? "" : print::headline(findings.front())};
}

}  // namespace

int main() {
  harness::SimulatedDevice device(text::built_module("lesson/active_mask.ptx"));
  const auto values = harness::random_integers(n, 1);
  const auto right = static_cast<float>(harness::sum(values));
  std::printf("the sum of 16 elements is %.0f\n", static_cast<double>(right));

  const Outcome together = run(device, values, "converged");
  std::printf("lanes together: %.0f\n", static_cast<double>(together.sum));
  bool is_wrong_once = false;
  std::string found;
  std::printf("lanes apart, seeds 1 to 5:");
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Outcome apart = run(device, values, "split:" + std::to_string(seed));
    std::printf(" %.0f", static_cast<double>(apart.sum));
    is_wrong_once = is_wrong_once || apart.sum != right;
    if (found.empty() && !apart.finding.empty())
      found = "seed " + std::to_string(seed) + ": " + apart.finding;
  }
  std::printf("\n%s\n", found.c_str());
  return together.sum == right && !together.finding.empty() && is_wrong_once && !found.empty() ? 0 : 1;
}
