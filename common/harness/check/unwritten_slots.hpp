#pragma once
/// \file Slots of shared memory that are read though no thread of the block has written them. Where what is
/// read is thrown away that is no finding; a contract may ask for more: zeros that stand behind the values, a
/// gap that is filled.

#include <cstdint>
#include <memory>

#include "../device/simulated_device.hpp"

namespace warpwise::harness {

struct UnwrittenSlot {
  bool is_there = false;
  unsigned line = 0;         ///< of the read; 0: unknown
  std::uint64_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< in the block
  std::uint32_t word = 0;    ///< of the block's shared memory, 4 bytes each
};

/// Attached to the simulated GPU while it lives.
class WatchingSlots {
 public:
  WatchingSlots();
  ~WatchingSlots();
  /// Of the last launch: the first that was found in the first block that has one.
  UnwrittenSlot first() const;

 private:
  class Watcher;
  class Observation;
  std::unique_ptr<Observation> observation_;
  Attached attached_;
};

void expect_slots_are_written(const UnwrittenSlot& slot, std::string_view why);
/// In the launch that `run()` makes on the simulated GPU; `why` they must be.
template <class Run>
void check_slots_are_written(Run run, std::string_view why) {
  const WatchingSlots watching;
  run();
  expect_slots_are_written(watching.first(), why);
}

}  // namespace warpwise::harness
