// Attempts that a handout has without the solution: compiled here, and shown as little as their findings
// need.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "../../compile/compile.hpp"
#include "../../text/rejection.hpp"
#include "../clone.hpp"
#include "handout_repository.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Adds the names behind `--attempt` in the commands of a page.
void add_names(std::string_view page, std::set<std::string>& names) {
  constexpr std::string_view option = "--attempt ";
  for (std::size_t at = page.find(option); at != page.npos; at = page.find(option, at)) {
    at += option.size();
    const auto end = std::find_if_not(page.begin() + static_cast<long>(at), page.end(), text::is_of_name);
    names.emplace(page.begin() + static_cast<long>(at), end);
  }
}

/// The module of an attempt, whose whole file is `whole`. It is kept in the build tree: the next handout has
/// it without compiling.
std::string module_of(const ChapterFolder& chapter, const std::string& attempt, const std::string& whole) {
  const fs::path folder = build_folder() / "handed_out" / chapter.name;
  const fs::path source = folder / (attempt + ".cu"), module = folder / (attempt + ".ptx");
  fs::create_directories(folder);
  if (text_or_nothing(source) != whole) text::write_text(source, whole);
  const compile::Made made = compile::make_module(
      {.source = source, .include_folders = {root_folder(), root_folder() / chapter.name}}, module,
      text::installation());
  if (!made.is_made) throw Failure(attempt + " does not compile:\n" + made.messages);
  const std::string root = course::root_in_module;
  const std::string there = root + "/" + chapter.name + "/attempts/" + attempt + ".cu";
  return text::with_each_replaced(text::with_each_replaced(read_text(module), source.string(), there),
                                  root_folder().string(), root);
}

}  // namespace

void add_modules(const course::CourseFiles& course, const course::HandoutPlan& plan,
                 const std::vector<std::string>& names, Handout& made) {
  if (!plan.has_attempts) return;
  std::set<std::string> missing(names.begin(), names.end()), asked = missing;
  for (const std::string& file : course.files)  // also of pages that are the instructor's
    if (file.ends_with(".md")) add_names(read_text(course.folder / file), asked);
  for (const std::string& name : plan.chapters) {
    const ChapterFolder chapter(name, course.folder / name);
    if (std::find(plan.solved.begin(), plan.solved.end(), name) != plan.solved.end()) continue;
    for (const text::Implementation& attempt : chapter.attempts()) {
      missing.erase(attempt.name);
      if (!asked.contains(attempt.name)) continue;
      const std::string whole = text::whole_file(attempt, chapter.solution());
      const auto finding = text::parse_rejection(whole).finding;
      const fs::path file = fs::path(name) / "attempts" / attempt.name;
      made.files[file.string() + ".ptx"] = module_of(chapter, attempt.name, whole);
      made.files[file.string() + ".cu"] =
          course::listing_of(whole, finding ? finding->line : 0, made.held_back);
    }
  }
  if (!missing.empty())
    throw Failure("there is no attempt '" + *missing.begin() + "' in " + joined(plan.chapters), wrong_usage);
}

}  // namespace warpwise::cli
