#include "figures.hpp"

#include <algorithm>
#include <bit>

namespace warpwise::report {

namespace {

double blocks_of(const Launch& launch) {
  double blocks = 1;
  for (const std::uint32_t extent : launch.report.grid) blocks *= extent;
  return std::max(1.0, blocks);
}

double elements_of(const Launch& launch) {
  return static_cast<double>(std::max<std::uint64_t>(1, launch.elements));
}

using Counter = std::uint64_t simulator::Counters::*;

template <Counter... counters>
double sum_of(const Launch& launch) {
  return static_cast<double>(((launch.report.counters.*counters) + ...));
}

using C = simulator::Counters;

}  // namespace

const Figure divergent_branches{"divergent",
                                "diverg.",
                                "branches",
                                "%8.0f",
                                "branches that some lanes of a warp take and some do not",
                                sum_of<&C::divergent_branches>};
const Figure block_barriers{
    "barriers", "barr.", "a block", "%7.4g", "__syncthreads() that a block passes", [](const Launch& launch) {
      return sum_of<&C::block_barriers>(launch) / blocks_of(launch);
    }};
const Figure shared_wavefronts{
    "wavefronts",
    "shared",
    "wavefr.",
    "%8.0f",
    "",  // beside the conflicts
    sum_of<&C::shared_load_wavefronts, &C::shared_store_wavefronts, &C::shared_atomic_wavefronts>};
const Figure bank_conflicts{"conflicts",
                            "bank",
                            "confl.",
                            "%7.0f",
                            "extra passes to shared memory, for lanes that met; wavefronts: all",
                            sum_of<&C::shared_load_bank_conflicts, &C::shared_store_bank_conflicts,
                                   &C::shared_atomic_bank_conflicts>};
const Figure global_sectors{
    "sectors",
    "global",
    "sectors",
    "%8.0f",
    "32-byte pieces of global memory that were read, written or updated",
    sum_of<&C::global_load_sectors, &C::global_store_sectors, &C::global_atomic_sectors>};
const Figure instructions_per_element{
    "instr/elem",
    "instr.",
    "/elem.",
    "%6.2f",
    "PTX warp instructions for each element",
    [](const Launch& launch) { return sum_of<&C::warp_instructions>(launch) / elements_of(launch); },
    false};
const Figure lanes_busy{
    "busy",    "lanes", "busy",
    "%4.0f%%", "",      [](const Launch& launch) { return 100 * launch.report.counters.lane_utilisation(); },
    false};

double milliseconds(const Launch& launch) { return launch.is_simulated ? 0 : launch.report.seconds * 1e3; }

double gigabytes_per_second(const Kernel& kernel, const Launch& launch) {
  if (milliseconds(launch) <= 0) return 0;
  return static_cast<double>(launch.elements) * kernel.bytes_per_element / (milliseconds(launch) * 1e6);
}

std::string size_text(std::uint64_t n, const std::string& otherwise) {
  if (n < 4096 || !std::has_single_bit(n)) return otherwise;
  return "2^" + std::to_string(std::countr_zero(n));
}

}  // namespace warpwise::report
