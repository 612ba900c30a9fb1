#include <algorithm>
#include <iostream>

#include "../process/process.hpp"
#include "clone.hpp"
#include "commands.hpp"
#include "student_record.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

struct ResetOptions {
  std::string chapter;
};

bool has_skeleton(const std::string& text) {
  const text::Source source(text);
  const std::vector<std::string> kernels = source.kernels();
  return std::any_of(kernels.begin(), kernels.end(),
                     [&](const std::string& kernel) { return source.is_skeleton(kernel); });
}

/// That of the course, where it lies elsewhere; else the newest committed version of the exercise with a
/// kernel that is still a skeleton. A student may well have committed the kernels.
std::string skeleton_of(const ChapterFolder& chapter) {
  if (chapter.course != chapter.folder) return read_text(chapter.course / "exercise.cu");
  const std::string file = chapter.name + "/exercise.cu";
  const process::Result log =
      process::run({{"git", "log", "--format=%H", "--", file}, root_folder(), process::Keeps::all});
  std::string_view commits = log.output;
  while (log.status == 0 && !commits.empty()) {
    const std::string commit(commits.substr(0, commits.find('\n')));
    commits.remove_prefix(std::min(commit.size() + 1, commits.size()));
    const process::Result text =
        process::run({{"git", "show", commit + ":" + file}, root_folder(), process::Keeps::output});
    if (text.status == 0 && has_skeleton(text.output)) return text.output;
  }
  throw Failure("git has no skeleton of " + file + " (is this folder a clone of the repository?).");
}

/// exercise.cu.1, .2 ...: the first that does not exist yet.
fs::path backup_of(const fs::path& file) {
  for (int i = 1;; ++i) {
    fs::path backup = file.string() + "." + std::to_string(i);
    if (!fs::exists(backup)) return backup;
  }
}

/// Puts the skeleton back in place of the student's exercise.cu, which is kept beside it.
int reset(const ResetOptions& options) {
  const ChapterFolder chapter = chapter_named(options.chapter);
  const std::string skeleton = skeleton_of(chapter);
  const fs::path exercise = chapter.exercise_file();
  if (chapter.has_exercise() && chapter.exercise().text() == skeleton) {
    std::cout << shown_path(exercise) << " is the skeleton already.\n";
    return all_well;
  }
  if (chapter.has_exercise()) {
    const fs::path backup = backup_of(exercise);
    fs::copy_file(exercise, backup);
    std::cout << "Your version is kept as " << shown_path(backup) << ".\n";
  }
  text::write_text(exercise, skeleton);
  forget_hints_shown(chapter);
  std::cout << shown_path(exercise) << " is the skeleton again.\n";
  return all_well;
}

void add_arguments(Arguments& arguments, ResetOptions& options) {
  arguments.option("chapter", options.chapter).required();
}

const RegisterCommand reset_command("reset", with_options<ResetOptions>(add_arguments, reset));

}  // namespace
}  // namespace warpwise::cli
