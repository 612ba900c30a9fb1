#pragma once
/// \file ./warpwise new-chapter: a chapter that builds, with one kernel and everything that a kernel has, to
/// be filled in. It is made from template/, in which lines that say TEMPLATE are to be replaced
/// (what_it_lacks() finds those that are left).

#include <filesystem>
#include <string>
#include <vector>

#include "../../report/report.hpp"
#include "../../text/chapter_folder.hpp"

namespace warpwise::course {

struct NewChapter {
  std::string name;    ///< "ch08_stencil": its folder
  std::string number;  ///< "8"
  std::string kernel;  ///< "stencil_kernel"
};

/// What the chapter that `word` names will be called in the course at `root`: "stencil" gets the next number,
/// "ch12_stencil" has one. Throws std::invalid_argument, one sentence, for what is not a name, and where
/// there is such a chapter.
NewChapter name_chapter(const std::string& word, const std::filesystem::path& root);

/// Writes the chapter's folder below `root`, and its line into the CMakeLists.txt there. Throws
/// std::runtime_error before anything is written if that file lists no chapters, or the folder exists.
void make_chapter(const NewChapter& chapter, const std::filesystem::path& root);

/// One sentence for each thing that the chapter lacks: "hints.md has 1 hint for stencil, not 3 or more."
/// Empty if it lacks nothing. `declared`: what its program says of its kernels and of their checks (--list);
/// null where there is no program, and nothing is said of checks. Kernels that are judged as a family
/// (ChapterKernel::family) need what the others need once.
std::vector<std::string> what_it_lacks(const text::ChapterFolder& chapter, const report::Report* declared);

}  // namespace warpwise::course
