#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <thread>

#include "../../grade/assignment.hpp"
#include "../../grade/grading.hpp"
#include "../../grade/interruption.hpp"
#include "../../grade/results.hpp"
#include "../../grade/untrusted.hpp"
#include "../../text/installation.hpp"
#include "../build.hpp"
#include "../commands.hpp"
#include "../progress_line.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using grade::SubmissionResult;

struct GradeOptions {
  std::string submissions;            ///< a folder with one entry each
  bool is_one = false;                ///< it is itself one submission
  std::vector<std::string> chapters;  ///< as the user names them; empty: what each submission has
  std::string points;                 ///< JSON file; empty: the built-in ones
  std::string out = "graded";
  std::string gradescope;           ///< file for the results.json of the one submission; empty: none
  std::string shard;                ///< "3/16"; empty: all
  std::vector<std::string> merged;  ///< folders of parts to put together; empty: grade
  bool has_no_sandbox = false;
  unsigned jobs = 0;     ///< 0: WARPWISE_JOBS, or else one per processor
  grade::Limits limits;  ///< for the compiler and for the checks each
};

grade::Course course_of_this_clone() {
  grade::Course course;
  course.compiler = build_folder() / "common/compile/kernel_compiler";
  for (const ChapterFolder& chapter : chapters_of_this_clone()) course.assignments.emplace_back(chapter);
  return course;
}

/// The names of the chapters that were asked for, in the course's order.
std::vector<std::string> wanted_chapters(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) names.push_back(chapter_named(word).name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

/// The kernels of a chapter that is built that are to be written.
std::vector<std::string> exercises_of(const ChapterFolder& chapter) {
  const report::Report declared = declared_by(chapter);
  std::vector<std::string> kernels;
  for (const report::Kernel& kernel : declared.chapters.front().kernels)
    if (kernel.is_exercise) kernels.push_back(kernel.name);
  if (kernels.empty()) throw Failure(chapter.name + " has no kernel to be written, and so nothing to grade.");
  return kernels;
}

/// Builds the checks of the chapters that are asked for, and asks them for their kernels.
void build_checks(grade::Course& course, const std::vector<std::string>& wanted) {
  std::vector<std::string> targets = wanted;
  if (targets.empty())
    for (const grade::Assignment& assignment : course.assignments) targets.push_back(assignment.name());
  Words all = targets;
  all.push_back("kernel_compiler");
  build_or_fail(all);
  for (grade::Assignment& assignment : course.assignments)
    if (std::find(targets.begin(), targets.end(), assignment.name()) != targets.end())
      assignment.kernels = exercises_of(assignment.chapter);
}

/// What kernel_compiler needs: its own file, NVRTC, and for a file with host code nvcc with its host
/// compiler.
std::vector<fs::path> needed_to_compile(const grade::Course& course) {
  const text::Installation& here = text::installation();
  std::vector<fs::path> needed = {course.compiler, here.build / text::installation_file};
  const auto host = std::find(here.nvcc_options.begin(), here.nvcc_options.end(), "-ccbin");
  const bool has_host = host != here.nvcc_options.end() && host + 1 != here.nvcc_options.end();
  for (const fs::path& tool : {here.nvrtc, here.nvcc, has_host ? fs::path(*(host + 1)) : fs::path()})
    for (const fs::path& folder : tool.empty() ? std::vector<fs::path>() : grade::folders_of_tool(tool))
      needed.push_back(folder);
  return needed;
}

grade::Sandbox sandbox_for(const grade::Course& course, const std::vector<fs::path>& hidden) {
  const std::string otherwise =
      "; or use --no-sandbox, if an #include can reach nothing that it must not show (docs/grading.md)";
  const fs::path bubblewrap = grade::find_bubblewrap();
  if (bubblewrap.empty())
    throw Failure("there is no bubblewrap (bwrap) for the sandbox around an untrusted file: install it" +
                      otherwise + ".",
                  wrong_usage);
  std::vector<fs::path> visible = needed_to_compile(course);
  for (const grade::Assignment& assignment : course.assignments)
    if (!assignment.kernels.empty()) visible.push_back(assignment.chapter.executable());
  grade::Sandbox sandbox(bubblewrap, visible, hidden);
  if (const std::string problem = sandbox.problem("/bin/true"); !problem.empty())
    throw Failure("bubblewrap cannot make a sandbox here (" + grade::visible_line(problem) +
                      "): a container needs user namespaces for it" + otherwise + ".",
                  wrong_usage);
  return sandbox;
}

unsigned jobs_of(const GradeOptions& options) {
  if (options.jobs != 0) return options.jobs;
  if (const char* const jobs = std::getenv("WARPWISE_JOBS")) return std::max(1, std::atoi(jobs));
  return std::max(1u, std::thread::hardware_concurrency());
}

/// What a student may well have handed in, and nobody unpacked.
bool is_archive(const std::string& name) {
  const std::string ending = fs::path(name).extension().string();
  return ending == ".zip" || ending == ".gz" || ending == ".tgz" || ending == ".tar" || ending == ".7z" ||
         ending == ".rar";
}

/// Below the submissions the results would be one of them the next time.
void expect_outside(const fs::path& out, const fs::path& submissions) {
  const fs::path relative = fs::weakly_canonical(out).lexically_relative(fs::weakly_canonical(submissions));
  if (!relative.empty() && *relative.begin() != "..")
    throw Failure(
        "--out " + out.string() +
            " is in the folder of the submissions and would count as one of them; name another folder "
            "with --out.",
        wrong_usage);
}

void expect_sensible(const GradeOptions& options) {
  if (options.submissions.empty() && options.merged.empty())
    throw Failure(
        "which submissions? ./warpwise grade FOLDER, with a folder or a file NAME.cu for each student.",
        wrong_usage);
  if (!options.gradescope.empty() && !options.is_one)
    throw Failure("--gradescope is about one submission: with --one.", wrong_usage);
  if (options.is_one && !options.shard.empty())
    throw Failure("a single submission cannot be split.", wrong_usage);
}

/// Says how it went; the exit status. `left_out`: entries of the folder that are not submissions.
int conclude(const std::vector<SubmissionResult>& results, const std::string& out,
             const grade::Shard& shard = {}, const std::vector<std::string>& left_out = {}) {
  const auto ungraded = std::count_if(results.begin(), results.end(), [](const SubmissionResult& result) {
    return !result.could_be_graded();
  });
  const bool has_archive = std::any_of(left_out.begin(), left_out.end(), is_archive);
  std::cout << grade::table_of(results) << '\n'
            << results.size() - static_cast<std::size_t>(ungraded) << " graded";
  if (ungraded != 0) std::cout << ", " << ungraded << " not: the table says why";
  if (!left_out.empty()) std::cout << "; left out: " << grade::visible_line(joined(left_out));
  const std::string folder = grade::visible_line(out);
  if (shard.is_whole())
    std::cout << "; the feedback, scores.csv, junit.xml and copies.txt are in " << folder << "\n";
  else
    std::cout << "; " << folder
              << " holds one part; the tables come with ./warpwise grade --merge and all parts\n";
  return ungraded == 0 && !has_archive ? all_well : failed;
}

int merge_parts(const GradeOptions& options) {
  std::vector<fs::path> folders;
  for (const std::string& folder : options.merged) folders.push_back(fs::absolute(folder));
  const auto results = grade::merge(folders, fs::absolute(options.out));
  grade::write_outputs(results, options.out);
  return conclude(results, options.out);
}

grade::ClassOptions class_of(const GradeOptions& options, std::vector<std::string>& left_out) {
  grade::ClassOptions wanted;
  if (options.is_one) {
    wanted.submissions = {grade::one_submission(fs::absolute(options.submissions))};
  } else {
    grade::Submissions all = grade::submissions_in(fs::absolute(options.submissions));
    for (const std::string& name : all.left_out)
      std::cerr << "left out: " << grade::visible_line(name)
                << (is_archive(name) ? " is an archive: unpack it into a folder of the student's name\n"
                                     : " is neither a folder nor a .cu\n");
    left_out = all.left_out;
    expect_outside(fs::absolute(options.out), fs::absolute(options.submissions));
    wanted.submissions = std::move(all.all);
  }
  wanted.chapters = wanted_chapters(options.chapters);
  wanted.out = fs::absolute(options.out);
  if (!options.shard.empty()) wanted.shard = grade::shard_from(options.shard);
  wanted.jobs = jobs_of(options);
  return wanted;
}

int grade_submissions(const GradeOptions& options) {
  expect_sensible(options);
  if (!options.merged.empty()) return merge_parts(options);
  std::vector<std::string> left_out;
  grade::ClassOptions wanted = class_of(options, left_out);
  grade::Grading grading;
  grading.course = course_of_this_clone();
  if (!options.points.empty()) grading.points = grade::read_points(options.points, grading.course);
  build_checks(grading.course, wanted.chapters);
  grading.limits = options.limits;
  const grade::SignalsRemembered until_graded;  // from here on there are folders to be removed
  if (!options.has_no_sandbox)
    grading.sandbox =
        sandbox_for(grading.course, {root_folder(), fs::absolute(options.submissions), wanted.out});

  if (const std::string problem = grade::compiler_problem(grading); !problem.empty())
    throw Failure("the compiler does not compile a contract of the course" +
                      std::string(options.has_no_sandbox ? "" : " in the sandbox") + ": " + problem,
                  wrong_usage);

  ProgressLine progress;
  wanted.on_progress = [&](std::size_t done, std::size_t total) {
    progress.show(progress_text("grading", done, total, progress.elapsed()));
  };
  const std::vector<SubmissionResult> results = grade::grade_class(wanted, grading);
  if (!options.gradescope.empty())
    grade::write_whole(options.gradescope, grade::gradescope_of(results.front()));
  if (wanted.shard.is_whole()) grade::write_outputs(results, wanted.out);
  return conclude(results, options.out, wanted.shard, left_out);
}

/// Returns 1 if a submission could not be graded.
int grade(const GradeOptions& options) {
  try {
    return grade_submissions(options);
  } catch (const grade::Refusal& refusal) {
    throw Failure(refusal.what(), wrong_usage);
  } catch (const grade::Interrupted& interrupted) {
    std::cerr << "warpwise: stopped; what is graded stays, and the same command goes on.\n";
    grade::end_by(interrupted);
  }
}

void add_arguments(Arguments& arguments, GradeOptions& options) {
  arguments.option("submissions", options.submissions,
                   "a folder with a folder or a file NAME.cu for each student");
  arguments.flag("--one", options.is_one, "that folder or file is one submission");
  arguments.option("--chapter", options.chapters, "ch01, or ch01,ch03 (default: what each submission has)")
      .parted_by(',');
  arguments.option("--points", options.points, "points for each check, as JSON (docs/grading.md)");
  arguments.option("--out", options.out, "the folder for the results").shows_default();
  arguments.option("--gradescope", options.gradescope, "with --one: Gradescope's results.json");
  arguments.option("--shard", options.shard, "only this part of the class: 3/16 is the third of 16");
  arguments.option("--merge", options.merged, "put the folders of all parts together in --out")
      .without("submissions");
  arguments.flag("--no-sandbox", options.has_no_sandbox, "compile and judge without bubblewrap");
  arguments.option("--jobs", options.jobs,
                   "submissions graded at once (default: one per processor, fewer if memory is short)");
  arguments
      .option("--seconds", options.limits.seconds,
              "processor time, for the compiler and for the checks separately")
      .from_to(1, 3600)
      .shows_default();
  arguments
      .option("--memory", options.limits.memory_mib, "MiB, for the compiler and for the checks separately")
      .from_to(256, 1 << 20)
      .shows_default();
  arguments.footer("Exit status: 0 all were graded, 1 some could not be, 2 wrong usage.");
}

const RegisterCommand grade_command("grade", with_options<GradeOptions>(add_arguments, grade));

}  // namespace
}  // namespace warpwise::cli
