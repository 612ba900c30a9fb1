#pragma once
/// \file The chapters of the course, as they lie in the repository.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "../text/files.hpp"

namespace warpwise::cli {

/// Folders of the clone that this program was built from.
std::filesystem::path root_folder();
std::filesystem::path build_folder();

/// One folder chNN_name/ with its exercise, solution, checks and lesson.
struct Chapter {
  std::string name;   ///< "ch01_naive"
  std::string title;  ///< first heading of its README.md, without the `#`; the name where there is none
  std::filesystem::path folder;
  std::filesystem::path built;  ///< the same place in the build tree

  std::filesystem::path exercise() const { return folder / "exercise.cu"; }
  std::filesystem::path solution() const { return folder / "solution.cu"; }
  std::filesystem::path executable() const { return built / name; }
};

/// All chapters below `root`, ascending. A chapter is a folder chNN_name that holds an exercise.cu.
std::vector<Chapter> find_chapters(const std::filesystem::path& root, const std::filesystem::path& build);

/// Those of this clone that belong to its build: a folder that CMakeLists.txt does not name yet is no
/// chapter.
std::vector<Chapter> chapters_of_this_clone();

/// The chapter that `word` names: "ch01_naive", "ch01", "01", "1" or "naive". Throws Failure (wrong usage)
/// with a suggestion where there is none.
Chapter chapter_named(std::string_view word, const std::vector<Chapter>& chapters);
Chapter chapter_named(std::string_view word);

using text::read_text;
using text::shown_path;
using text::text_or_nothing;

}  // namespace warpwise::cli
