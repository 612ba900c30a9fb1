#include "clone.hpp"

#include <algorithm>

#include "../course/handout_plan.hpp"
#include "../text/installation.hpp"

namespace warpwise::cli {

namespace fs = std::filesystem;

fs::path root_folder() { return text::installation().root; }
fs::path build_folder() { return text::installation().build; }
fs::path course_folder() { return text::installation().course; }
fs::path programs_folder() { return text::installation().programs; }

// --- Chapters ---------------------------------------------------------------------------------------------

namespace {

/// "ch99", "99": another number is not a misspelling.
bool is_number(std::string_view word) {
  if (word.starts_with("ch")) word.remove_prefix(2);
  return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

/// "ch01_naive" is also known as "ch01", "ch1", "01", "1" and "naive".
bool answers_to(const std::string& name, std::string_view word) {
  const std::string number = name.substr(2, 2);
  const std::string plain = number.starts_with('0') ? number.substr(1) : number;
  return word == name || word == report::short_name(name) || word == "ch" + plain || word == number ||
         word == plain || word == name.substr(5);
}

}  // namespace

std::vector<ChapterFolder> chapters_of_this_clone() {
  std::vector<ChapterFolder> chapters = text::find_chapters(root_folder(), build_folder());
  for (ChapterFolder& chapter : chapters) {
    chapter.course = course_folder() / chapter.name;
    chapter.programs = programs_folder() / chapter.name;
  }
  // CMake leaves this file in the build tree of every folder that it was told of.
  std::erase_if(chapters, [](const ChapterFolder& chapter) {
    return !fs::exists(chapter.built / "cmake_install.cmake") && !fs::exists(chapter.executable());
  });
  return chapters;
}

ChapterFolder chapter_named(std::string_view word, const std::vector<ChapterFolder>& chapters) {
  // A path ending in a slash is what a shell completes to.
  while (word.ends_with('/')) word.remove_suffix(1);
  std::vector<std::string> names;
  for (const ChapterFolder& chapter : chapters) {
    if (answers_to(chapter.name, word)) return chapter;
    names.push_back(chapter.short_name());
    names.push_back(chapter.name);
  }
  const std::string near = is_number(word) ? "" : nearest(word, names);
  if (near.empty()) {  // list each chapter once
    names.clear();
    for (const ChapterFolder& chapter : chapters) names.push_back(chapter.name);
  }
  throw Failure("there is no chapter '" + std::string(word) + "'" +
                    (near.empty() ? list_of(names) : "; did you mean " + near + "?"),
                wrong_usage);
}

ChapterFolder chapter_named(std::string_view word) { return chapter_named(word, chapters_of_this_clone()); }

// --- A handout --------------------------------------------------------------------------------------------

namespace {

std::optional<course::HandoutPlan> handout_plan() {
  const fs::path file = root_folder() / course::handout_plan_file;
  return fs::exists(file) ? course::parse_handout_plan(read_text(file)) : std::nullopt;
}

}  // namespace

bool is_handout() { return handout_plan().has_value(); }

std::string solutions_come() {
  const auto plan = handout_plan();
  const bool is_known = plan && !plan->solutions_come.empty();
  return "The solutions come " + (is_known ? plan->solutions_come : "after the hand-in") +
         ", as a commit of your instructor: git pull brings them.";
}

Failure no_solution(const ChapterFolder& chapter) {
  const bool is_clone = fs::exists(root_folder() / ".git");
  if (!is_handout() && !is_clone)
    return Failure("there are no solutions of " + chapter.name +
                   " in this folder; a clone of the course has them.");
  if (!is_handout())
    return Failure(shown_path(chapter.solution_file()) + " is missing; git checkout brings it back.");
  return Failure("the solutions of " + chapter.name + " are not in this handout. " + solutions_come());
}

// --- Part of a chapter -----------------------------------------------------------------------------------

namespace {

/// The one called `name`, or a path that ends in it. Throws Failure (wrong usage) with a suggestion;
/// `nothing`: how that begins, "there is no attempt".
const text::Implementation& implementation_named(const ChapterFolder& chapter,
                                                 const std::vector<text::Implementation>& implementations,
                                                 const std::string& name, const char* nothing) {
  std::vector<std::string> names;
  for (const text::Implementation& implementation : implementations) {
    if (implementation.name == name) return implementation;
    names.push_back(implementation.name);
  }
  throw Failure(nothing + (" '" + name + "' in ") + chapter.name + suggestion(name, names), wrong_usage);
}

/// Its whole file is made from the solution, in `folder`.
Subject made_subject(const text::Implementation& implementation, const fs::path& folder) {
  return {folder / (implementation.name + ".cu"), folder / (implementation.name + ".ptx"), implementation};
}

/// Of a handout without the solution.
Subject handed_out_subject(const ChapterFolder& chapter, const std::string& name) {
  std::vector<std::string> names;
  if (fs::exists(chapter.modules_folder()))
    for (const auto& entry : fs::directory_iterator(chapter.modules_folder()))
      if (entry.path().extension() == ".ptx") names.push_back(entry.path().stem().string());
  if (names.empty()) throw no_solution(chapter);
  std::sort(names.begin(), names.end());
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Failure("the attempt '" + name + "' is not in this handout" + list_of(names) + " " +
                  solutions_come());
  Subject subject =
      made_subject(implementation_named(chapter, chapter.attempts(), name, "nothing is said of"),
                   chapter.built / "attempts");
  subject.source = chapter.modules_folder() / (name + ".cu");
  subject.handed_out = chapter.modules_folder() / (name + ".ptx");
  return subject;
}

}  // namespace

Subject subject_of(const ChapterFolder& chapter, bool uses_solution, const std::string& attempt,
                   const std::string& kernel) {
  if (uses_solution && !chapter.has_solution()) throw no_solution(chapter);
  if (attempt.empty()) {
    const std::string name = uses_solution ? "solution" : "exercise";
    return {.source = uses_solution ? chapter.solution_file() : chapter.exercise_file(),
            .module = chapter.built / (name + (kernel.empty() ? "" : "." + kernel) + ".ptx"),
            .kernel = kernel};
  }
  const std::string name = fs::path(attempt).stem().string();
  if (!chapter.has_solution()) return handed_out_subject(chapter, name);
  const text::Implementation& implementation =
      implementation_named(chapter, chapter.attempts(), name, "there is no attempt");
  return made_subject(implementation, chapter.built / "attempts");
}

Subject accepted_subject(const ChapterFolder& chapter, const std::string& path) {
  const std::string name = fs::path(path).stem().string();
  const text::Implementation& implementation =
      implementation_named(chapter, chapter.accepted(), name, "nothing accepted is called");
  return made_subject(implementation, chapter.built / "accepted");
}

void expect_source(const ChapterFolder& chapter, const Subject& subject) {
  if (!subject.implementation && !fs::exists(subject.source))
    throw Failure(shown_path(subject.source) + " is missing; ./warpwise reset " + chapter.short_name() +
                  " brings the skeleton back.");
}

std::string kernel_that_calls(const ChapterFolder& chapter, const std::string& function) {
  for (const std::string& kernel : chapter.exercise().kernels())
    for (const text::Function& callee : chapter.exercise().kernel_and_callees(kernel))
      if (!callee.is_kernel && callee.name == function) return kernel;
  return {};
}

void expect_kernel(const ChapterFolder& chapter, const std::string& kernel) {
  std::vector<std::string> names;
  for (const text::Contract& contract : chapter.contracts()) names.push_back(contract.kernel);
  const bool is_there = std::find(names.begin(), names.end(), kernel) != names.end();
  if (kernel.empty() || names.empty() || is_there) return;
  const std::string user = kernel_that_calls(chapter, kernel);
  throw Failure(
      chapter.name + " has no kernel '" + kernel + "'" +
          (user.empty() ? suggestion(kernel, names) : ": it is a function, which is judged with " + user),
      wrong_usage);
}

}  // namespace warpwise::cli
