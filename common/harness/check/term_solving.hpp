#pragma once
/// \file Elements that a launch's own arithmetic makes equal: to a constant that it compares with, or, as a
/// hash does, to one another.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../simulator/terms.hpp"

namespace warpwise::harness::detail {

struct SolvedElements {
  struct One {
    std::size_t index;
    std::uint64_t bits;
  };
  std::vector<One> equal_to_constants;  ///< a few: of a comparison the first element and the last
  std::vector<std::uint64_t> alike;     ///< different ones that a comparison takes for equal
};
/// Of the array with that number, whose elements have `bytes`, 4 or 8, and are whole numbers. What is
/// compared may be any chain of steps, of which each depends on the one before alone and is linear in its
/// bits (shifts, rotations, xor) or goes from low bits to high ones (additions, products).
SolvedElements solved_elements(const simulator::TermRecorder& terms, std::uint32_t array, unsigned bytes);

}  // namespace warpwise::harness::detail
