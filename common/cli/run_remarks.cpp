// What run says before and after the judgement.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ostream>

#include "../print/tables.hpp"
#include "../process/process.hpp"
#include "build.hpp"
#include "run.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

std::string painted(const std::string& line, bool is_difference, const print::Paint& paint) {
  if (is_difference && line.starts_with('+')) return paint.good(line);
  if (is_difference && line.starts_with('-')) return paint.bad(line);
  return is_difference ? paint.faint(line) : line;
}

bool has_code(const std::string& line) {
  const std::size_t start = line.find_first_not_of(" \t");
  return start != line.npos && line.compare(start, 2, "//") != 0;
}

std::string lines_text(const Written& written, const std::string& kernel) {
  const auto found = written.lines.find(kernel);
  return found == written.lines.end() ? std::string() : std::to_string(found->second);
}

/// Runs the module, without checks, on as many elements as `run` shows.
Written launched(const ChapterFolder& chapter, const Subject& subject, const text::Source& source) {
  return {lines_of_kernels(source), report_of(launch_command(chapter, subject, {.kernel = {}}),
                                              shown_path(subject.source) + " could not be run once more")};
}

}  // namespace

void print_attempt(std::ostream& out, const text::Implementation& attempt, const std::string& whole_file,
                   const print::Paint& paint, print::Lines lines) {
  if (attempt.difference.lines.empty()) return;  // a handout, which has a module of it
  const bool is_difference = !attempt.difference.is_block;
  const std::string what =
      is_difference ? " differs from the solution in this:" : " has this in place of the solution's:";
  out << print::fitted(whole_file + what, 0, 2, lines) << "\n\n";
  for (const std::string& line : attempt.difference.lines) {
    const std::size_t code = std::min(line.find_first_not_of(" +-"), line.size());
    const std::string fitted =
        line.substr(0, code) + print::fitted(line.substr(code), 2 + code, 2 + code + 4, lines);
    if (line.starts_with("@@"))
      out << "    ...\n";
    else
      out << (line.empty() ? "" : "  ") << painted(fitted, is_difference, paint) << '\n';
  }
  out << '\n';
}

std::map<std::string, std::size_t> lines_of_kernels(const text::Source& source) {
  std::map<std::string, std::size_t> lines;
  for (const std::string& kernel : source.kernels())
    for (const text::Function& function : source.kernel_and_callees(kernel)) {
      const text::Lines code = text::lines_of(text::without_anchors(function.code));
      lines[kernel] += static_cast<std::size_t>(std::count_if(code.begin(), code.end(), has_code));
    }
  return lines;
}

std::string chapter_finished_text(const std::string& chapter, const Written& own, const Written* solution,
                                  const std::vector<print::Unpredicted>& open) {
  constexpr const print::Figure* figures[] = {&print::figures::instructions_per_element,
                                              &print::figures::block_barriers,
                                              &print::figures::shared_wavefronts};
  std::vector<std::string> header{"kernel", "lines", "n"};
  for (const print::Figure* figure : figures) header.emplace_back(figure->title);
  print::Table table(std::move(header));
  std::string first;
  bool has_difference = false;
  const auto add_cell = [&](std::vector<std::string>& cells, const auto& text_of) {
    const std::string mine = text_of(own), other = solution == nullptr ? mine : text_of(*solution);
    cells.push_back(mine == other ? mine : mine + " / " + other);
    has_difference = has_difference || mine != other;
  };
  for (const report::Chapter& described : own.report.chapters)
    for (const report::Kernel& kernel : described.kernels) {
      if (!kernel.is_exercise) continue;
      if (first.empty()) first = kernel.name;
      std::vector<std::string> cells{kernel.name};
      add_cell(cells, [&](const Written& side) { return lines_text(side, kernel.name); });
      add_cell(cells, [&](const Written& side) {
        const report::Launch* launch = side.report.launch(chapter, kernel.name, true);
        return launch == nullptr ? std::string() : print::grouped(launch->elements);
      });
      for (const print::Figure* figure : figures)
        add_cell(cells, [&](const Written& side) {
          const report::Launch* launch = side.report.launch(chapter, kernel.name, true);
          if (print::is_unpredicted(*figure, kernel.name, open)) return std::string("?");
          return launch == nullptr ? std::string() : print::text_of(*figure, *launch);
        });
      table.add_row(std::move(cells));
    }
  const std::string name = report::short_name(chapter);
  std::string text = "Every kernel of " + chapter +
                     " is right. What you wrote, with what it calls, and what it costs:\n\n" + table.text() +
                     "\nIts page goes on below the last kernel. Other people's mistakes: ./warpwise puzzle " +
                     name + '\n';
  if (solution == nullptr) return text;
  return text +
         (has_difference ? "\nAfter a /: the solution, where it differs."
                         : "\nThe solution has the same figures.") +
         "\nRead it: ./warpwise solution " + name + "\nDraw both: ./warpwise show " + name + ' ' + first +
         " --beside solution\n";
}

std::string course_finished_text(std::size_t kernels) {
  return "Every kernel of the course is right: all " + std::to_string(kernels) +
         ".\n\n"
         "What next?\n"
         "  With a GPU: ./warpwise bench. How near do your sums and scans come to CUB's,\n"
         "  and to the roof, the speed of the memory? (docs/gpu.md)\n"
         "  Without one: docs/results/README.md has it for the solutions, on an H200.\n"
         "  With a program of your own: ./warpwise exec FILE.cu looks for races and\n"
         "  bad accesses in it, in CI too (docs/run-without-gpu.md).\n"
         "  What reductions are good for: docs/uses.md. What others do wrong:\n"
         "  ./warpwise puzzle\n";
}

std::string chapter_finished_text(const ChapterFolder& chapter, const std::vector<print::Unpredicted>& open) {
  const Subject exercise = subject_of(chapter, false, {});
  build_or_fail(chapter, exercise);  // perhaps one kernel alone was judged
  if (!chapter.has_solution())
    return chapter_finished_text(chapter.name, launched(chapter, exercise, chapter.exercise()), nullptr,
                                 open);
  chapter.exercise();  // read, as the other, before there are two threads
  chapter.solution();
  Written own, solution;
  process::for_all(2, 2, [&](std::size_t i) {
    if (i == 0) {
      own = launched(chapter, exercise, chapter.exercise());
      return;
    }
    const Subject subject = subject_of(chapter, true, {});
    build_or_fail(chapter, subject);
    solution = launched(chapter, subject, chapter.solution());
  });
  return chapter_finished_text(chapter.name, own, &solution, open);
}

}  // namespace warpwise::cli
