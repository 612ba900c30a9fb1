#pragma once
/// \file What can be asked of one memory access of a trace. Every number is the trace's own; nothing is
/// counted anew but what a sentence names: the words of a bank.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../simulator/trace.hpp"

namespace warpwise::show {

/// What one lane of an access asks for, in words of 4 bytes.
struct Want {
  std::uint32_t lane = 0;
  std::int64_t offset = 0;      ///< bytes from the start of the array
  std::uint64_t word = 0;       ///< from the start of shared memory, or of the allocation; the first one
  std::uint64_t words = 1;      ///< how many follow each other
  std::size_t first_value = 0;  ///< index into TraceAccess::values and nodes
};
std::vector<Want> wants_of(const simulator::Trace& trace, const simulator::TraceAccess& access);

/// What lanes ask of one bank.
struct Bank {
  std::set<std::uint64_t> words;
  std::vector<std::uint32_t> lanes;  ///< ascending; one that wants two words stands here twice
};
/// By the number of the bank; those that nobody asks are missing.
std::map<std::uint32_t, Bank> banks_of(const simulator::Trace& trace, const simulator::TraceAccess& access);
/// The number of the bank that is asked for the most words (of an atomic: by the most lanes).
std::uint32_t fullest_bank(const simulator::TraceAccess& access, const std::map<std::uint32_t, Bank>& banks);

bool is_atomic(const simulator::TraceAccess& access);

/// "8 lanes want 8 different words of bank 0: 8 wavefronts, 7 conflicts."
std::string cost_sentence(const simulator::Trace& trace, const simulator::TraceAccess& access);

/// "load partial"
std::string name_of(const simulator::Trace& trace, const simulator::TraceAccess& access);

/// The words of shared memory as the step's block sees them just before it; those that nobody has written are
/// missing.
std::map<std::uint64_t, std::string> shared_words_before(const simulator::Trace& trace, std::size_t step);

}  // namespace warpwise::show
