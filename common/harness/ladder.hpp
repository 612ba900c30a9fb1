#pragma once
/// \file The ladder: one row a kernel, for the tour and for tables. Fields are separated by tabs, the first
/// row names the columns, "-" stands where there is nothing:
///
///     chapter kernel technique
///     rung                     "yes": a step of the climb from the first sum to the fastest
///     n                        elements of the simulated launch
///     result method safety     "right", "wrong" or "-" (not checked); method is the aspect `technique`
///     warp_instructions        of the simulated launch, and so are the next seven
///     warp_instructions_per_element
///     lane_utilisation         0 to 1
///     divergent_branches
///     block_barriers           a block
///     shared_wavefronts        loads, stores and atomics together
///     bank_conflicts           likewise
///     global_sectors           likewise
///     gpu gpu_n milliseconds gigabytes_per_second      of the real GPU

#include <iosfwd>
#include <vector>

#include "exhibition.hpp"

namespace warpwise::harness {

void print_ladder(std::ostream& out, const Chapter& chapter, const Record& record,
                  const std::vector<ExhibitRun>& runs, const std::string& gpu_name);

// Sums over loads, stores and atomics.
std::uint64_t shared_wavefronts(const simulator::Counters& counters);
std::uint64_t bank_conflicts(const simulator::Counters& counters);
std::uint64_t global_sectors(const simulator::Counters& counters);

}  // namespace warpwise::harness
