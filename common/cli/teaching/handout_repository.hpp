#pragma once
/// \file handout: one commit of this clone in a folder of its own, what students get of it, and the git
/// commands that it takes.

#include <filesystem>
#include <string>
#include <vector>

#include "../../course/handout/handout.hpp"
#include "../../grade/interruption.hpp"
#include "../../process/process.hpp"

namespace warpwise::cli {

// --- The commit, and git -----------------------------------------------------------------------------------

struct HandoutOptions {
  std::string folder;                 ///< to be made, or with `adds_solutions` one that was made before
  std::vector<std::string> chapters;  ///< as `run` takes them; empty: all
  bool has_attempts = true;           ///< the known mistakes, as sentences
  std::vector<std::string> attempts;  ///< to be run in the handout, besides those that its pages name
  bool adds_solutions = false;        ///< those of `chapters`, as a commit in `folder`
  std::string target;                 ///< "gradescope", "github", "grading"; empty: a repository alone
  std::string solutions_come;         ///< when, for `./warpwise solution` there: "on 1 December"
  std::string checks_from;            ///< OWNER/NAME on GitHub, of the course that grades; empty: its remote
  std::string points;                 ///< JSON file for the autograder; empty: the built-in ones
  std::string variant;                ///< the seed of another task; empty: the course's own
};

/// Adds the solutions of the chapters that are asked for to a handout, as a commit. Returns the exit status.
int add_solutions(const HandoutOptions& options);

/// `git -C folder WORDS...`, whatever comes of it. Throws grade::Interrupted after a signal.
process::Result try_git(const std::filesystem::path& folder, const std::vector<std::string>& words);

/// `git -C folder WORDS...`: what it prints. Throws Failure with what git says if it fails, and
/// grade::Interrupted after a signal.
std::string git(const std::filesystem::path& folder, const std::vector<std::string>& words);

/// Commits all files of the repository `folder`, by git's configured author, or as Warpwise where there is
/// none.
void commit_all(const std::filesystem::path& folder, const std::string& message);

/// A new repository in `folder` with its files as the one commit.
void make_repository(const std::filesystem::path& folder, const std::string& message);

/// A folder below the build folder that is removed in the end, and after a signal.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;  ///< a folder has one owner
  WorkFolder& operator=(const WorkFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  grade::SignalsRemembered signals_;
  std::filesystem::path path_;
};

/// What `options` ask for, of the last commit. Throws Failure if there is none, or no such chapter.
course::HandoutPlan plan_of(const HandoutOptions& options);

/// The commit of `plan`, whole, in a new folder below `work`; with its variant. Throws Failure if this
/// clone has no such commit, and where an exercise of the chapters is not a skeleton.
course::CourseFiles course_of(const course::HandoutPlan& plan, const WorkFolder& work);

/// The repository's files, every one of which was looked through. Throws Failure if one shows a line that is
/// held back.
struct Handout {
  course::HandoutFiles files;
  course::SolutionLines held_back;
};
Handout handout_of(const course::CourseFiles& course, const course::HandoutPlan& plan,
                   course::Purpose purpose);
/// Adds the attempts that can be run without the solution: those that a page of the course tells somebody to
/// run, and `names`. Each comes as the module NAME.ptx and the file NAME.cu, which is as long as the whole
/// file and shows the line of the finding. None where `plan` has no attempts. Throws Failure if there is no
/// such attempt at an unsolved chapter of `plan`.
void add_modules(const course::CourseFiles& course, const course::HandoutPlan& plan,
                 const std::vector<std::string>& names, Handout& made);
/// Writes them to the empty folder `out`.
void write_files(const course::HandoutFiles& files, const course::CourseFiles& course,
                 const std::filesystem::path& out);

/// The last gate: looks through everything that git holds in the repository `folder`, whose clones hold the
/// same: every version of every file, and what commits say. Throws Failure, with the file and its commit,
/// where something shows a line that is held back. It asks no list of what was copied.
void expect_no_leak(const std::filesystem::path& folder, const course::SolutionLines& held_back);

}  // namespace warpwise::cli
