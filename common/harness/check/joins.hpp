#pragma once
/// \file Who joins what, whichever instructions do it: a join is a value that is made of more elements than
/// any of the values that it is made from. An addition that corrects the rounding of another is none, and an
/// integer maximum, a comparison with a selection, or a sum of doubles is as much of one as add.f32.

#include <cstdint>
#include <optional>

#include "../../simulator/terms.hpp"

namespace warpwise::harness {

struct Joins {
  /// Made by one thread, in one block: the most. Equal values count for the thread that made them first.
  std::uint64_t by_busiest = 0;
  std::uint64_t by_all_threads = 0;
  /// Counted once for all lanes of a warp that make them by one instruction, in one level.
  std::uint64_t by_all_warps = 0;
  unsigned levels = 0;  ///< joins on the longest path to an element
};

/// Of a launch, as it went with its values; nothing where its terms are incomplete or too many.
std::optional<Joins> joins_of(const simulator::TermRecorder& terms);

}  // namespace warpwise::harness
