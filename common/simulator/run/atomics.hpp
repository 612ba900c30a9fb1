#pragma once
/// \file `atom` and `red`, for addresses that have been checked.

#include "memory_rows.hpp"

namespace warpwise::simulator::run {

/// Lane by lane, lowest first, so that sums of floats do not depend on chance. Returns whether memory
/// changed. `is_shared_between_threads`: other host threads may update the same words at the same time.
bool perform_atomic(const MemoryOperation& operation, std::byte* frame, const Row* rows, LaneAddresses memory,
                    LaneMask active, bool is_shared_between_threads);

}  // namespace warpwise::simulator::run
