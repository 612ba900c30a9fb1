#pragma once
/// \file Who joins what, from where, whichever instructions do it: a join is a value that is made of more
/// elements than any of the values that it is made from. An addition that corrects the rounding of another is
/// none, and an integer maximum, a comparison with a selection, or a sum of doubles is as much of one as
/// add.f32. A vote joins what the conditions of its lanes are made of.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../../simulator/terms.hpp"

namespace warpwise::harness {

/// Of one thread of a launch, so many.
struct ThreadCount {
  std::uint64_t block = 0;
  std::uint32_t number = 0;  ///< in the block
  std::uint64_t count = 0;
};

struct Joins {
  /// Equal values count for the thread that made them first; what a vote joins, for its lowest lane.
  ThreadCount busiest = {};
  std::uint64_t by_all_threads = 0;
  /// Of them, those of something that another thread has left in global memory.
  std::uint64_t through_global = 0;
  /// By block, then warp: counted once for all lanes that make them by one instruction, in one level.
  std::vector<std::uint64_t> by_warps = {};
  /// The same of what a thread joins beside elements that it has loaded itself: of each instruction as many
  /// as the lane makes that makes most, so that lanes with fewer elements do not count once more.
  std::vector<std::uint64_t> of_others_by_warps = {};
  unsigned levels = 0;  ///< joins on the longest path to an element
  /// The first branch, address or exchange, if it depends on an element.
  std::optional<simulator::Pc> decided_by_element = {};
};

/// Of a launch, as it went with its values; nothing where its terms are incomplete or too many.
std::optional<Joins> joins_of(const simulator::TermRecorder& terms);

/// A result, and how often what its own element has gone into is joined with others on the way to it.
struct OwnJoins {
  unsigned joins = 0, elements = 0;  ///< `elements`: of which it is made, its own too
  unsigned by_others = 0;            ///< of the joins, those that the thread of its number does not make
};
/// Of each of `count` words from the address `results` on, whose own element of `in` is that at the same
/// place. Nothing where terms are incomplete.
std::optional<std::vector<OwnJoins>> joins_with_own_element(const simulator::TermRecorder& terms,
                                                            std::uint64_t results, std::size_t count);

}  // namespace warpwise::harness
