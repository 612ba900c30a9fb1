#pragma once
/// \file The rows that a chapter's executable prints with --ladder (harness/ladder.hpp), and the table of the
/// tour that is made of them.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

/// One kernel: column name -> field. "-" stands where there is nothing.
class LadderRow {
 public:
  explicit LadderRow(std::map<std::string, std::string> fields) : fields_(std::move(fields)) {}

  /// Empty for "-". Throws Failure for a column that the rows do not have.
  std::string text(const std::string& column) const;
  /// 0 for "-". Throws Failure where the field is no number.
  double number(const std::string& column) const;
  /// Result, technique and safety were checked and are right.
  bool is_right() const;

 private:
  std::map<std::string, std::string> fields_;
};

/// Reads tab-separated rows below a row of column names; lines before it without a tab are left out.
/// Throws Failure where the rows do not fit the names, or there are no rows.
std::vector<LadderRow> parse_ladder(std::string_view text);

/// One chapter of the tour.
struct LadderSection {
  std::string heading;
  std::vector<LadderRow> rows;
};

/// The table, and below it what its columns mean.
std::string ladder_table(const std::vector<LadderSection>& sections);

/// The rungs alone, one after the other: which of the table's figures each made better, and which worse, than
/// the rung before it, by a twentieth or more. Empty where there are fewer than two.
std::string climb_text(const std::vector<LadderSection>& sections);

}  // namespace warpwise::cli
