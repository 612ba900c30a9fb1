#pragma once
/// \file The way of values through a kernel: which was made of which.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../simulator/trace.hpp"

namespace warpwise::show {

/// What a block leaves in a place of global memory, made of elements that were followed.
struct Result {
  std::string place;       ///< "out[0]"
  std::uint32_t node = 0;  ///< of Trace::values, from 1
  std::string value;
};
/// The last value of each place.
std::vector<Result> results_of(const simulator::Trace& trace, std::uint64_t block);

/// Nodes, from 1, with the longest way down from each to an element of memory; all those below `roots` too.
std::map<std::uint32_t, std::uint32_t> depths_under(const simulator::Trace& trace,
                                                    const std::vector<std::uint32_t>& roots);

/// The threads whose values the root's own thread takes in, from its first operation to its last.
std::vector<std::uint32_t> threads_taken_in(const simulator::Trace& trace, std::uint32_t root);

}  // namespace warpwise::show
