#pragma once
/// \file One chapter's file of a submission: compiled and judged; what it earns, and what its author reads.

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "assignment.hpp"
#include "results.hpp"
#include "sandbox.hpp"
#include "submissions.hpp"

namespace warpwise::grade {

/// What is the same for all submissions.
struct Grading {
  Course course;
  Points points;
  Sandbox sandbox;
  Limits limits;
  /// Warp instructions that a kernel may spend in all its checks together: the solutions of the course spend
  /// a tenth at most.
  std::uint64_t kernel_budget = 1'000'000'000;
  /// How long what failed is left alone before it is tried again: a disk may have room by then.
  std::chrono::milliseconds pause_before_retry{2000};
};

/// What became of a file: what the compiler said, or what the checks came to.
struct JudgedFile {
  enum class Kind { judged, does_not_compile, unusable };
  Kind kind = Kind::judged;
  std::string messages;                         ///< of the compiler, where it does not compile
  std::string problem;                          ///< one sentence, where it cannot be judged
  report::Report report;                        ///< where kernels were judged
  std::map<std::string, std::string> unjudged;  ///< kernels that could not be, each with a sentence
};

/// The grader failed, or perhaps the submission: a compiler or judge that was killed, no space, no memory, a
/// missing tool. It is not a result. what() is one sentence.
class GraderFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is done about an end that the submission or the machine may have brought about.
enum class OnDoubt {
  try_again,        ///< nobody knows yet: GraderFailure, and the submission is to be tried again
  blame_submission  ///< it has been tried again: the submission's failure, where the compiler still works
                    ///< (compiler_problem), else GraderFailure
};

/// Compiles and judges `file` in a sandbox of its own; with points, feedback and fingerprints.
/// Throws GraderFailure; std::runtime_error if the sandbox cannot be made.
ChapterResult grade(const HandedIn& file, const Grading& grading, OnDoubt on_doubt);

/// Whether the compiler works as grading calls it: what it says of a file that only includes a contract;
/// empty if all is well. Else a whole class would be told that its files do not compile.
std::string compiler_problem(const Grading& grading);

/// The points of `kernel`. Technique and safety count where the result is right: what writes nothing has no
/// race.
KernelResult earned(const std::string& kernel, const std::string& chapter, const JudgedFile& judged,
                    const Points& points);

/// `sentence` with `?` for its numbers, but those of lines: "n = ?, block = ?: out[?] is ?, expected ?".
/// Names keep their digits.
std::string without_numbers(std::string_view sentence);

/// What it came to as ./warpwise run shows it, without what kernels print and, where sizes are hidden,
/// without numbers and counters. `folder`: where ch01_naive/exercise.cu and kernels.hpp lie.
std::string feedback_on(const JudgedFile& judged, const Assignment& assignment, bool hides_sizes,
                        const std::filesystem::path& folder);

/// A line for each kernel, and the sum.
std::string points_table(const ChapterResult& chapter);

}  // namespace warpwise::grade
