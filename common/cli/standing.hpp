#pragma once
/// \file How far a student is: what the last judgement of each kernel said of it as it is now.

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

/// The contents of exercise.cu and kernels.hpp, in a few letters.
std::string fingerprint_of(const Chapter& chapter);

/// The first that is written and not right, or waits to be judged; empty where there is none.
std::string kernel_in_question(const std::vector<KernelStanding>& kernels);

/// The last kernel that is right now and was not before; empty where there is none.
std::string newly_right(const std::vector<KernelStanding>& before, const std::vector<KernelStanding>& now);

/// Keeps in the build tree what `report` says of the chapter's kernels as they are now. Those that it does
/// not judge stay as they were.
void remember(const Chapter& chapter, const report::Report& report);

/// What is kept of one kernel. It holds for the same fingerprint: of kernels.hpp and of exercise.cu without
/// the other kernels and the functions that only they call, so that work on one kernel leaves what is known
/// of the others.
struct KernelJudgement {
  bool is_right = false;
  std::string fingerprint;
  bool operator==(const KernelJudgement&) const = default;
};
/// By kernel; a line each, "right reduce_naive 0123456789abcdef" or "wrong ...".
using Judgements = std::map<std::string, KernelJudgement>;
Judgements parse_judgements(std::string_view text);
std::string spelled(const Judgements& judgements);

/// The kernel to go on with.
struct NextStep {
  Chapter chapter;
  KernelStanding kernel;  ///< without a name where the exercise has no kernels at all
};

/// The first kernel of the chapter that is not right; empty where all are, or there is none.
std::optional<KernelStanding> next_kernel(const Chapter& chapter);

/// The first kernel that is not right: of the chapter called `from`, else of those behind it, else of those
/// before it. Empty where all are right.
std::optional<NextStep> next_step(const std::vector<Chapter>& chapters, std::string_view from);

/// Says so, in lines of at most 80 columns that end with the command to type. `is_same_chapter`: the reader
/// is in that chapter already.
std::string invitation(const NextStep& step, bool is_same_chapter);

}  // namespace warpwise::cli
