#pragma once
/// \file What grades a handout elsewhere: an autograder for Gradescope, a workflow for GitHub, a folder where
/// `grade` judges by a variant.

#include <filesystem>
#include <string>

#include "handout_course.hpp"

namespace warpwise::cli {

/// Writes to the empty folder `files` the course that grades: the chapters of `plan`, without solutions, with
/// `grade`. Returns what must not stand there.
course::SolutionLines write_grader(const course::CourseFiles& course, const course::HandoutPlan& plan,
                                   const std::filesystem::path& files);

/// CHAPTER.zip in `folder`: setup.sh, run_autograder, the course with `chapter` alone, without solutions, and
/// the file `points` as points.json where it is not empty.
void make_autograder(const course::CourseFiles& course, const course::HandoutPlan& plan,
                     const std::string& chapter, const std::string& points, const WorkFolder& work,
                     const std::filesystem::path& folder);

/// Adds .github/workflows/grade.yml to the handout's `files`: it grades with the commit of `plan` of
/// `repository`, OWNER/NAME on GitHub; empty: that of this clone's remote. Throws Failure where there is
/// none.
void add_workflow(const course::CourseFiles& course, const course::HandoutPlan& plan,
                  const std::string& repository, const std::filesystem::path& files);

}  // namespace warpwise::cli
