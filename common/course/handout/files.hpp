#pragma once
/// \file The files of the course, and those of a student's repository made from them.

#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "../handout_plan.hpp"
#include "solution_lines.hpp"

namespace warpwise::course {

/// One commit of the course in a folder of its own. Paths are relative to it.
struct CourseFiles {
  std::filesystem::path folder;
  std::set<std::string> files;       ///< all
  std::set<std::string> never;       ///< those that .gitattributes marks -handout
  std::set<std::string> later;       ///< handout=later: they come with the solutions of their chapter
  std::set<std::string> autograder;  ///< autograder: an autograder has them all the same
};

enum class Purpose { student, autograder };

/// Every line of every solution that `plan` does not hand out. Given are skeletons, the solutions that it
/// does hand out, and the headers that they include; not what else comes with these, as other ways to write a
/// kernel, which may be the way of a later chapter.
SolutionLines lines_held_back(const CourseFiles& course, const course::HandoutPlan& plan);

/// Writes the files of `plan` to the empty folder `out`: without what .gitattributes leaves out and without
/// the other chapters, lessons and pages without `held_back` and without links to what is not there,
/// CMakeLists.txt without the folders that are not there. A picture (SVG), and what comes with the solutions,
/// is left out as long as it shows one of these lines, or includes a file that does; of a page of attempts or
/// of accepted ways the paragraph is.
void write_files(const CourseFiles& course, const course::HandoutPlan& plan, Purpose purpose,
                 const SolutionLines& held_back, const std::filesystem::path& out);

/// The first file below `folder` that shows one of `held_back`, and where.
struct FileLeak {
  std::string file;
  Leak leak;
};
std::optional<FileLeak> find_leak(const std::filesystem::path& folder, const SolutionLines& held_back);

}  // namespace warpwise::course
