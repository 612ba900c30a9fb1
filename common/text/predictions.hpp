#pragma once
/// \file The questions of a chapter, chNN_name/lesson/predict.md: numbers to be guessed before they are
/// measured.
///
///     ## tree
///
///     65 536 elements, 256 blocks of 256 threads.
///
///     - measured: solution reduce_naive, n = 65536, block = 256
///
///     ### How many block barriers does a block pass?
///
///     - counter: block_barriers / blocks
///     - why: one after the load, one for each of 8 levels: `1 + 8 = 9`
///
/// `measured` names what is launched: `solution KERNEL`, `attempt NAME`, or `program FILE KERNEL`, a CUDA
/// program in the chapter's folder; n and block are of the first two and may be left out, `launch = 2` is of
/// the third: the second launch of that kernel. It stands under the
/// section's heading, or under a question that measures something else. `counter` is arithmetic
/// (cli/guessing.hpp) on the launch's counters. `why` may hold equations in backquotes; the
/// right side of the last is the answer, and a test holds each against what is measured. `within` is of an
/// average that can only be estimated, and how far off the reason may be: such a guess is neither right nor
/// wrong. A count is to be predicted exactly.

#include <string>
#include <string_view>
#include <vector>

#include "difference.hpp"

namespace warpwise::text {

/// What is launched for a question.
struct MeasuredRun {
  enum class Of { solution, attempt, program };
  Of of = Of::solution;
  std::string name;    ///< of the attempt, or the program's file; empty for the solution
  std::string kernel;  ///< empty for an attempt: its own
  unsigned long long n = 0;
  unsigned block = 0;   ///< 0, like n: the chapter's choice
  unsigned launch = 1;  ///< of a program's kernel, from 1
  bool operator==(const MeasuredRun&) const = default;
};

struct Question {
  std::string prompt, counter, why;
  double within = 0;
  bool is_estimate() const { return within > 0; }
  MeasuredRun run;
  std::size_t line = 0;  ///< of its heading, from 1
};

struct Section {
  std::string name;  ///< one word
  std::string text;  ///< what is launched, in prose; paragraphs are parted by an empty line
  std::vector<Question> questions;
};

/// `path` is for messages. Throws PageError.
std::vector<Section> parse_predictions(std::string_view text, const std::string& path);

/// The equations in a reason: what stands in backquotes and has a `=`.
struct Equation {
  std::string left, right;
};
std::vector<Equation> equations_in(std::string_view why);

}  // namespace warpwise::text
