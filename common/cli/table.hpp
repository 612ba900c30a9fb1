#pragma once
/// \file Tables for a terminal.

#include <string>
#include <vector>

namespace warpwise::cli {

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

/// Two digits behind the point below 10, one below 100, else none: "3.14", "31.4", "314".
std::string rounded(double value);

}  // namespace warpwise::cli
