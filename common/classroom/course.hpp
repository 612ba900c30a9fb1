#pragma once
/// \file What grading needs to know of the course.

#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::classroom {

struct CourseChapter {
  std::string name;                  ///< "ch01_naive"
  std::filesystem::path folder;      ///< in the course
  std::filesystem::path executable;  ///< its checks
  std::vector<std::string> kernels;  ///< exercises, in the order of the chapter; known once it is built
};

struct Course {
  std::filesystem::path root;
  std::vector<CourseChapter> chapters;
  std::filesystem::path nvcc;
  std::vector<std::string> kernel_options;  ///< what nvcc is told when it compiles an exercise to PTX

  /// Null where there is none.
  const CourseChapter* find(const std::string& name) const;
};

/// The chapter that the beginning of a name means: "ch03", "ch03_bank_conflicts", "CH3-final". Null: none.
const CourseChapter* chapter_meant_by(const std::string& name, const Course& course);

/// Asks the chapter's executable for its exercises. Throws std::runtime_error where it does not answer.
std::vector<std::string> exercises_of(const CourseChapter& chapter);

/// The kernels that the chapter's kernels.hpp declares.
std::vector<std::string> declared_by(const CourseChapter& chapter);

/// The files that the chapter's exercise may include, relative to the root: what exercise.cu, solution.cu and
/// kernels.hpp include by a name in quotes, and what that includes.
std::vector<std::filesystem::path> headers_of(const CourseChapter& chapter,
                                              const std::filesystem::path& root);

/// What the points of a chapter depend on beside the submission: tells one version of the checks from
/// another.
std::string version_of(const CourseChapter& chapter, const Course& course);

}  // namespace warpwise::classroom
