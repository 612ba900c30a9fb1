// hint, solution, reset: what a student asks for while writing.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "handed_out.hpp"
#include "hints.hpp"
#include "process.hpp"
#include "standing.hpp"
#include "subject.hpp"
#include "suggestion.hpp"

#include "../text/hints.hpp"
#include "../text/source.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// The kernel of `kernels` called `name`, where it has a name; `what` says in a sentence what was looked for.
template <class Kernels, class NameOf>
auto find_kernel(const Kernels& kernels, const std::string& name, const std::string& chapter,
                 NameOf name_of) {
  std::vector<std::string> names;
  for (auto it = kernels.begin(); it != kernels.end(); ++it) {
    if (name_of(*it) == name) return it;
    names.push_back(name_of(*it));
  }
  throw Failure("there is no kernel '" + name + "' in " + chapter + suggestion(name, names), wrong_usage);
}

/// The first kernel of the exercise that is not right; of a family, which has its hints once, the member that
/// has them. The first of all where the exercise is empty; empty where all are right.
std::string kernel_in_work(const Chapter& chapter, const std::vector<text::KernelHints>& hints) {
  const auto next = next_kernel(chapter);
  if (!next) return standings_of(chapter).empty() && !hints.empty() ? hints.front().kernel : "";
  std::vector<std::string> names;
  for (const text::KernelHints& one : hints) names.push_back(one.kernel);
  const bool has_hints = std::find(names.begin(), names.end(), next->kernel) != names.end();
  const std::string near = has_hints ? next->kernel : nearest(next->kernel, names);
  return near.empty() ? next->kernel : near;
}

bool has_skeleton(const std::string& source) {
  const auto kernels = text::kernels_in(source);
  return std::any_of(kernels.begin(), kernels.end(), [&](const text::FunctionText& kernel) {
    return text::is_skeleton(source, kernel.name);
  });
}

/// The newest committed version of the exercise with a kernel that is still a skeleton. A student may well
/// have committed the kernels.
std::string skeleton_of(const Chapter& chapter) {
  const std::string file = chapter.name + "/exercise.cu";
  const ProcessResult log = capture_process({"git", "log", "--format=%H", "--", file}, root_folder());
  std::string_view commits = log.output;
  while (log.status == 0 && !commits.empty()) {
    const std::string commit(commits.substr(0, commits.find('\n')));
    commits.remove_prefix(std::min(commit.size() + 1, commits.size()));
    const ProcessResult text = capture_process({"git", "show", commit + ":" + file}, root_folder(), false);
    if (text.status == 0 && has_skeleton(text.output)) return text.output;
  }
  throw Failure("git knows no skeleton of " + file + " (is this folder a clone of the repository?).");
}

/// exercise.cu.1, .2 ...: the first that does not exist yet.
fs::path backup_of(const fs::path& file) {
  for (int i = 1;; ++i) {
    fs::path backup = file.string() + "." + std::to_string(i);
    if (!fs::exists(backup)) return backup;
  }
}

}  // namespace

int hint(const HintOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  const auto all = text::parse_hints(read_text(chapter.folder / "hints.md"));
  const std::string wanted = options.kernel.empty() ? kernel_in_work(chapter, all) : options.kernel;
  if (wanted.empty()) {
    std::cout << "Every kernel of " << chapter.name << " is right. The hints for one all the same:\n"
              << "  ./warpwise hint " << chapter.name.substr(0, 4) << " KERNEL\n";
    return all_well;
  }
  const std::string user = kernel_that_calls(chapter, wanted);
  if (!user.empty())
    throw Failure(wanted + " is a function, whose hints are those of " + user + ": ./warpwise hint " +
                      chapter.name.substr(0, 4) + " " + user,
                  wrong_usage);
  const auto hints =
      find_kernel(all, wanted, chapter.name, [](const text::KernelHints& k) { return k.kernel; });

  // How many were shown is kept in the build tree, so that asking again gives the next.
  const fs::path memory = chapter.built / "hints-shown";
  auto progress = parse_progress(text_or_nothing(memory));
  std::size_t& count = progress[wanted];
  const std::size_t total = hints->hints.size();
  const std::size_t first = options.shows_all ? 0 : std::min(count, total - 1);
  count = options.shows_all ? total : first + 1;
  for (std::size_t i = first; i < count; ++i) {
    std::cout << wanted << ", hint " << i + 1 << " of " << total << ":\n\n"
              << in_screen_width(hints->hints[i]) << '\n';
  }
  const std::string names = chapter.name.substr(0, 4) + " " + wanted;
  if (count < total)
    std::cout << "Still stuck? Ask again: ./warpwise hint " << names << "\n";
  else if (fs::exists(chapter.solution()))
    std::cout << "That was the last one. The answer: ./warpwise solution " << names << "\n";
  else
    std::cout << "That was the last one. " << solutions_come() << "\n";
  fs::create_directories(chapter.built);
  std::ofstream(memory) << spelled(progress);
  return all_well;
}

int solution(const SolutionOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  if (!fs::exists(chapter.solution())) throw no_solution(chapter);
  const std::string text = read_text(chapter.solution());
  if (options.kernel.empty()) {
    std::cout << text::without_anchors(text);
    return all_well;
  }
  find_kernel(text::kernels_in(text), options.kernel, chapter.name,
              [](const text::FunctionText& kernel) { return kernel.name; });
  const char* gap = "";
  for (const text::FunctionText& function : text::kernel_and_callees(text, options.kernel)) {
    std::cout << gap << text::without_anchors(function.comment + function.code + '\n');
    gap = "\n";
  }
  return all_well;
}

int reset(const ResetOptions& options) {
  const Chapter chapter = chapter_named(options.chapter);
  const std::string skeleton = skeleton_of(chapter);
  const fs::path exercise = chapter.exercise();
  if (fs::exists(exercise) && read_text(exercise) == skeleton) {
    std::cout << shown_path(exercise) << " is the skeleton already.\n";
    return all_well;
  }
  if (fs::exists(exercise)) {
    const fs::path backup = backup_of(exercise);
    fs::copy_file(exercise, backup);
    std::cout << "Your version is kept as " << shown_path(backup) << ".\n";
  }
  std::ofstream file(exercise, std::ios::binary | std::ios::trunc);
  if (!(file << skeleton << std::flush)) throw Failure("cannot write " + shown_path(exercise) + ".");
  fs::remove(chapter.built / "hints-shown");
  std::cout << shown_path(exercise) << " is the skeleton again.\n";
  return all_well;
}

}  // namespace warpwise::cli
