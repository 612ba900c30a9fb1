#pragma once
/// \file Variants of a chapter's task, for marks: the solutions of the course are public, those of a variant
/// are not handed out. A variant is one page, chNN_name/variants/NAME.md:
///
///     # The largest element
///
///     - rejected by: reduce_naive: result: out[0] is
///
///     What is different, in a paragraph or two: it becomes the box at the top of the lesson.
///
///     ## kernels.hpp
///
///     ```diff
///     -/// Sums, in each block, ...
///     +/// Finds, in each block, the largest of ...
///     ```
///
/// A heading names a file of the chapter; the blocks below it (common/text/difference.hpp) change it, one
/// after the other. Each line `- rejected by:` names a kernel that the variant changes, and the check by
/// which it rejects the public solution of that kernel, as in an attempt.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../text/difference.hpp"

namespace warpwise::course {

/// A kernel that is asked for otherwise.
struct ChangedKernel {
  std::string kernel;
  std::string rejected_by;  ///< what the public solution is told: "result: out[0] is"
};

struct VariantPage {
  std::string path;   ///< as it was given: for messages
  std::string name;   ///< the file's name without its extension
  std::string title;  ///< its first heading
  std::string box;    ///< paragraphs of Markdown
  std::vector<ChangedKernel> kernels;
  std::map<std::string, std::vector<text::Difference>> changes;  ///< by the name of the file
};

/// Throws text::PageError, "FILE:LINE: sentence"; read_variant also std::runtime_error if there is no
/// such page.
VariantPage parse_variant(std::string_view text, const std::string& path);
VariantPage read_variant(const std::filesystem::path& path);

/// The pages of `chapter`, a folder chNN_name; ascending by name.
std::vector<std::filesystem::path> variants_of(const std::filesystem::path& chapter);

/// The page that `seed` means among `pages`, those of one chapter: the same on every machine. An empty path
/// where there are no pages.
std::filesystem::path variant_for_seed(const std::vector<std::filesystem::path>& pages,
                                       unsigned long long seed);

/// Changes the files in `chapter`, the folder of a chapter or a copy of it, as `page` says; puts the box
/// below the title of its README.md, says so in the hints of the changed kernels, and shows in the lesson
/// what the changed files say now. What belongs to the public task goes from the kernels' pages: wrong
/// attempts and other correct solutions. Writes variant.md there: the title, the changed kernels and the box.
/// Files that the folder does not have (solution.cu of a hand-out) are passed over. Throws text::PageError,
/// and has written nothing then.
void apply_variant(const VariantPage& page, const std::filesystem::path& chapter);

/// For a copy of the course in the folder `course`: applies a variant to those of `chapters` ("ch01_naive")
/// that have one. `choice` is a number, which picks one of each chapter, or the name of a variant, which
/// changes the chapters that have it. The pages of variants go from the changed chapters. Returns which
/// chapters it has changed. Throws std::invalid_argument, one sentence, where the choice changes nothing.
struct ChangedChapter {
  std::string chapter, variant;  ///< "ch01_naive", "mirrored"
};
std::vector<ChangedChapter> apply_variants(const std::filesystem::path& course,
                                           const std::vector<std::string>& chapters,
                                           const std::string& choice);

}  // namespace warpwise::course
