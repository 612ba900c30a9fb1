#pragma once
/// \file Checks in every order that the lanes of a warp may take.

#include <string>
#include <vector>

#include "../device/simulated_device.hpp"
#include "other_orders.hpp"

namespace warpwise::harness {

/// The chapters' schedules: what most code meets, what lanes in step did, and `seeds` of the other orders
/// that CUDA allows (machine::Schedule). A right kernel is right under all of them.
std::vector<std::string> every_schedule(unsigned seeds = 8);

/// Calls `check(device, "schedule split:3")` on the simulated GPU under each of the chapters' schedules. Only
/// there do lanes part that no rule keeps together: a mask that asks who is here (__activemask()) is right
/// under `converged`.
template <class Check>
void under_every_schedule(Check check, unsigned seeds = 8) {
  if (other_order()) return;  // the check goes through all of them itself
  for (const std::string& name : every_schedule(seeds)) {
    const UnderSchedule schedule(simulated_device(), name);
    check(simulated_device(), "schedule " + name);
  }
}

}  // namespace warpwise::harness
