#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <thread>

#include "build.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "progress.hpp"
#include "suggestion.hpp"

#include "../classroom/files.hpp"
#include "../classroom/grading.hpp"
#include "../classroom/interruption.hpp"
#include "../classroom/plain_text.hpp"
#include "../classroom/refusal.hpp"
#include "../classroom/scores.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;
using classroom::SubmissionResult;

classroom::Course course_of_this_clone() {
  classroom::Course course;
  course.root = root_folder();
  course.nvcc = nvcc();
  std::istringstream options(nvcc_kernel_options());
  for (std::string word; std::getline(options, word, ';');)
    if (!word.empty()) course.kernel_options.push_back(word);
  for (const Chapter& chapter : chapters_of_this_clone())
    course.chapters.push_back({chapter.name, chapter.folder, chapter.executable(), {}});
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

/// Builds the checks of the chapters that are asked for, and asks them for their kernels.
void build_checks(classroom::Course& course, const std::vector<std::string>& wanted) {
  std::vector<std::string> targets = wanted;
  if (targets.empty())
    for (const classroom::CourseChapter& chapter : course.chapters) targets.push_back(chapter.name);
  const BuildResult built = build_targets(targets);
  if (!built.is_built) throw Failure("the checks cannot be built:\n" + built.messages);
  for (classroom::CourseChapter& chapter : course.chapters)
    if (std::find(targets.begin(), targets.end(), chapter.name) != targets.end())
      chapter.kernels = classroom::exercises_of(chapter);
}

/// The path of nvcc's host compiler, where it is told one.
fs::path host_compiler(const classroom::Course& course) {
  const auto option = std::find(course.kernel_options.begin(), course.kernel_options.end(), "-ccbin");
  return option == course.kernel_options.end() || option + 1 == course.kernel_options.end() ? ""
                                                                                            : *(option + 1);
}

classroom::Fence fence_for(const classroom::Course& course, const std::vector<fs::path>& hidden) {
  const std::string otherwise =
      "; or take --unfenced, where nothing that an #include could show is in reach (docs/grading.md)";
  const fs::path bubblewrap = classroom::find_bubblewrap();
  if (bubblewrap.empty())
    throw Failure(
        "there is no bubblewrap (bwrap) for the fence around a stranger's file: install it" + otherwise + ".",
        wrong_usage);
  std::vector<fs::path> visible = classroom::folders_of_tool(course.nvcc);
  if (const fs::path fetched = course.root / ".toolkit"; fs::exists(fetched)) visible.push_back(fetched);
  if (const fs::path compiler = host_compiler(course); !compiler.empty())
    for (const fs::path& folder : classroom::folders_of_tool(compiler)) visible.push_back(folder);
  for (const classroom::CourseChapter& chapter : course.chapters)
    if (!chapter.kernels.empty()) visible.push_back(chapter.executable);
  classroom::Fence fence(bubblewrap, visible, hidden);
  if (const std::string problem = fence.problem(course.nvcc.string()); !problem.empty())
    throw Failure("bubblewrap makes no fence here (" + classroom::visible_line(problem) +
                      "): a container needs user namespaces for it" + otherwise + ".",
                  wrong_usage);
  return fence;
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
    throw Failure("--out " + out.string() +
                      " lies in the folder of the submissions, and would be one of them; name another folder "
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
  if (options.is_one && !options.shard.empty()) throw Failure("one submission has no parts.", wrong_usage);
}

/// Says how it went; the exit status. `left_out`: entries of the folder that are no submission.
int conclude(const std::vector<SubmissionResult>& results, const std::string& out,
             const classroom::Shard& shard = {}, const std::vector<std::string>& left_out = {}) {
  const auto ungraded = std::count_if(results.begin(), results.end(), [](const SubmissionResult& result) {
    return !result.could_be_graded();
  });
  const bool has_archive = std::any_of(left_out.begin(), left_out.end(), is_archive);
  std::cout << classroom::table_of(results) << '\n'
            << results.size() - static_cast<std::size_t>(ungraded) << " graded";
  if (ungraded != 0) std::cout << ", " << ungraded << " not: the table says why";
  if (!left_out.empty()) std::cout << "; left out: " << classroom::visible_line(joined(left_out));
  const std::string folder = classroom::visible_line(out);
  if (shard.is_whole())
    std::cout << "; what each was told, scores.csv, junit.xml and copies.txt are in " << folder << "\n";
  else
    std::cout << "; " << folder
              << " holds one part; the tables come with ./warpwise grade --merge and all parts\n";
  return ungraded == 0 && !has_archive ? all_well : failed;
}

int merge_parts(const GradeOptions& options) {
  std::vector<fs::path> folders;
  for (const std::string& folder : options.merged) folders.push_back(fs::absolute(folder));
  const auto results = classroom::merge(folders, fs::absolute(options.out));
  classroom::write_outputs(results, options.out);
  return conclude(results, options.out);
}

classroom::ClassOptions class_of(const GradeOptions& options, std::vector<std::string>& left_out) {
  classroom::ClassOptions wanted;
  if (options.is_one) {
    wanted.submissions = {classroom::one_submission(fs::absolute(options.submissions))};
  } else {
    classroom::Submissions all = classroom::submissions_in(fs::absolute(options.submissions));
    for (const std::string& name : all.left_out)
      std::cerr << "left out: " << classroom::visible_line(name)
                << (is_archive(name) ? " is an archive: unpack it into a folder of the student's name\n"
                                     : " is neither a folder nor a .cu\n");
    left_out = all.left_out;
    expect_outside(fs::absolute(options.out), fs::absolute(options.submissions));
    wanted.submissions = std::move(all.all);
  }
  wanted.chapters = wanted_chapters(options.chapters);
  wanted.out = fs::absolute(options.out);
  if (!options.shard.empty()) wanted.shard = classroom::shard_from(options.shard);
  wanted.jobs = jobs_of(options);
  return wanted;
}

int grade_submissions(const GradeOptions& options) {
  expect_sensible(options);
  if (!options.merged.empty()) return merge_parts(options);
  std::vector<std::string> left_out;
  classroom::ClassOptions wanted = class_of(options, left_out);
  classroom::Grading grading;
  grading.course = course_of_this_clone();
  if (!options.points.empty()) grading.points = classroom::read_points(options.points, grading.course);
  build_checks(grading.course, wanted.chapters);
  grading.limits.seconds = options.seconds;
  grading.limits.memory_mib = options.memory;
  const classroom::SignalsRemembered until_graded;  // from here on there are folders to be removed
  if (!options.is_unfenced)
    grading.fence =
        fence_for(grading.course, {grading.course.root, fs::absolute(options.submissions), wanted.out});

  if (const std::string problem = classroom::compiler_problem(grading); !problem.empty())
    throw Failure("nvcc does not compile a contract of the course" +
                      std::string(options.is_unfenced ? "" : " behind the fence") + ": " + problem,
                  wrong_usage);

  ProgressLine progress;
  wanted.on_progress = [&](std::size_t done, std::size_t total) {
    progress.show(progress_text("grading", done, total, progress.elapsed()));
  };
  const std::vector<SubmissionResult> results = classroom::grade_class(wanted, grading);
  if (!options.gradescope.empty())
    classroom::write_whole(options.gradescope, classroom::gradescope_of(results.front()));
  if (wanted.shard.is_whole()) classroom::write_outputs(results, wanted.out);
  return conclude(results, options.out, wanted.shard, left_out);
}

}  // namespace

int grade(const GradeOptions& options) {
  try {
    return grade_submissions(options);
  } catch (const classroom::Refusal& refusal) {
    throw Failure(refusal.what(), wrong_usage);
  } catch (const classroom::Interrupted& interrupted) {
    std::cerr << "warpwise: stopped; what is graded stays, and the same command goes on.\n";
    classroom::end_by(interrupted);
  }
}

}  // namespace warpwise::cli
