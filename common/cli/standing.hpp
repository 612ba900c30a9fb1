#pragma once
/// \file How far a student is: what the last judgement of each exercise said of the file as it is now.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "chapters.hpp"

namespace warpwise::cli {

enum class Standing {
  unwritten,  ///< still a skeleton
  unjudged,   ///< written, or changed, since it was last judged
  wrong,
  right,
};

struct KernelStanding {
  std::string kernel;
  Standing standing = Standing::unwritten;
};

/// Of the kernels of the chapter's exercise.cu, in its order; none where that file is missing, or empty.
std::vector<KernelStanding> standings_of(const Chapter& chapter);

/// What a judgement is about, in a few letters: the contents of exercise.cu and kernels.hpp.
std::string fingerprint_of(const Chapter& chapter);

/// The first that is written and not right, or waits to be judged; empty where there is none.
std::string kernel_in_question(const std::vector<KernelStanding>& kernels);

/// Keeps in the build tree what `report` says of the chapter's kernels, for files with this fingerprint.
/// Kernels that it does not judge stay as they were, if they were judged with the same files.
void remember(const Chapter& chapter, const std::string& fingerprint, const report::Report& report);

/// What is kept: a line for the fingerprint, then "right reduce_naive" or "wrong reduce_naive", one a line.
struct Judgement {
  std::string fingerprint;
  std::map<std::string, bool> is_right;  ///< by kernel
};
Judgement parse_judgement(std::string_view text);
std::string spelled(const Judgement& judgement);

/// The kernel to go on with.
struct NextStep {
  Chapter chapter;
  KernelStanding kernel;  ///< without a name where the exercise has no kernels at all
};

/// The first kernel that is not right: of the chapter called `from`, else of those behind it, else of those
/// before it. Empty where all are right.
std::optional<NextStep> next_step(const std::vector<Chapter>& chapters, std::string_view from);

/// Says so, in lines of at most 80 columns that end with the command to type. `is_same_chapter`: the reader
/// is in that chapter already.
std::string invitation(const NextStep& step, bool is_same_chapter);

}  // namespace warpwise::cli
