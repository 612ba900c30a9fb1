// handout: a repository for students, and what grades it elsewhere.

#include "handout_repository.hpp"

#include <iostream>
#include <utility>

#include "../../grade/assignment.hpp"
#include "../../grade/results.hpp"
#include "../../grade/similarity.hpp"
#include "../../text/files.hpp"
#include "../clone.hpp"
#include "../commands.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

// --- What grades a handout elsewhere -----------------------------------------------------------------------

/// Copies `from` to `to`, with `value` for each `@NAME@`.
struct Value {
  std::string name, value;
};
void fill_in(const fs::path& from, const fs::path& to, const std::vector<Value>& values) {
  fs::create_directories(to.parent_path());
  fs::copy_file(from, to);  // and its permissions
  std::string text = read_text(from);
  for (const auto& [name, value] : values) text = text::with_each_replaced(text, "@" + name + "@", value);
  text::write_text(to, text);
}

/// OWNER/NAME of git@github.com:OWNER/NAME.git and https://github.com/OWNER/NAME; empty for another address.
std::string github_name(std::string address) {
  while (address.ends_with('\n') || address.ends_with('/')) address.pop_back();
  if (address.ends_with(".git")) address.resize(address.size() - 4);
  const std::size_t host = address.find("github.com");
  return host == address.npos ? "" : address.substr(host + std::string_view("github.com/").size());
}

fs::path templates(const course::CourseFiles& course) { return course.folder / "common/course/handout"; }

/// Writes to the empty folder `files` the course that grades: the chapters of `plan`, without solutions, with
/// `grade`. Returns what must not stand there.
course::SolutionLines write_grader(const course::CourseFiles& course, const course::HandoutPlan& plan,
                                   const fs::path& files) {
  Handout made = handout_of(course, plan, course::Purpose::autograder);
  made.files.erase(course::handout_plan_file);  // it is the instructor's
  write_files(made.files, course, files);
  for (const std::string& chapter : plan.chapters) {
    const fs::path solution = fs::path(chapter) / "solution.cu";  // as handed in here, and the course's own
    const process::Result own = process::run(
        {{"git", "show", plan.commit + ":" + solution.string()}, root_folder(), process::Keeps::output});
    const grade::PublicWork work = grade::public_work_of(
        {text::Source(read_text(course.folder / solution)), text::Source(own.status == 0 ? own.output : "")},
        grade::Assignment(ChapterFolder(chapter, files / chapter)));
    text::write_text(files / chapter / grade::PublicWork::file, grade::spelled(work));
  }
  return std::move(made.held_back);
}

/// CHAPTER.zip in `folder`: setup.sh, run_autograder, the course with `chapter` alone, without solutions, and
/// the file `points` as points.json where it is not empty.
void make_autograder(const course::CourseFiles& course, const course::HandoutPlan& plan,
                     const std::string& chapter, const std::string& points, const WorkFolder& work,
                     const fs::path& folder) {
  const fs::path files = work.path() / ("autograder-" + chapter);
  course::HandoutPlan alone = plan;
  alone.chapters = {chapter};
  const course::SolutionLines held_back = write_grader(course, alone, files / "course");
  for (const char* name : {"setup.sh", "run_autograder"})
    fill_in(templates(course) / "gradescope" / name, files / name, {{"CHAPTER", chapter}});
  if (!points.empty()) fs::copy_file(points, files / "points.json");  // read_points() has been through it
  make_repository(files, "An autograder for " + chapter);
  expect_no_leak(files, held_back);
  git(files, {"archive", "--format=zip", "--output=" + (folder / (chapter + ".zip")).string(), "HEAD"});
}

/// Adds .github/workflows/grade.yml to the handout's `files`: it grades with the commit of `plan` of
/// `repository`, OWNER/NAME on GitHub; empty: that of this clone's remote. Throws Failure if there is
/// none.
void add_workflow(const course::CourseFiles& course, const course::HandoutPlan& plan,
                  const std::string& repository, const fs::path& files) {
  std::string name = repository;
  if (name.empty()) {
    const process::Result url = try_git(root_folder(), {"remote", "get-url", "origin"});
    if (url.status == 0) name = github_name(url.output);
  }
  if (name.empty())
    throw Failure(
        "name the course's repository on GitHub, from which the workflow takes the checks: --checks-from "
        "OWNER/NAME",
        wrong_usage);
  std::string chapters;
  for (const std::string& chapter : plan.chapters) chapters += (chapters.empty() ? "" : ",") + chapter;
  fill_in(templates(course) / "github/grade.yml", files / ".github/workflows/grade.yml",
          {{"COURSE", name}, {"COMMIT", plan.commit}, {"CHAPTERS", chapters}});
}

// --- The command -------------------------------------------------------------------------------------------

/// Nothing of anybody's may be lost: the folder is new, or empty.
void expect_empty(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return;
  if (!fs::is_directory(folder, error))
    throw Failure(folder.string() + " exists and is not a folder.", wrong_usage);
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
    std::cout << "What is handed out is the last commit; these files differ from it here:\n" << changes;
}

/// Brings the work folder's `files` to where they are asked for.
void move_to(const fs::path& folder, const fs::path& files) {
  grade::stop_if_interrupted();
  if (!fs::exists(folder)) {
    fs::create_directories(folder.parent_path());
    std::error_code error;
    fs::rename(files, folder, error);
    if (!error) return;
  }
  fs::create_directories(folder);  // one that is there stays the same, as does another disk
  fs::copy(files, folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

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
  if (!options.attempts.empty() && (!is_for_students || !options.has_attempts || options.adds_solutions))
    throw Failure("--attempts is for students who have no solutions yet, and know of mistakes.", wrong_usage);
  if (!options.checks_from.empty() && options.target != "github")
    throw Failure("--checks-from goes with --for github.", wrong_usage);
  if (!options.checks_from.empty() && !is_owner_and_name(options.checks_from))
    throw Failure("--checks-from: '" + options.checks_from + "' is not OWNER/NAME.", wrong_usage);
  if (!is_for_students && !options.solutions_come.empty())
    throw Failure("--solutions-come is for students: not with --for " + options.target + ".", wrong_usage);
}

/// Refuses what ./warpwise grade would refuse there.
void expect_points(const std::string& file, const course::CourseFiles& course,
                   const course::HandoutPlan& plan) {
  grade::Course graded;
  for (const std::string& chapter : plan.chapters)
    graded.assignments.emplace_back(ChapterFolder(chapter, course.folder / chapter));
  grade::read_points(file, graded);
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
  const course::CourseFiles course = course_of(plan, work);
  const fs::path files = work.path() / "handout";
  if (options.target == "gradescope") {
    fs::create_directories(files);
    if (!options.points.empty()) expect_points(options.points, course, plan);
    for (const std::string& chapter : plan.chapters)
      make_autograder(course, plan, chapter, options.points, work, files);
    move_to(folder, files);
    for (const std::string& chapter : plan.chapters)
      std::cout << shown_path(folder / (chapter + ".zip")) << "\n";
    return all_well;
  }
  if (options.target == "grading") {
    write_grader(course, plan, files);
    move_to(folder, files);
    std::cout << shown_path(folder) << ": there ./warpwise grade judges submissions to "
              << joined(plan.chapters) << ".\n";
    return all_well;
  }
  Handout made = handout_of(course, plan, course::Purpose::student);
  add_modules(course, plan, options.attempts, made);
  write_files(made.files, course, files);
  if (options.target == "github") add_workflow(course, plan, options.checks_from, files);
  make_repository(files, "Warpwise: " + joined(plan.chapters));
  expect_no_leak(files, made.held_back);
  move_to(folder, files);
  std::cout << shown_path(folder) << ": one commit with " << joined(plan.chapters)
            << ".\nNo file of it shows one of the " << made.held_back.size()
            << " lines of the solutions that are held back.\nLater: ./warpwise handout --solutions "
            << process::quoted_for_shell(shown_path(folder)) << "\n";
  return all_well;
}

/// Makes a repository for students, without solutions in its tree and history, or what grades it.
int handout(const HandoutOptions& options) {
  if (is_handout()) throw Failure("this is a handout: make one in a clone of the course.", wrong_usage);
  try {
    return options.adds_solutions ? add_solutions(options) : make_handout(options);
  } catch (const grade::Refusal& refusal) {
    throw Failure(refusal.what(), wrong_usage);
  } catch (const grade::Interrupted& interrupted) {
    std::cerr << "warpwise: stopped"
              << (options.adds_solutions ? "; what git status shows there, if anything, is not committed.\n"
                                         : "; nothing was made.\n");
    grade::end_by(interrupted);
  }
}

void add_arguments(Arguments& arguments, HandoutOptions& options) {
  arguments.option("folder", options.folder, "the folder to make: the repository, or what grades it")
      .required();
  arguments.option("--chapters", options.chapters, "only these: ch01,ch03 (default: all)").parted_by(',');
  arguments.flag("!--no-attempts", options.has_attempts, "without the list of known mistakes");
  arguments
      .option("--attempts", options.attempts,
              "wrong attempts to run there, as modules, besides those that the pages name: NAME,NAME")
      .parted_by(',');
  arguments.flag("--solutions", options.adds_solutions, "add the solutions to a handout, as a commit");
  arguments
      .option("--for", options.target,
              "gradescope: an autograder for each chapter; github: a handout with a workflow that "
              "grades; grading: a folder in which ./warpwise grade judges by --variant")
      .one_of(Words{"gradescope", "github", "grading"})
      .without("--solutions");
  arguments.option("--solutions-come", options.solutions_come,
                   "when they come, as ./warpwise solution says there: \"on 1 December\"");
  arguments.option("--checks-from", options.checks_from,
                   "with --for github: OWNER/NAME of the course's repository (default: the remote's)");
  arguments.option("--variant", options.variant, "another task, for marks: a seed, or a variant's name")
      .without("--solutions");
  arguments
      .option("--points", options.points,
              "with --for gradescope: the file of points for its zip (docs/grading.md)")
      .existing_file();
  arguments.footer("What is handed out is the last commit (docs/handouts.md).");
}

const RegisterCommand handout_command("handout", with_options<HandoutOptions>(add_arguments, handout));

}  // namespace
}  // namespace warpwise::cli
