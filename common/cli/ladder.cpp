#include "ladder.hpp"

#include <bit>
#include <cmath>
#include <sstream>

#include "failure.hpp"
#include "table.hpp"

namespace warpwise::cli {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, '\t');) fields.push_back(field);
  return fields;
}

/// Sizes are powers of two as a rule, and easier to read as such: "2^16".
std::string size_text(double n) {
  const auto whole = static_cast<unsigned long long>(n);
  if (whole >= 4096 && std::has_single_bit(whole)) return "2^" + std::to_string(std::countr_zero(whole));
  return grouped(whole);
}

/// A count, grouped; empty where there is none.
std::string count_text(const LadderRow& row, const std::string& column) {
  return row.text(column).empty()
             ? ""
             : grouped(static_cast<unsigned long long>(std::llround(row.number(column))));
}

/// "yes", or which of the three is wrong.
std::string verdict_of(const LadderRow& row) {
  if (row.is_right()) return "yes";
  std::string wrong;
  for (const auto& [column, name] :
       {std::pair{"result", "result"}, {"method", "technique"}, {"safety", "safety"}}) {
    if (row.text(column) != "right") wrong += (wrong.empty() ? "NO: " : ", ") + std::string(name);
  }
  return wrong;
}

/// One figure of the table, for the climb.
struct Figure {
  const char* name;
  const char* column;
  bool is_better_if_more;
};
constexpr Figure figures[] = {
    {"GB/s", "gigabytes_per_second", true},
    {"divergent", "divergent_branches", false},
    {"barriers", "block_barriers", false},
    {"conflicts", "bank_conflicts", false},
    {"wavefronts", "shared_wavefronts", false},
    {"sectors", "global_sectors", false},
    {"instr/elem", "warp_instructions_per_element", false},
};

std::string figure_text(double value) {
  const bool is_whole = value == std::floor(value);
  return is_whole ? grouped(static_cast<unsigned long long>(value)) : rounded(value);
}

/// "divergent 12 288 → 1 536, instr/elem 3.91 → 3.23": what is better in `after` (or worse).
std::string changes(const LadderRow& before, const LadderRow& after, bool wants_better) {
  constexpr double twentieth = 0.05;
  std::string text;
  for (const Figure& figure : figures) {
    if (before.text(figure.column).empty() || after.text(figure.column).empty()) continue;
    const double from = before.number(figure.column), to = after.number(figure.column);
    if (std::abs(to - from) < twentieth * std::max(from, to) || from == to) continue;
    if ((to > from) != (figure.is_better_if_more == wants_better)) continue;
    text += (text.empty() ? "" : ", ") + std::string(figure.name) + ' ' + figure_text(from) + " → " +
            figure_text(to);
  }
  return text;
}

/// A time is in the table only where a GPU took it.
std::string decimal_text(const LadderRow& row, const std::string& column) {
  return row.text(column).empty() ? "" : rounded(row.number(column));
}

}  // namespace

std::string LadderRow::text(const std::string& column) const {
  const auto field = fields_.find(column);
  if (field == fields_.end()) throw Failure("the ladder has no column '" + column + "'.");
  return field->second == "-" ? "" : field->second;
}

double LadderRow::number(const std::string& column) const {
  const std::string field = text(column);
  if (field.empty()) return 0;
  std::size_t length = 0;
  double value = 0;
  try {
    value = std::stod(field, &length);
  } catch (const std::exception&) {
    length = 0;
  }
  if (length != field.size()) throw Failure("the ladder's " + column + " is no number: '" + field + "'.");
  return value;
}

bool LadderRow::is_right() const {
  return text("result") == "right" && text("method") == "right" && text("safety") == "right";
}

std::vector<LadderRow> parse_ladder(std::string_view text) {
  std::vector<LadderRow> rows;
  std::vector<std::string> names;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() < 2) continue;
    if (names.empty()) {
      names = fields;
      continue;
    }
    if (fields.size() != names.size()) {
      throw Failure("a row of the ladder has " + std::to_string(fields.size()) + " fields, not " +
                    std::to_string(names.size()) + ": '" + line + "'.");
    }
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < fields.size(); ++i) row[names[i]] = fields[i];
    rows.emplace_back(std::move(row));
  }
  if (rows.empty()) throw Failure("the ladder has no rows.");
  return rows;
}

std::string ladder_table(const std::vector<LadderSection>& sections) {
  Table table({"kernel", "n", "right?", "divergent", "barriers", "conflicts", "wavefronts", "sectors",
               "instr/elem", "GPU n", "ms", "GB/s"});
  std::string gpu;
  for (const LadderSection& section : sections) {
    table.add_heading(section.heading);
    for (const LadderRow& row : section.rows) {
      const double n = row.number("n");
      const bool has_counters = n > 0 && !row.text("warp_instructions").empty();
      table.add_row({row.text("kernel"), size_text(n), verdict_of(row), count_text(row, "divergent_branches"),
                     count_text(row, "block_barriers"), count_text(row, "bank_conflicts"),
                     count_text(row, "shared_wavefronts"), count_text(row, "global_sectors"),
                     has_counters ? rounded(row.number("warp_instructions") / n) : "",
                     row.text("milliseconds").empty() ? "" : size_text(row.number("gpu_n")),
                     decimal_text(row, "milliseconds"), decimal_text(row, "gigabytes_per_second")});
      if (!row.text("gpu").empty()) gpu = row.text("gpu");
    }
  }
  return table.text() +
         "\n"
         "  right?      result, technique and safety, as the chapter's checks ask\n"
         "  divergent   branches that some lanes of a warp take and some do not\n"
         "  barriers    __syncthreads() that a block passes\n"
         "  conflicts   extra passes to shared memory, because lanes met in a bank; wavefronts: all passes\n"
         "  sectors     32-byte pieces of global memory that were read, written or updated\n"
         "  instr/elem  PTX warp instructions for each element\n" +
         (gpu.empty() ? "" : "  ms, GB/s    median on " + gpu + "\n");
}

std::string climb_text(const std::vector<LadderSection>& sections) {
  std::vector<LadderRow> rungs;
  for (const LadderSection& section : sections) {
    for (const LadderRow& row : section.rows)
      if (row.text("rung") == "yes") rungs.push_back(row);
  }
  if (rungs.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    const std::string kernel = rungs[i].text("kernel");
    text += "  " + kernel + std::string(kernel.size() < 25 ? 25 - kernel.size() : 1, ' ') +
            rungs[i].text("technique") + '\n';
    if (i == 0) continue;
    const std::string gained = changes(rungs[i - 1], rungs[i], true);
    const std::string paid = changes(rungs[i - 1], rungs[i], false);
    if (!gained.empty()) text += "      gained  " + gained + '\n';
    if (!paid.empty()) text += "      paid    " + paid + '\n';
  }
  return text;
}

}  // namespace warpwise::cli
