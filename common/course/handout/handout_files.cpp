#include "handout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "../../text/chapter_folder.hpp"
#include "../../text/files.hpp"

namespace warpwise::course {
namespace {

namespace fs = std::filesystem;

/// "ch01_naive" of "ch01_naive/kernels/reduce_naive.md"; empty for what belongs to no chapter.
std::string chapter_of(const std::string& file) {
  const std::string folder = file.substr(0, std::min(file.find('/'), file.size()));
  const bool is_chapter = text::begins_as_chapter(folder) && folder.size() < file.size();
  return is_chapter ? folder : "";
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_kernel_page(const std::string& file) {
  const fs::path path(file);
  return !chapter_of(file).empty() && path.parent_path().filename() == "kernels" && path.extension() == ".md";
}

bool is_page_of_hints(const std::string& file) {
  return !chapter_of(file).empty() && fs::path(file).filename() == "hints.md";
}

bool is_handed_out(const std::string& file, const CourseFiles& course, const HandoutPlan& plan,
                   Purpose purpose) {
  const std::string chapter = chapter_of(file);
  if (!chapter.empty() && !contains(plan.chapters, chapter)) return false;
  // It asks for figures of the course's own solution.
  if (file == chapter + "/lesson/predict.md" && course.files.contains(chapter + "/variant.md")) return false;
  if (course.never.contains(file)) return purpose == Purpose::autograder && course.autograder.contains(file);
  if (!course.later.contains(file)) return true;
  if (chapter.empty()) return true;  // where nothing that is held back stands in it: see write_files
  return contains(plan.solved, chapter);
}

/// Those files of the course that `source` includes by `#include "name"`.
std::vector<std::string> includes_of(const CourseFiles& course, const std::string& source) {
  std::vector<std::string> included;
  for (const std::string& name : text::includes_in(text::read_text(course.folder / source))) {
    const std::string file = (fs::path(source).parent_path() / name).lexically_normal().string();
    if (course.files.contains(file)) included.push_back(file);
  }
  return included;
}

/// `source`, what it includes, and what that includes.
void add_includes(const CourseFiles& course, const std::string& source, std::set<std::string>& found) {
  if (!course.files.contains(source) || !found.insert(source).second) return;
  for (const std::string& file : includes_of(course, source)) add_includes(course, file, found);
}

/// A kernel's page as it is handed out; empty if nothing of it is.
std::string kernel_page_of(const CourseFiles& course, const HandoutPlan& plan, Purpose purpose,
                           const std::string& file, const SolutionLines& held_back) {
  using Attempts = PageParts::Attempts;
  const bool is_solved = contains(plan.solved, chapter_of(file));
  const bool has_attempts = plan.has_attempts && purpose == Purpose::student;
  const PageParts parts{.attempts = !has_attempts ? Attempts::none
                                    : is_solved   ? Attempts::whole
                                                  : Attempts::as_sentences,
                        .has_accepted = is_solved};
  return kernel_page_with(parts, text::read_text(course.folder / file), file, held_back);
}

/// Whether `file` shows something that is held back, and cannot do without, or nothing of it would be left.
bool is_left_out(const CourseFiles& course, const HandoutPlan& plan, Purpose purpose, const std::string& file,
                 const SolutionLines& held_back) {
  if (is_kernel_page(file)) return kernel_page_of(course, plan, purpose, file, held_back).empty();
  const bool may_show = fs::path(file).extension() == ".svg" || course.later.contains(file);
  return may_show && held_back.are_shown_in(text::read_text(course.folder / file));
}

/// Takes what comes with the solutions from `files` where it includes what is not there.
void remove_incomplete(const CourseFiles& course, std::set<std::string>& files) {
  const auto is_incomplete = [&](const std::string& file) {
    if (!course.later.contains(file)) return false;
    const std::vector<std::string> included = includes_of(course, file);
    return std::any_of(included.begin(), included.end(),
                       [&](const std::string& each) { return !files.contains(each); });
  };
  while (std::erase_if(files, is_incomplete) > 0) {
  }
}

std::string notice_of(const HandoutPlan& plan) {
  const bool is_solved = plan.solved.size() == plan.chapters.size();
  const std::string when = plan.solutions_come.empty() ? "after the hand-in" : plan.solutions_come;
  return "This repository was handed out for a course. `./warpwise list` says which chapters it has; " +
         (is_solved ? std::string("their solutions are here.") : "solutions come " + when + ", as a commit.");
}

/// A CMakeLists.txt without `add_subdirectory(FOLDER)` where nothing of the folder is there.
std::string without_absent_folders(const std::string& text, const std::set<std::string>& files,
                                   const fs::path& folder) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    constexpr std::string_view call = "add_subdirectory(";
    const std::size_t found = line.find(call);
    bool is_absent = false;
    if (found != line.npos) {
      const std::size_t name = found + call.size();
      const fs::path list = folder / line.substr(name, line.find(')') - name) / "CMakeLists.txt";
      is_absent = !files.contains(list.lexically_normal().string());
    }
    if (!is_absent) kept += line;
    at = end;
  }
  return kept;
}

/// Whether `path` names a file, or a folder with files.
bool has_path(const std::set<std::string>& files, const std::string& path) {
  const std::string name = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  if (name.empty() || name == "." || files.contains(name)) return true;
  const auto after = files.lower_bound(name + "/");
  return after != files.end() && after->starts_with(name + "/");
}

}  // namespace

SolutionLines lines_held_back(const CourseFiles& course, const HandoutPlan& plan) {
  SolutionLines lines;
  std::set<std::string> given;
  for (const std::string& file : course.files) {
    if (chapter_of(file).empty()) continue;
    const bool is_solved = contains(plan.solved, chapter_of(file));
    const fs::path name = fs::path(file).filename();
    if (name == "exercise.cu" || (is_solved && name == "solution.cu")) add_includes(course, file, given);
  }
  for (const std::string& file : given) lines.add_given(text::read_text(course.folder / file));
  for (const std::string& file : course.files) {
    const std::string chapter = chapter_of(file);
    if (file == chapter + "/solution.cu" && !contains(plan.solved, chapter))
      lines.add_solution(file, text::read_text(course.folder / file));
  }
  return lines;
}

HandoutFiles files_handed_out(const CourseFiles& course, const HandoutPlan& plan, Purpose purpose,
                              const SolutionLines& held_back) {
  std::set<std::string> names;
  for (const std::string& file : course.files)
    if (is_handed_out(file, course, plan, purpose) && !is_left_out(course, plan, purpose, file, held_back))
      names.insert(file);
  remove_incomplete(course, names);
  HandoutFiles files;
  for (const std::string& file : names) {
    const fs::path path = file;
    const auto is_there = [&](const std::string& target) {
      return has_path(names, (path.parent_path() / target).lexically_normal().string());
    };
    std::string text = is_kernel_page(file) ? kernel_page_of(course, plan, purpose, file, held_back)
                                            : text::read_text(course.folder / file);
    if (is_page_of_hints(file) && !contains(plan.solved, chapter_of(file))) text = without_last_hints(text);
    if (path.extension() == ".md") {
      text = without_solutions(text, held_back, is_there);
      if (file == "README.md" && purpose == Purpose::student) text = with_notice(text, notice_of(plan));
      text = without_dead_links(text, is_there);
    } else if (path.filename() == "CMakeLists.txt") {
      text = without_absent_folders(text, names, path.parent_path());
    }
    files.emplace(file, std::move(text));
  }
  files.emplace(handout_plan_file, spelled(plan));
  return files;
}

void write_file(const CourseFiles& course, const std::string& file, const std::string& text,
                const fs::path& out) {
  fs::create_directories((out / file).parent_path());
  text::write_text(out / file, text);
  if (course.files.contains(file))
    fs::permissions(out / file, fs::status(course.folder / file).permissions());
}

}  // namespace warpwise::course
