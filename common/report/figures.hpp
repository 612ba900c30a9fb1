#pragma once
/// \file The figures of a launch that tables show: each with its title, once.

#include <cstdint>
#include <string>
#include <string_view>

#include "report.hpp"

namespace warpwise::report {

struct Figure {
  std::string_view title;         ///< of a column of the ladder
  std::string_view upper, lower;  ///< of a column of a chapter's table, which is narrower: two lines
  const char* format;             ///< of a number in that table, as printf takes it
  std::string_view meaning;       ///< for the ladder's legend; empty: said beside another one
  double (*of)(const Launch&);
  bool is_count = true;  ///< a whole number
};

extern const Figure divergent_branches;
extern const Figure block_barriers;     ///< a block
extern const Figure shared_wavefronts;  ///< of loads, stores and atomics together, and so are the next two
extern const Figure bank_conflicts;
extern const Figure global_sectors;
extern const Figure instructions_per_element;
extern const Figure lanes_busy;  ///< percent

/// Of a launch that a GPU timed; 0 where it was not.
double milliseconds(const Launch& launch);
double gigabytes_per_second(const Kernel& kernel, const Launch& launch);

/// Powers of two are easier to read as such: "2^16". Of small and other numbers, `otherwise`.
std::string size_text(std::uint64_t n, const std::string& otherwise);

}  // namespace warpwise::report
