#pragma once
/// \file Masks of warp barriers: whether the lanes that a mask names are those that come.

#include <cstdint>
#include <memory>

#include "../device/simulated_device.hpp"

namespace warpwise::harness {

/// A barrier of a warp whose mask names lanes that did not come to it: they had left the kernel, or did so
/// while the others waited. That is no finding, for a lane that has ended is waited for by nobody; but
/// whether one ends before the others come, and not somewhere else in the kernel, the mask does not say.
struct MissedBarrier {
  unsigned line = 0;          ///< of the source; 0: unknown
  std::uint32_t mask = 0;     ///< as written
  std::uint32_t missing = 0;  ///< lanes of it that did not come
};

/// Attached to the simulated GPU while it lives. Sees masks that are written as numbers, as all of
/// __syncwarp() and __syncwarp(0xffff) are in PTX.
class WatchingMasks {
 public:
  WatchingMasks();
  ~WatchingMasks();
  /// The first in the kernel's code; the line is 0 and the masks are empty where every lane has come.
  MissedBarrier first_missed() const;

 private:
  class Watcher;
  class Observation;
  std::unique_ptr<Observation> observation_;
  Attached attached_;
};

/// In the launches that `run()` makes on the simulated GPU, every lane that a mask names comes.
void expect_masks_name_who_comes(const MissedBarrier& missed);
template <class Run>
void check_masks(Run run) {
  const WatchingMasks watching;
  run();
  expect_masks_name_who_comes(watching.first_missed());
}

}  // namespace warpwise::harness
