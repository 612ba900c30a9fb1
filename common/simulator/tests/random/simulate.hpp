#pragma once
/// \file The simulator's side of the comparison.

#include <cstdint>
#include <vector>

#include "../../gpu.hpp"

namespace warpwise::simulator::tests {

struct Simulated {
  std::vector<std::uint32_t> words;  ///< the output
  std::uint64_t hash = 0;            ///< of the words, as run_on_gpu prints it
  LaunchReport report;
};

/// Runs `random_SEED` of `program`, which `gpu` has loaded. Throws LaunchError.
Simulated simulate(Gpu& gpu, const Program& program, std::uint64_t seed);

}  // namespace warpwise::simulator::tests
