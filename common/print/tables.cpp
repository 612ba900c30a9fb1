#include "tables.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "terminal.hpp"

namespace warpwise::print {

namespace {

std::string padded(const std::string& cell, std::size_t width, bool is_left) {
  if (!is_left) return flush_right(cell, width);
  return cell + std::string(width - std::min(width, columns_of(cell)), ' ');
}

}  // namespace

void Table::add_row(std::vector<std::string> cells) {
  if (cells.size() > header_.size())
    throw std::invalid_argument("a row has more cells than the table columns");
  cells.resize(header_.size());
  rows_.push_back({{}, std::move(cells)});
}

void Table::add_heading(std::string text) { rows_.push_back({std::move(text), {}}); }

std::string Table::text(const std::string& indent) const {
  std::vector<std::size_t> width(header_.size(), 0);
  for (std::size_t column = 0; column < header_.size(); ++column) {
    for (const Row& row : rows_) {
      if (row.heading.empty()) width[column] = std::max(width[column], columns_of(row.cells[column]));
    }
    if (width[column] != 0) width[column] = std::max(width[column], columns_of(header_[column]));
  }

  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = indent;
    for (std::size_t column = 0; column < cells.size(); ++column) {
      if (width[column] == 0) continue;
      if (text.size() > indent.size()) text += "  ";
      text += padded(cells[column], width[column], column < left_columns_);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };

  std::string text = line(header_);
  for (const Row& row : rows_) {
    if (!row.heading.empty()) {
      text += "\n" + indent + row.heading + "\n";
    } else {
      text += line(row.cells);
    }
  }
  return text;
}

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string fixed(double value, int digits) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::string rounded(double value) { return fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

// --- Figures ----------------------------------------------------------------------------------------------

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
                            "how often a block passes __syncthreads()",
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
