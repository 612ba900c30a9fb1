#pragma once
/// \file Guesses and measurements: arithmetic written as text, what is counted in a launch, questions and
/// answers.

#include <iosfwd>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../report/report.hpp"
#include "../text/predictions.hpp"
#include "clone.hpp"

namespace warpwise::cli {

// --- Arithmetic: what a question counts, what a reader guesses, what a reason says -------------------------

/// What names stand for: "block_barriers", "divergent_branches_by_interval[2]".
using Names = std::map<std::string, double, std::less<>>;

/// Text that is not arithmetic; what() is one sentence.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The value of numbers and `names` with + - * / ^ and parentheses. Thousands may stand apart, as in 65 536.
/// Throws ExpressionError if something else stands there, or the value is no finite number.
double evaluate(std::string_view text, const Names& names = {});

/// What a reason comes to: the right side of its last equation. Throws ExpressionError if it has none.
double answer_in(std::string_view why);

/// Whether `guess` is what was measured, give or take `within`: where that is no whole number, what is shown
/// of it will do.
bool agrees(double guess, double measured, double within = 0);

/// A whole number as it is, "65 536"; another with two digits behind the point at most.
std::string figure_text(double value);

// --- Launches what a question is about on the simulated GPU ------------------------------------------------

/// What a question's arithmetic may name: each counter by its name in the report;
/// divergent_branches_by_interval[k]; shared_wavefronts, bank_conflicts and global_sectors of loads, stores
/// and atomics together; lanes_busy, percent; blocks, threads (of a block), warps (of the grid) and elements;
/// finding_threads[k], the threads of the first finding.
Names names_of(const report::Launch& launch);

/// What the questions of one chapter are about. Each is launched once, each program beside the lesson run
/// once.
class Measurements {
 public:
  explicit Measurements(const ChapterFolder& chapter) : chapter_(chapter) {}
  /// Builds what `run` names and launches it. Throws Failure if that does not come to a launch.
  const Names& of(const text::MeasuredRun& run);

 private:
  report::Launch launch_of_program(const text::MeasuredRun& run);

  const ChapterFolder& chapter_;
  std::vector<std::pair<text::MeasuredRun, Names>> launches_;
  std::map<std::string, report::Report> programs_;  ///< by the program's file
};

// --- Questions and answers: at a terminal, or with the answers from a pipe ---------------------------------

/// Asks on `out` and reads a line of `in` for each question. Where nobody types (`is_typed` is false), the
/// answer is written after the prompt, so that what was said can be read afterwards.
class Dialogue {
 public:
  Dialogue(std::istream& in, std::ostream& out, bool is_typed) : in_(in), out_(out), is_typed_(is_typed) {}
  /// On stdin and stdout.
  static Dialogue of_this_process();

  /// The answer without the blanks around it; nothing once the input has ended.
  std::optional<std::string> ask(const std::string& prompt);

 private:
  std::istream& in_;
  std::ostream& out_;
  bool is_typed_;
};

}  // namespace warpwise::cli
