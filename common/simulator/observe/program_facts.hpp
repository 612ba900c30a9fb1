#pragma once
/// \file What the observers read out of the program's text once, so that no event has to.

#include <cstdint>
#include <string>
#include <vector>

#include "../program.hpp"

namespace warpwise::simulator::observe {

struct ProgramFacts {
  /// Of the kernel and the device functions in its reach; other kernels of the module are of no account.
  explicit ProgramFacts(const LaunchContext& launch);

  /// Bytes of the smallest access to a space, at most 4.
  std::uint32_t shared_granule = 4, global_granule = 4;
  bool has_fences = false;         ///< some instruction could release or acquire
  bool reads_strongly = false;     ///< some instruction could wait for what another thread writes
  std::vector<bool> only_arrives;  ///< by place in the reach: bar.arrive, which does not wait
  /// Likewise: a plain load whose value is the first guess of a compare-and-swap loop (FirstGuesses). If the
  /// guess is stale the loop goes round once more, so such a load races with no atomic; it acquires nothing.
  std::vector<bool> is_first_guess;
};

}  // namespace warpwise::simulator::observe
