// The parts of screen.hpp that show the counters, and what each line costs.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <ostream>

#include "screen.hpp"
#include "tables.hpp"

namespace warpwise::print {

using simulator::Counters;

namespace {

const Figure* const columns[] = {&figures::divergent_branches, &figures::block_barriers,
                                 &figures::shared_wavefronts,  &figures::bank_conflicts,
                                 &figures::global_sectors,     &figures::instructions_per_element,
                                 &figures::lanes_busy};

/// printf into a string: columns of figures are clearer so than with manipulators.
template <class... Values>
std::string formatted(const char* format, Values... values) {
  char line[256];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

std::string start_of_row(const std::string& name, int width, const std::string& size) {
  return formatted("  %-*s %5s", width, name.c_str(), size.c_str());
}

std::string size_text(const report::Launch& launch) {
  return print::size_text(launch.elements, std::to_string(launch.elements));
}

std::string heading(int width, const std::string& name, const std::string& size,
                    std::string_view Figure::*title) {
  std::string line = start_of_row(name, width, size);
  for (const Figure* column : columns) {
    const std::size_t digits = formatted(column->format, 0.0).size();  // as wide as the numbers below it
    line += ' ' + formatted("%*s", static_cast<int>(digits), std::string(column->*title).c_str());
  }
  return line + '\n';
}

/// A name for which the column is too narrow has a line of its own.
std::string row_of(const report::Launch& launch, int width, const std::vector<Unpredicted>& unpredicted) {
  const std::string& name = launch.report.kernel;
  const bool is_long = name.size() > static_cast<std::size_t>(width);
  std::string line =
      (is_long ? "  " + name + '\n' : "") + start_of_row(is_long ? "" : name, width, size_text(launch));
  for (const Figure* column : columns) {
    const std::string figure = formatted(column->format, column->of(launch));
    line += ' ' + (is_unpredicted(*column, name, unpredicted) ? flush_right("?", figure.size()) : figure);
  }
  return line + '\n';
}

std::string time_of(const report::Kernel& kernel, const report::Launch& launch, const std::string& gpu,
                    int width) {
  return start_of_row(kernel.name, width, size_text(launch)) +
         formatted(" on %s: %.4g ms, %.4g GB/s\n", gpu.c_str(), milliseconds(launch),
                   gigabytes_per_second(kernel, launch));
}

}  // namespace

void print_counters(std::ostream& out, const report::Report& report,
                    const std::vector<Unpredicted>& unpredicted) {
  const report::Chapter& chapter = report.chapters.front();
  const auto launch_of = [&](const report::Kernel& kernel, bool is_simulated) {
    return report.launch(chapter.name, kernel.name, is_simulated);
  };
  constexpr std::size_t widest = 16;  // what the figures leave of 80 columns
  std::size_t longest = 7;
  bool is_anything_counted = false;
  for (const report::Kernel& kernel : chapter.kernels) {
    const bool is_counted = launch_of(kernel, true) != nullptr;
    if (is_counted || !kernel.problem.empty()) longest = std::max(longest, kernel.name.size());
    is_anything_counted = is_anything_counted || is_counted;
  }
  const int width = static_cast<int>(std::min(longest, widest));
  if (is_anything_counted)
    out << '\n' << heading(width, "", "", &Figure::upper) << heading(width, "counted", "n", &Figure::lower);
  for (const report::Kernel& kernel : chapter.kernels) {
    if (const report::Launch* launch = launch_of(kernel, true)) out << row_of(*launch, width, unpredicted);
  }
  std::vector<Unpredicted> open;  // of which this table would have told
  std::copy_if(unpredicted.begin(), unpredicted.end(), std::back_inserter(open), [&](const Unpredicted& one) {
    const report::Launch* launch = report.launch(chapter.name, one.kernel, true);
    return launch != nullptr &&
           (!launch->remarks.empty() ||
            std::any_of(std::begin(columns), std::end(columns),
                        [&](const Figure* column) { return is_unpredicted(*column, one.kernel, {one}); }));
  });
  out << where_to_predict(report::short_name(chapter.name), open);
  for (const report::Kernel& kernel : chapter.kernels) {
    const report::Launch* launch = launch_of(kernel, false);
    if (launch != nullptr && milliseconds(*launch) > 0) out << time_of(kernel, *launch, chapter.gpu, width);
    if (!kernel.problem.empty()) out << "  " << kernel.name << ": " << kernel.problem << '\n';
  }
  for (const report::Kernel& kernel : chapter.kernels) {
    const report::Launch* launch = launch_of(kernel, true);
    if (launch == nullptr || launch->remarks.empty() || has_unpredicted(kernel.name, open)) continue;
    out << "\n  " << kernel.name << ", n = " << launch->elements << ":\n" << launch->remarks;
  }
}

// --- Lines ------------------------------------------------------------------------------------------------

namespace {

struct Column {
  const char* upper;
  const char* lower;
  std::size_t width;
  std::uint64_t (*of)(const Counters&);
};

constexpr Column line_columns[] = {
    {"warp", "instr.", 9, [](const Counters& c) { return c.warp_instructions; }},
    {"diverg.", "branches", 8, [](const Counters& c) { return c.divergent_branches; }},
    {"bank", "confl.", 7, bank_conflicts},
    {"global", "sectors", 8, global_sectors},
};
constexpr std::size_t source_columns = 80 - 46;  // what the columns leave

/// Zeros are left out, so that the lines that cost something stand out.
std::string line_row(const std::string& line, const Counters& counters, const std::string& source) {
  std::string row = "  " + flush_right(line, 6);
  for (const Column& column : line_columns) {
    const std::uint64_t count = column.of(counters);
    row += ' ' + flush_right(count == 0 ? "" : std::to_string(count), column.width);
  }
  row += "  " + shortened(source, source_columns);
  row.resize(row.find_last_not_of(' ') + 1);
  return row + '\n';
}

std::string line_heading(const char* first, const char* Column::*title) {
  std::string line = "  " + flush_right(first, 6);
  for (const Column& column : line_columns) line += ' ' + flush_right(column.*title, column.width);
  return line + '\n';
}

/// What the launch counted at instructions for which the compiler names no line.
Counters without_line(const simulator::LaunchReport& launch) {
  Counters rest = launch.counters;
  for (const simulator::LineCounters& line : launch.lines)
    for (const simulator::CounterField& field : simulator::counter_fields)
      rest.*field.member -= line.counters.*field.member;
  return rest;
}

void print_launch(std::ostream& out, const report::Launch& launch, const SourceLine& text_of) {
  out << "\n  " << launch.report.kernel << ", n = " << size_text(launch) << ": what each line costs\n"
      << line_heading("", &Column::upper) << line_heading("line", &Column::lower);
  std::string file;
  for (const simulator::LineCounters& line : launch.report.lines) {
    if (line.file != file) out << "  " << line.file << '\n';
    file = line.file;
    out << line_row(std::to_string(line.line), line.counters,
                    std::string(unindented(text_of(line.file, line.line))));
  }
  const Counters rest = without_line(launch.report);
  if (rest != Counters{}) out << line_row("-", rest, "(the compiler names no line)");
  out << line_row("all", launch.report.counters, "");
}

}  // namespace

void print_lines(std::ostream& out, const report::Report& report, const SourceLine& text_of) {
  const report::Chapter& chapter = report.chapters.front();
  for (const report::Kernel& kernel : chapter.kernels) {
    if (const report::Launch* launch = report.launch(chapter.name, kernel.name, true)) {
      print_launch(out, *launch, text_of);
    } else if (report.outcome(chapter.name, kernel.name, report::Aspect::result) == report::Outcome::failed) {
      out << "\n  " << kernel.name << ": its lines are counted once the result is right\n";
    }
  }
}

}  // namespace warpwise::print
