#pragma once
/// \file What grading a submission came to. One file of JSON each is the only state of grading: tables,
/// feedback and what other systems read are made of them.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"

namespace warpwise::grade {

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
  std::string problem;  ///< why it was not judged; empty where it was
  bool operator==(const KernelResult&) const = default;
};

/// What two submissions are compared by (copies.hpp).
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
  std::string chapter;  ///< empty where it is not known
  std::string file;     ///< its name in the submission
  std::string problem;  ///< one sentence, where it could not be graded at all: that is no verdict
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
/// Empty where `json` is no result.
std::optional<SubmissionResult> result_from(std::string_view json);

}  // namespace warpwise::grade
