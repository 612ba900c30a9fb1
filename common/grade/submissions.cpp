#include "submissions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "../text/source.hpp"
#include "assignment.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_entries = 10'000;
constexpr int most_levels = 6;
constexpr std::size_t most_sources = 200;

/// Some systems write CH01.CU.
bool is_cu(const fs::path& path) { return path.extension() == ".cu" || path.extension() == ".CU"; }

bool is_plain_folder(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::directory;
}

bool is_plain_file(const fs::path& path) {
  std::error_code error;
  return fs::symlink_status(path, error).type() == fs::file_type::regular;
}

/// Of a whole clone that was handed in: what is the course's.
bool is_of_the_course(const fs::path& relative) {
  if (relative.filename() == "solution.cu") return true;
  return std::any_of(relative.begin(), relative.end(), [](const fs::path& part) {
    return part == "attempts" || part == "accepted" || part == "common" || part == "build" ||
           part == "lesson" || part == "tests";
  });
}

/// A .cu of the submission.
struct Found {
  fs::path path;
  std::string name;                        ///< relative to the submission
  const Assignment* by_name = nullptr;     ///< the chapter that its path names
  const Assignment* by_kernels = nullptr;  ///< whose kernels it defines
  FileText file;
};

/// The .cu files below `folder`, by name; nothing is followed, and no more is looked at than a submission
/// has.
std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> sources;
  std::size_t entries = 0;
  std::error_code error;
  for (auto at =
           fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::recursive_directory_iterator() && ++entries < most_entries; at.increment(error)) {
    const bool is_hidden = at->path().filename().string().starts_with('.');
    if (at.depth() >= most_levels || is_hidden) at.disable_recursion_pending();
    if (!is_hidden && is_cu(at->path()) && !is_plain_folder(at->path())) sources.push_back(at->path());
  }
  std::sort(sources.begin(), sources.end());
  if (sources.size() > most_sources) sources.resize(most_sources);
  return sources;
}

/// "ch03.cu" and "ch03_bank_conflicts-final.cu" name a chapter, and so does the folder of an exercise.cu.
const Assignment* assignment_named_by(const fs::path& path, const Course& course) {
  if (const Assignment* assignment = assignment_meant_by(path.stem().string(), course)) return assignment;
  const bool is_exercise = path.filename() == "exercise.cu";
  return is_exercise ? assignment_meant_by(path.parent_path().filename().string(), course) : nullptr;
}

/// The one chapter of which `source` defines most kernels; null if it defines none, or as many of another.
const Assignment* assignment_by_kernels(const std::string& source, const Course& course) {
  const std::vector<std::string> kernels = text::Source(source).kernels();
  const std::set<std::string> defined(kernels.begin(), kernels.end());
  const Assignment* best = nullptr;
  long most = 0;
  bool is_shared = false;
  for (const Assignment& assignment : course.assignments) {
    const auto count = std::count_if(defined.begin(), defined.end(),
                                     [&](const std::string& kernel) { return assignment.declares(kernel); });
    if (count > most)
      is_shared = false;
    else if (count == most)
      is_shared = true;
    if (count > most) best = &assignment;
    most = std::max<long>(most, count);
  }
  return most == 0 || is_shared ? nullptr : best;
}

std::vector<Found> look_at(const Submission& submission, const Course& course) {
  std::vector<Found> all;
  const bool is_folder = is_plain_folder(submission.path);
  const std::vector<fs::path> paths =
      is_folder ? sources_below(submission.path) : std::vector<fs::path>{submission.path};
  for (const fs::path& path : paths) {
    const fs::path relative = is_folder ? path.lexically_relative(submission.path) : path.filename();
    Found found{
        path, relative.string(), assignment_named_by(is_folder ? path : relative, course), nullptr, {}};
    if (found.by_name == nullptr && is_of_the_course(relative)) continue;
    if (found.by_name != nullptr && path.filename() != "exercise.cu" && is_of_the_course(relative)) continue;
    found.file = read_source(path);
    if (found.file.problem.empty()) found.by_kernels = assignment_by_kernels(found.file.text, course);
    all.push_back(std::move(found));
  }
  return all;
}

std::string names_of(const std::vector<const Found*>& files) {
  std::string names;
  for (const Found* found : files) names += (names.empty() ? "" : ", ") + visible_line(found->name);
  return names;
}

HandedIn handed_in(const std::string& chapter, const Found& found) {
  HandedIn result{chapter, visible_line(found.name), found.file.text, {}, false};
  if (!found.file.problem.empty()) result.problem = result.file + " " + found.file.problem + ".";
  return result;
}

/// One of `files` is the chapter's: there must not be two.
HandedIn only_one(const std::string& chapter, const std::vector<const Found*>& files) {
  if (files.size() == 1) return handed_in(chapter, *files.front());
  return {chapter,
          {},
          {},
          "there are " + std::to_string(files.size()) + " files for " + chapter + ": " + names_of(files) +
              "; keep one.",
          false};
}

template <class Fits>
std::vector<const Found*> those(const std::vector<Found>& all, Fits fits) {
  std::vector<const Found*> chosen;
  for (const Found& found : all)
    if (fits(found)) chosen.push_back(&found);
  return chosen;
}

/// The chapter's file, if there is one: by its path, else by its kernels.
std::optional<HandedIn> file_for(const Assignment& assignment, const std::vector<Found>& all) {
  for (const auto& files : {those(all, [&](const Found& one) { return one.by_name == &assignment; }),
                            those(all, [&](const Found& one) {
                              return one.by_name == nullptr && one.by_kernels == &assignment;
                            })})
    if (!files.empty()) return only_one(assignment.name(), files);
  return std::nullopt;
}

HandedIn wanted_file(const Assignment& assignment, const std::vector<Found>& all, bool is_only_chapter) {
  const std::string& chapter = assignment.name();
  if (auto found = file_for(assignment, all)) return std::move(*found);
  if (is_only_chapter && all.size() == 1) return handed_in(chapter, all.front());
  return {chapter, {}, {}, "there is no file for " + chapter + ".", true};
}

std::string nothing_recognised(const std::vector<Found>& all) {
  if (all.empty()) return "there is no .cu file in it.";
  for (const Found& found : all)
    if (!found.file.problem.empty()) return visible_line(found.name) + " " + found.file.problem + ".";
  return visible_line(all.front().name) +
         " does not say which chapter it belongs to: it defines no kernel of any; name the chapter with "
         "--chapter.";
}

}  // namespace

Submissions submissions_in(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) throw Refusal("there is no folder " + visible_line(folder.string()) + ".");
  if (!fs::is_directory(folder, error))
    throw Refusal(visible_line(folder.string()) + " is not a folder; --one grades a single submission.");
  Submissions result;
  std::set<std::string> names;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.')) continue;
    if (is_plain_folder(entry.path())) {
      names.insert(name);
      result.all.push_back({name, entry.path()});
    } else if (is_cu(entry.path()) || !is_plain_file(entry.path())) {
      files.push_back(entry.path());
    } else {
      result.left_out.push_back(name);
    }
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    // Beside a folder `ada`, ada.cu keeps its whole name.
    const std::string stem = file.stem().string(), whole = file.filename().string();
    const bool is_free = is_cu(file) && names.insert(stem).second;
    if (!is_free) names.insert(whole);
    result.all.push_back({is_free ? stem : whole, file});
  }
  if (result.all.empty())
    throw Refusal(visible_line(folder.string()) + " holds no submission: no folder, and no file NAME.cu.");
  std::sort(result.all.begin(), result.all.end(),
            [](const Submission& a, const Submission& b) { return a.name < b.name; });
  std::sort(result.left_out.begin(), result.left_out.end());
  return result;
}

Submission one_submission(const fs::path& path) {
  std::error_code error;
  fs::path clean = path.lexically_normal();
  if (!clean.has_filename())
    clean = clean.parent_path();  // a path ending in a slash is what a shell completes to
  if (!fs::exists(fs::symlink_status(clean, error)))
    throw Refusal("there is no submission " + visible_line(path.string()) + ".");
  return {is_cu(clean) ? clean.stem().string() : clean.filename().string(), clean};
}

std::vector<HandedIn> files_of(const Submission& submission, const Course& course,
                               const std::vector<std::string>& wanted) {
  const std::vector<Found> all = look_at(submission, course);
  std::vector<HandedIn> files;
  if (!wanted.empty()) {
    for (const std::string& name : wanted)
      files.push_back(wanted_file(*course.find(name), all, wanted.size() == 1));
    // Who has none of them has most likely packed them in a way that nobody expects: to be looked at.
    const bool is_empty =
        std::all_of(files.begin(), files.end(), [](const HandedIn& file) { return file.is_missing; });
    for (HandedIn& file : files) file.is_missing = file.is_missing && !is_empty;
    return files;
  }
  for (const Assignment& assignment : course.assignments)
    if (auto found = file_for(assignment, all)) files.push_back(std::move(*found));
  if (files.empty()) files.push_back({{}, {}, {}, nothing_recognised(all), false});
  return files;
}

}  // namespace warpwise::grade
