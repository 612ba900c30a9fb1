#pragma once
/// \file The GPU of this machine: whether there is one, and what its driver knows.

#include <string>

namespace warpwise::cli {

struct GpuPresence {
  bool is_there = false;
  std::string text;  ///< its name and driver, or why there is none
  int cuda = 0;      ///< the newest CUDA that the driver knows, 1000 * major + 10 * minor; 0: unknown
};

/// Asks the driver, which is loaded by hand: most machines have none.
GpuPresence find_gpu();

/// One sentence where programs of this toolkit ("13.0.88") cannot run with the driver of `gpu`, else empty. A
/// driver runs those of its own major version and of older ones. Source: CUDA Compatibility, "Minor version
/// compatibility".
std::string driver_problem(const GpuPresence& gpu, const std::string& toolkit_version);

}  // namespace warpwise::cli
