// The part of screen.hpp that shows what each line costs.
#include <ostream>

#include "screen.hpp"
#include "tables.hpp"

namespace warpwise::print {

namespace {

using simulator::Counters;

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
  out << "\n  " << launch.report.kernel
      << ", n = " << print::size_text(launch.elements, std::to_string(launch.elements))
      << ": what each line costs\n"
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
