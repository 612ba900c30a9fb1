#pragma once
/// \file What was handed in: which entries of a folder are submissions, and which of their files belongs to
/// which chapter.

#include <filesystem>
#include <string>
#include <vector>

#include "assignment.hpp"

namespace warpwise::grade {

/// One student's: a folder, or a file NAME.cu.
struct Submission {
  std::string name;  ///< of the folder, or of the file without .cu; any bytes
  std::filesystem::path path;
};

struct Submissions {
  std::vector<Submission> all;        ///< by name; names are distinct
  std::vector<std::string> left_out;  ///< names of files that are not .cu
};

/// The entries of `folder`; those whose names begin with a dot are nobody's. Throws Refusal if it is no
/// folder or holds no submission.
Submissions submissions_in(const std::filesystem::path& folder);
/// `path` itself, a folder or a file. Throws Refusal if there is nothing.
Submission one_submission(const std::filesystem::path& path);

/// The file of one chapter.
struct HandedIn {
  std::string chapter;  ///< empty if it is not known
  std::string file;     ///< its name in the submission
  std::string source;
  std::string problem;      ///< one sentence; empty if there is a source
  bool is_missing = false;  ///< nothing was handed in for this chapter, but for others: as `problem` says
};

/// The files of the submission, one a chapter: of the `wanted` chapters, each of which has an entry, or where
/// none is wanted of all that it has, at least one entry. A chapter's file is chNN_name/exercise.cu or
/// chNN_name.cu, wherever in the submission, or the one file that defines most of its kernels, or where one
/// chapter is wanted the only .cu.
std::vector<HandedIn> files_of(const Submission& submission, const Course& course,
                               const std::vector<std::string>& wanted);

}  // namespace warpwise::grade
