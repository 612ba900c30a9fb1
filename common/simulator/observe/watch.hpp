#pragma once
/// \file What a launch's report is made of.

#include <cstdint>

namespace warpwise::simulator {

/// The observers that are attached. Each costs time. Faults that the machine itself meets are findings
/// under every one of them.
enum class Watch : std::uint8_t {
  nothing,     ///< faults only
  counters,    ///< counters as well
  everything,  ///< races and uninitialised reads as well
};

}  // namespace warpwise::simulator
