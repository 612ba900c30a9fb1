#pragma once
/// \file What a matcher, or a launch, says when it fails; and the device of these tests.

#include <string>

#include "common/harness/check/requirement.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::harness {

/// The sentence with which `run()` fails; empty where it does not.
template <class Run>
std::string sentence_of(Run run) {
  try {
    run();
  } catch (const CheckFailed& failed) {
    return failed.what();
  } catch (const LaunchFault& fault) {
    return fault.what();
  }
  return {};
}

/// The simulated GPU with the kernels of device/tests/kernels.cu.
inline SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  return the_device;
}

}  // namespace warpwise::harness
