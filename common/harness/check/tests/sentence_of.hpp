#pragma once
/// \file What a matcher, or a launch, says when it fails.

#include <string>

#include "common/harness/check/requirement.hpp"
#include "common/harness/device/tests/launches.hpp"
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

}  // namespace warpwise::harness
