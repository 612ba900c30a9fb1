#pragma once
/// \file How far a student has got: what the last judgement said about each kernel as it is now.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../report/report.hpp"
#include "clone.hpp"

namespace warpwise::cli {

enum class KernelState {
  unwritten,  ///< still a skeleton
  unjudged,   ///< written, or changed, since it was last judged
  wrong,
  right,
};

struct KernelProgress {
  std::string kernel;
  KernelState state = KernelState::unwritten;
};

/// What is kept of one kernel. It holds for the same fingerprint: of kernels.hpp and of exercise.cu without
/// the other kernels and the functions that only they call, so that work on one kernel leaves what is known
/// of the others.
struct KernelJudgement {
  bool is_right = false;
  std::string fingerprint;
};
using Judgements = std::map<std::string, KernelJudgement>;  ///< by kernel

/// A chapter's exercise.cu as it is now, and what is known of it.
class ChapterProgress {
 public:
  explicit ChapterProgress(ChapterFolder chapter);

  const ChapterFolder& chapter() const { return chapter_; }
  /// In the order of the file; none if it is missing, or empty.
  const std::vector<KernelProgress>& kernels() const { return kernels_; }
  std::size_t count_right() const;
  bool is_right(std::string_view kernel) const;
  /// The first that is not right; empty if all are, or there is none.
  std::optional<KernelProgress> next() const;
  /// The first that is written and not right, or waits to be judged; empty if there is none.
  std::string kernel_in_question() const;

  /// Keeps in the build tree what `report` says of the kernels as they are now. Those that it does not judge
  /// stay as they were.
  void take(const report::Report& report);

 private:
  const std::string& fingerprint(const std::string& kernel);
  void look();

  ChapterFolder chapter_;
  std::map<std::string, std::string> fingerprints_;  ///< by kernel, of those that were asked for
  Judgements judgements_;
  std::vector<KernelProgress> kernels_;
};

/// Whether both say the same in exercise.cu, comments aside, and in kernels.hpp.
bool have_same_code(const ChapterFolder& a, const ChapterFolder& b);

/// The last kernel that is right now and was not before; empty if there is none.
std::string newly_right(const std::vector<KernelProgress>& before, const std::vector<KernelProgress>& now);

std::vector<ChapterProgress> progress_of(const std::vector<ChapterFolder>& chapters);

/// The kernel to go on with.
struct NextStep {
  ChapterFolder chapter;
  KernelProgress kernel;          ///< without a name where the exercise has no kernels at all
  bool is_first_chapter = false;  ///< of the course
};

/// The first kernel that is not right: of the chapter called `from`, else of those after it, else of those
/// before it. Empty if all are right.
std::optional<NextStep> next_step(const std::vector<ChapterProgress>& chapters, std::string_view from);

/// Says so, in lines of at most 80 columns that end with the command to type. `is_same_chapter`: the reader
/// is in that chapter already.
std::string invitation(const NextStep& step, bool is_same_chapter);

}  // namespace warpwise::cli
