// handout: a repository for students.

#include <iostream>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "handed_out.hpp"
#include "handout_course.hpp"
#include "handout_systems.hpp"

namespace warpwise::cli {

int add_solutions(const HandoutOptions& options);  // handout_solutions.cpp

namespace {

namespace fs = std::filesystem;

/// Nothing of anybody's may be lost: the folder is new, or empty.
void expect_empty(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return;
  if (!fs::is_directory(folder, error))
    throw Failure(folder.string() + " exists, and is no folder.", wrong_usage);
  if (!fs::is_empty(folder, error) || error)
    throw Failure(
        folder.string() +
            " exists and is not empty; name a new folder (or with --solutions, to add them to a handout).",
        wrong_usage);
}

/// The commit is handed out; what differs from it here is not.
void mention_uncommitted() {
  const std::string changes = git(root_folder(), {"status", "--porcelain", "--untracked-files=no"});
  if (!changes.empty())
    std::cout << "Handed out is the last commit; these files differ from it here:\n" << changes;
}

std::string chapters_text(const std::vector<std::string>& chapters) {
  std::string text;
  for (const std::string& chapter : chapters) text += (text.empty() ? "" : ", ") + chapter;
  return text;
}

}  // namespace

int handout(const HandoutOptions& options) {
  if (is_handout()) throw Failure("this is a handout: make one in a clone of the course.", wrong_usage);
  if (options.adds_solutions) return add_solutions(options);
  const fs::path folder = fs::absolute(options.folder);
  expect_empty(folder);
  if (options.target == "github" && !options.variant.empty())
    throw Failure(
        "a workflow takes its checks from the course's repository, which has no variant; variants are graded "
        "by --for gradescope, or by ./warpwise grade.",
        wrong_usage);
  const course::HandoutPlan plan = plan_of(options);
  mention_uncommitted();

  const WorkFolder work;
  const classroom::CourseFiles course = course_of(plan, work);
  if (options.target == "gradescope") {
    fs::create_directories(folder);
    for (const std::string& chapter : plan.chapters)
      std::cout << shown(make_autograder(course, plan, chapter, options.points, work, folder)) << "\n";
    return all_well;
  }
  const fs::path files = work.path() / "handout";
  const std::size_t lines = write_handout(course, plan, classroom::Purpose::student, files);
  if (options.target == "github") add_workflow(course, plan, options.checks_from, files);
  fs::create_directories(folder);
  fs::copy(files, folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  make_repository(folder, "Warpwise: " + chapters_text(plan.chapters));
  std::cout << shown(folder) << ": one commit with " << chapters_text(plan.chapters)
            << ".\nNo file of it shows one of the " << lines
            << " lines of the solutions that are held back.\nLater: ./warpwise handout --solutions "
            << shown(folder) << "\n";
  return all_well;
}

}  // namespace warpwise::cli
