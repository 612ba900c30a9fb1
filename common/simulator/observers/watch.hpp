#pragma once
/// \file How closely a launch is watched.

#include <cstdint>

namespace warpwise::simulator {

/// What is watched while a kernel runs. Each costs time. Faults that the machine itself meets are findings
/// under every one of them.
enum class Watch : std::uint8_t {
  nothing,     ///< faults only
  counters,    ///< counters as well
  everything,  ///< races and uninitialised reads as well
};

}  // namespace warpwise::simulator
