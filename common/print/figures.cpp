#include "tables.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpwise::print {

using simulator::Counters;

std::uint64_t shared_wavefronts(const Counters& c) {
  return c.shared_load_wavefronts + c.shared_store_wavefronts + c.shared_atomic_wavefronts;
}
std::uint64_t bank_conflicts(const Counters& c) {
  return c.shared_load_bank_conflicts + c.shared_store_bank_conflicts + c.shared_atomic_bank_conflicts;
}
std::uint64_t global_requests(const Counters& c) {
  return c.global_load_requests + c.global_store_requests + c.global_atomic_requests;
}
std::uint64_t global_sectors(const Counters& c) {
  return c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors;
}
std::uint64_t busy_percent(const Counters& c) {
  return static_cast<std::uint64_t>(100 * c.lane_utilisation() + 0.5);
}

namespace {

/// A sum of counters, or one of them, of a launch.
template <std::uint64_t (*sum)(const Counters&)>
double of_launch(const report::Launch& launch) {
  return static_cast<double>(sum(launch.report.counters));
}
template <std::uint64_t Counters::*counter>
double of_launch(const report::Launch& launch) {
  return static_cast<double>(launch.report.counters.*counter);
}

double blocks_of(const report::Launch& launch) {
  double blocks = 1;
  for (const std::uint32_t extent : launch.report.grid) blocks *= extent;
  return std::max(1.0, blocks);
}

double elements_of(const report::Launch& launch) {
  return static_cast<double>(std::max<std::uint64_t>(1, launch.elements));
}

}  // namespace

namespace figures {
const Figure divergent_branches{"divergent",
                                "diverg.",
                                "branches",
                                "%8.0f",
                                "branches that some lanes of a warp take and some do not",
                                of_launch<&Counters::divergent_branches>};
const Figure block_barriers{"barriers",
                            "barr.",
                            "a block",
                            "%7.4g",
                            "__syncthreads() that a block passes",
                            [](const report::Launch& launch) {
                              return of_launch<&Counters::block_barriers>(launch) / blocks_of(launch);
                            }};
const Figure shared_wavefronts{"wavefronts",
                               "shared",
                               "wavefr.",
                               "%8.0f",
                               "",  // beside the conflicts
                               of_launch<print::shared_wavefronts>};
const Figure bank_conflicts{"conflicts",
                            "bank",
                            "confl.",
                            "%7.0f",
                            "extra passes to shared memory, for lanes that met; wavefronts: all",
                            of_launch<print::bank_conflicts>};
const Figure global_sectors{"sectors",
                            "global",
                            "sectors",
                            "%8.0f",
                            "32-byte pieces of global memory that were read, written or updated",
                            of_launch<print::global_sectors>};
const Figure instructions_per_element{"instr/elem",
                                      "instr.",
                                      "/elem.",
                                      "%6.2f",
                                      "PTX warp instructions for each element",
                                      [](const report::Launch& launch) {
                                        return of_launch<&Counters::warp_instructions>(launch) /
                                               elements_of(launch);
                                      },
                                      false};
const Figure lanes_busy{
    "busy", "lanes",
    "busy", "%4.0f%%",
    "",     [](const report::Launch& launch) { return 100 * launch.report.counters.lane_utilisation(); },
    false};
}  // namespace figures

std::string text_of(const Figure& figure, const report::Launch& launch) {
  const double value = figure.of(launch);
  return figure.is_count ? grouped(static_cast<unsigned long long>(std::llround(value))) : rounded(value);
}

double milliseconds(const report::Launch& launch) {
  return launch.is_simulated ? 0 : launch.report.seconds * 1e3;
}

double gigabytes_per_second(const report::Kernel& kernel, const report::Launch& launch) {
  if (milliseconds(launch) <= 0) return 0;
  return static_cast<double>(launch.elements) * kernel.bytes_per_element / (milliseconds(launch) * 1e6);
}

std::string size_text(std::uint64_t n, const std::string& otherwise) {
  if (n < 4096 || !std::has_single_bit(n)) return otherwise;
  return "2^" + std::to_string(std::countr_zero(n));
}

}  // namespace warpwise::print
