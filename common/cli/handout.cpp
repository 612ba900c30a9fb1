// handout: a repository for students.

#include <iostream>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "handed_out.hpp"
#include "handout_course.hpp"
#include "handout_systems.hpp"
#include "process.hpp"
#include "suggestion.hpp"

#include "../classroom/points.hpp"
#include "../classroom/refusal.hpp"

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

void copy_to(const fs::path& folder, const fs::path& files) {
  classroom::stop_if_interrupted();
  fs::create_directories(folder);
  fs::copy(files, folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

}  // namespace

namespace {

bool is_owner_and_name(const std::string& repository) {
  const std::size_t slash = repository.find('/');
  return slash != repository.npos && slash > 0 && slash + 1 < repository.size() &&
         slash == repository.rfind('/') && repository.find(' ') == repository.npos;
}

/// No option may be given in vain.
void expect_sensible(const HandoutOptions& options) {
  const bool is_for_students = options.target.empty() || options.target == "github";
  if (!options.points.empty() && options.target != "gradescope")
    throw Failure(
        "--points goes with --for gradescope; ./warpwise grade takes it when it grades, and the workflow for "
        "GitHub has the usual points.",
        wrong_usage);
  if (!options.checks_from.empty() && options.target != "github")
    throw Failure("--checks-from goes with --for github.", wrong_usage);
  if (!options.checks_from.empty() && !is_owner_and_name(options.checks_from))
    throw Failure("--checks-from: '" + options.checks_from + "' is not OWNER/NAME.", wrong_usage);
  if (!is_for_students && !options.solutions_come.empty())
    throw Failure("--solutions-come is for students: not with --for " + options.target + ".", wrong_usage);
}

/// Refuses what ./warpwise grade would refuse there.
void expect_points(const std::string& file, const classroom::CourseFiles& course,
                   const course::HandoutPlan& plan) {
  classroom::Course graded;
  for (const std::string& chapter : plan.chapters) {
    graded.chapters.push_back({chapter, course.folder / chapter, {}, {}});
    graded.chapters.back().kernels = classroom::declared_by(graded.chapters.back());
  }
  classroom::read_points(file, graded);
}

/// Makes what is asked for in `work`, whole, before anything comes to `folder`.
int make_handout(const HandoutOptions& options) {
  const fs::path folder = fs::absolute(options.folder).lexically_normal();
  expect_sensible(options);
  expect_empty(folder);
  if (options.target == "github" && !options.variant.empty())
    throw Failure(
        "a workflow takes its checks from the course's repository, which has no variant; variants are graded "
        "by --for gradescope, or --for grading.",
        wrong_usage);
  const course::HandoutPlan plan = plan_of(options);
  mention_uncommitted();

  const WorkFolder work;
  const classroom::CourseFiles course = course_of(plan, work);
  const fs::path files = work.path() / "handout";
  if (options.target == "gradescope") {
    fs::create_directories(files);
    if (!options.points.empty()) expect_points(options.points, course, plan);
    for (const std::string& chapter : plan.chapters)
      make_autograder(course, plan, chapter, options.points, work, files);
    copy_to(folder, files);
    for (const std::string& chapter : plan.chapters)
      std::cout << shown_path(folder / (chapter + ".zip")) << "\n";
    return all_well;
  }
  if (options.target == "grading") {
    write_grader(course, plan, files);
    copy_to(folder, files);
    std::cout << shown_path(folder) << ": there ./warpwise grade judges submissions to "
              << joined(plan.chapters) << ".\n";
    return all_well;
  }
  const classroom::SolutionLines held_back = write_handout(course, plan, classroom::Purpose::student, files);
  if (options.target == "github") add_workflow(course, plan, options.checks_from, files);
  make_repository(files, "Warpwise: " + joined(plan.chapters));
  expect_no_leak(files, held_back);
  copy_to(folder, files);
  std::cout << shown_path(folder) << ": one commit with " << joined(plan.chapters)
            << ".\nNo file of it shows one of the " << held_back.size()
            << " lines of the solutions that are held back.\nLater: ./warpwise handout --solutions "
            << quoted_for_shell(shown_path(folder)) << "\n";
  return all_well;
}

}  // namespace

int handout(const HandoutOptions& options) {
  if (is_handout()) throw Failure("this is a handout: make one in a clone of the course.", wrong_usage);
  try {
    return options.adds_solutions ? add_solutions(options) : make_handout(options);
  } catch (const classroom::Refusal& refusal) {
    throw Failure(refusal.what(), wrong_usage);
  } catch (const classroom::Interrupted& interrupted) {
    std::cerr << "warpwise: stopped"
              << (options.adds_solutions ? "; what git status shows there, if anything, is not committed.\n"
                                         : "; nothing was made.\n");
    classroom::end_by(interrupted);
  }
}

}  // namespace warpwise::cli
