#pragma once
/// \file What can be told of a loop from its steps: which time a warp comes by a line, and how far apart or
/// from how far away a step reads. Variables are not recorded; the stride of a reduction is seen in its
/// addresses.

#include <cstdint>
#include <string>
#include <vector>

#include "../simulator/trace.hpp"

namespace warpwise::show {

/// Of a step: its lanes come by its line for the `time`-th time; 0 where that is not the same for all of
/// them. `times`: how often the lane of its warp came by that did so most.
struct Turn {
  std::uint32_t time = 0, times = 0;
};

/// An entry for each step.
std::vector<Turn> turns_of(const simulator::Trace& trace);

/// "3rd"; empty where no lane came by twice, or lanes differ.
std::string text_of(const Turn& turn);

/// Where it is the same for all lanes of the step, else empty: "4 apart" (two elements of an array are read),
/// "tid+4" (one of shared memory, by the number of the thread), "lane+16" (a shuffle), "lane^1", "lane 0".
std::string reach_of(const simulator::Trace& trace, const simulator::TraceStep& step);

}  // namespace warpwise::show
