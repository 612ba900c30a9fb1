#pragma once
/// \file Whether this machine has a GPU.

#include <string>

namespace warpwise::cli {

struct GpuPresence {
  bool is_there = false;
  std::string text;  ///< its name and driver, or why there is none
};

/// Asks the driver, which is loaded by hand: most machines have none.
GpuPresence find_gpu();

}  // namespace warpwise::cli
