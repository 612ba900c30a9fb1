#pragma once
/// \file Grades a class. The folder of results is the only state: what is in it is not graded again.
///
///     OUT/grading.json       what it was graded with
///     OUT/results/NAME.json  one per submission (results.hpp)
///     OUT/shards/3-of-16     the names that this part had to grade, one JSON string per line
/// and, made of the results, scores.csv, junit.xml, copies.txt, feedback/NAME.txt, gradescope/NAME.json

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "judge.hpp"
#include "submissions.hpp"

namespace warpwise::grade {

/// Every `of`th submission, beginning with number `part`, from 1.
struct Shard {
  unsigned part = 1, of = 1;
  bool is_whole() const { return of == 1; }
};
/// "3/16". Throws Refusal.
Shard shard_from(const std::string& text);

struct ClassOptions {
  std::vector<Submission> submissions;
  std::vector<std::string> chapters;  ///< names; empty: what each submission has
  std::filesystem::path out;
  Shard shard;
  unsigned jobs = 1;  ///< submissions at the same time
  /// After each submission, by one thread at a time.
  std::function<void(std::size_t done, std::size_t total)> on_progress = {};
};

/// Grades what has no result of the same submission yet, and returns the results of the shard, by name.
/// Throws Refusal if OUT was graded with something else, std::runtime_error if it cannot be written.
std::vector<SubmissionResult> grade_class(const ClassOptions& options, const Grading& grading);

/// Copies the results of `folders`, the shards of one class, to `out` and returns all, by name. Throws
/// Refusal if they were graded differently, or one is missing or not complete.
std::vector<SubmissionResult> merge(const std::vector<std::filesystem::path>& folders,
                                    const std::filesystem::path& out);

/// Puts `text` at `path`, all of it or nothing. Throws std::runtime_error, one sentence.
void write_whole(const std::filesystem::path& path, const std::string& text);

/// Writes all that is made of results.
void write_outputs(const std::vector<SubmissionResult>& results, const std::filesystem::path& out);

/// What two runs must have in common to be one: points, checks (Assignment::version), limits, chapters. As
/// JSON.
std::string identity_of(const Grading& grading, const std::vector<std::string>& chapters);

}  // namespace warpwise::grade
