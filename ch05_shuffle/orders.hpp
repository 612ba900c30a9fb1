#pragma once
/// \file The orders that the lanes of a warp may take, all of which a right kernel is right in.

#include <string>

#include "common/harness/simulated_device.hpp"

namespace warpwise::ch05 {

/// Calls `check(device, "schedule split:3")` under each of the chapters' schedules. Only there are lanes
/// apart that nothing keeps together: a mask that asks who is here (__activemask()) is right under
/// `converged`.
template <class Check>
void in_any_order(Check check) {
  for (const char* text : harness::all_schedules) {
    const harness::UnderSchedule schedule(harness::simulated_device(), text);
    check(harness::simulated_device(), std::string("schedule ") + text);
  }
}

}  // namespace warpwise::ch05
