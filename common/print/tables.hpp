#pragma once
/// \file Tables for a terminal, and the figures of a launch that stand in them: each with its title, once.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"

namespace warpwise::print {

/// Columns are as wide as their widest cell; the first `left_columns` are flush left, the others flush right.
class Table {
 public:
  explicit Table(std::vector<std::string> header, std::size_t left_columns = 1)
      : header_(std::move(header)), left_columns_(left_columns) {}

  /// Missing cells at the end are empty; a cell beyond the header throws std::invalid_argument.
  void add_row(std::vector<std::string> cells);
  /// A line of text across the columns, with an empty line above it.
  void add_heading(std::string text);

  /// Each line starts with `indent` and ends with a newline; columns of which every cell is empty are left
  /// out.
  std::string text(const std::string& indent = "  ") const;

 private:
  struct Row {
    std::string heading;  ///< else: cells
    std::vector<std::string> cells;
  };
  std::vector<std::string> header_;
  std::size_t left_columns_;
  std::vector<Row> rows_;
};

/// 8192 -> "8 192": thousands apart, so that figures can be read.
std::string grouped(unsigned long long value);

/// With so many digits after the point.
std::string fixed(double value, int digits);
/// Two digits after the point below 10, one below 100, else none: "3.14", "31.4", "314".
std::string rounded(double value);

// --- Figures ----------------------------------------------------------------------------------------------

/// Loads, stores and atomics together.
std::uint64_t shared_wavefronts(const simulator::Counters& counters);
std::uint64_t bank_conflicts(const simulator::Counters& counters);
std::uint64_t global_requests(const simulator::Counters& counters);
std::uint64_t global_sectors(const simulator::Counters& counters);
/// Of 100 lanes, to the nearest one.
std::uint64_t busy_percent(const simulator::Counters& counters);

struct Figure {
  std::string_view title;         ///< of a column of the ladder
  std::string_view upper, lower;  ///< of a column of a chapter's table, which is narrower: two lines
  const char* format;             ///< of a number in that table, as printf takes it
  std::string_view meaning;       ///< for the ladder's legend; empty: said beside another one
  double (*of)(const report::Launch&);
  bool is_count = true;  ///< a whole number
};

/// "8 192", "3.14"
std::string text_of(const Figure& figure, const report::Launch& launch);

namespace figures {
extern const Figure divergent_branches;
extern const Figure block_barriers;  ///< a block
extern const Figure shared_wavefronts;
extern const Figure bank_conflicts;
extern const Figure global_sectors;
extern const Figure instructions_per_element;
extern const Figure lanes_busy;  ///< percent
}  // namespace figures

/// Of a launch that a GPU timed; 0 where it was not.
double milliseconds(const report::Launch& launch);
double gigabytes_per_second(const report::Kernel& kernel, const report::Launch& launch);

/// Powers of two are easier to read as such: "2^16". Of small and other numbers, `otherwise`.
std::string size_text(std::uint64_t n, const std::string& otherwise);

}  // namespace warpwise::print
