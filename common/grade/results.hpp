#pragma once
/// \file What grading came to: the points of each kernel and aspect, one document for each submission, and
/// what other programs and people read that is made of them.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "assignment.hpp"

namespace warpwise::grade {

// --- Points ------------------------------------------------------------------------------------------------
//
// What a submission earns stands in a small file. All members may be missing; without a file `each` is as
// here and nothing else stands:
//
//     {"version": 1,
//      "each": {"result": 2, "technique": 2, "safety": 1},
//      "chapters": {"ch03": {"reduce_max": {"result": 4}, "column_sums": {"result": 0, "technique": 0,
//      "safety": 0}}}, "hide": ["sizes"], "seed": 20261}

/// Points of one kernel, by aspect; 1/1000 of a point is the unit, so that sums are exact.
struct Weights {
  std::int64_t result = 2000, technique = 2000, safety = 1000;
  std::int64_t of(report::Aspect aspect) const;
};

struct Points {
  Weights each;
  /// By chapter ("ch03_bank_conflicts") and kernel.
  std::map<std::string, std::map<std::string, Weights>> kernels;
  bool hides_sizes = false;  ///< what a student is told leaves out sizes, places and values
  std::uint64_t seed = 0;    ///< of inputs and of more sizes (harness/check/inputs.hpp); 0: the usual ones

  const Weights& of(const std::string& chapter, const std::string& kernel) const;
};

/// Throws Refusal, "points.json: chapters/ch03/reduce_mox: ch03_bank_conflicts has no kernel of that name".
Points points_from(std::string_view json, const std::string& file, const Course& course);
Points read_points(const std::filesystem::path& file, const Course& course);

/// The same points give the same text; seed and all.
std::string text_of(const Points& points);

/// 2500 -> "2.5", 2000 -> "2".
std::string points_text(std::int64_t thousandths);
/// A number of points, whole if it is whole, as JSON has it.
nlohmann::ordered_json json_of_points(std::int64_t thousandths);

// --- What grading a submission came to ---------------------------------------------------------------------

struct AspectResult {
  report::Aspect aspect = report::Aspect::result;
  report::Outcome outcome = report::Outcome::not_checked;
  std::int64_t points = 0, most = 0;  ///< in 1/1000
  std::string sentence;               ///< of its first failure; for the instructor
  std::string told;                   ///< the same for the student
  bool operator==(const AspectResult&) const = default;
};

struct KernelResult {
  std::string kernel;
  std::vector<AspectResult> aspects;
  std::string problem;  ///< why it was not judged; empty if it was
  bool operator==(const KernelResult&) const = default;
};

/// What two submissions are compared by (similarity.hpp).
struct Fingerprints {
  std::string whole;                  ///< of the whole file: the same for the same tokens, names aside
  std::vector<std::uint64_t> pieces;  ///< of its pieces, ascending, without the skeleton's and the solution's
  std::vector<std::string> as_public;  ///< kernels that are the public solution, names and layout aside
  bool is_skeleton = false;            ///< nothing was written
  bool operator==(const Fingerprints&) const = default;
};

/// The verdict on a chapter that a submission leaves out while it has others.
inline constexpr std::string_view nothing_handed_in = "nothing handed in";

struct ChapterResult {
  std::string chapter;  ///< empty if it is not known
  std::string file;     ///< its name in the submission
  std::string problem;  ///< one sentence, where it could not be graded at all: that is not a verdict
  std::string verdict;  ///< "graded", "does not compile", "unusable" or nothing_handed_in; empty: a problem
  std::vector<KernelResult> kernels;
  std::string feedback;  ///< what the student is told
  Fingerprints fingerprints;

  std::int64_t points() const;
  std::int64_t most() const;
  bool operator==(const ChapterResult&) const = default;
};

struct SubmissionResult {
  std::string name;  ///< any bytes
  std::string key;   ///< of what was handed in and what it was graded with
  std::vector<ChapterResult> chapters;

  std::int64_t points() const;
  std::int64_t most() const;
  bool could_be_graded() const;
  bool operator==(const SubmissionResult&) const = default;
};

/// The whole document, which ends with a new line. The name is written byte by byte where it is no plain
/// text.
std::string json_of(const SubmissionResult& result);
/// Empty if `json` is not a result.
std::optional<SubmissionResult> result_from(std::string_view json);

// --- As other programs and people read it ------------------------------------------------------------------

/// A row a submission: name, points, most, then for each chapter its verdict and the points of each kernel's
/// aspects.
std::string csv_of(const std::vector<SubmissionResult>& results);

/// JUnit's XML, as GitLab, Jenkins and GitHub's actions read it: a suite for each submission and chapter, a
/// case for each kernel and aspect, with what the student is told of a failure.
std::string junit_of(const std::vector<SubmissionResult>& results);

/// Gradescope's results.json of one submission (gradescope-autograders.readthedocs.io, "Autograder
/// Specifications").
std::string gradescope_of(const SubmissionResult& result);

/// What the student is told: the feedback on each chapter.
std::string feedback_of(const SubmissionResult& result);

/// A table for a terminal: name, points of each chapter, total, and what is worth a look.
std::string table_of(const std::vector<SubmissionResult>& results);

}  // namespace warpwise::grade
