#pragma once
/// \file Runs one kernel over a grid.

#include <span>

#include "../observer.hpp"

namespace warpwise::simulator::run {

struct LaunchOutcome {
  LaunchStatus status = LaunchStatus::ok;
  std::uint64_t warp_instructions = 0;
  double seconds = 0;  ///< of the host
};

/// Runs to the end (or to the fault that ends it). Each event is reported to the observers in the order of
/// `observations`; where there are none the status alone says that there were faults.
LaunchOutcome launch(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                     const LaunchOptions& options, std::span<Observation* const> observations = {});

}  // namespace warpwise::simulator::run
