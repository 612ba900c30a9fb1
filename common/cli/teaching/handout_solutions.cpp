// handout --solutions: adds the solutions of some chapters to a repository that was handed out.

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "../clone.hpp"
#include "../failure.hpp"
#include "handout.hpp"

namespace warpwise::cli {

namespace {

namespace fs = std::filesystem;

course::HandoutPlan plan_in(const fs::path& folder) {
  const fs::path file = folder / course::handout_plan_file;
  const auto plan = fs::exists(file) ? course::parse_handout_plan(read_text(file)) : std::nullopt;
  if (!plan)
    throw Failure(folder.string() + " is not a handout: it has no " + course::handout_plan_file + ".",
                  wrong_usage);
  const std::string changes = git(folder, {"status", "--porcelain", "--untracked-files=no"});
  if (!changes.empty())
    throw Failure(folder.string() + " has uncommitted changes; commit or drop them first.", wrong_usage);
  return *plan;
}

/// `plan` with the chapters that `words` name solved; all of them where there are no words.
course::HandoutPlan solved(course::HandoutPlan plan, const std::vector<std::string>& words) {
  std::vector<Chapter> chapters;
  for (const std::string& name : plan.chapters) chapters.emplace_back(name, "");
  std::set<std::string> names(plan.solved.begin(), plan.solved.end());
  for (const std::string& word : words) names.insert(chapter_named(word, chapters).name);
  if (words.empty()) names.insert(plan.chapters.begin(), plan.chapters.end());
  if (names.size() == plan.solved.size())
    throw Failure("the handout has these solutions already.", wrong_usage);
  plan.solved.assign(names.begin(), names.end());
  return plan;
}

/// Writes what `after` has and `before` has otherwise, or not at all, to `folder`; but no file that `folder`
/// has changed since. Those are returned.
std::vector<std::string> add_changes(const course::HandoutFiles& before, const course::HandoutFiles& after,
                                     const course::CourseFiles& course, const fs::path& folder) {
  std::vector<std::string> kept;
  for (const auto& [file, text] : after) {
    const auto old = before.find(file);
    const std::string old_text = old == before.end() ? "" : old->second;
    if (old != before.end() && old_text == text) continue;
    if (fs::exists(folder / file) && read_text(folder / file) != old_text)
      kept.push_back(file);
    else
      course::write_file(course, file, text, folder);
  }
  return kept;
}

/// A clone of the repository `folder` in the new folder `copy`, whose commits have the same author. It holds
/// what students get from `folder`, and no other object.
void clone(const fs::path& folder, const fs::path& copy) {
  git(folder, {"clone", "-q", "--no-local", "-c", "core.autocrlf=false", folder.string(), copy.string()});
  for (const char* key : {"user.name", "user.email"}) {
    const ProcessResult value = try_git(folder, {"config", key});
    if (value.status == 0) git(copy, {"config", key, value.output.substr(0, value.output.find('\n'))});
  }
}

/// Brings the last commit of `copy`, a clone of `folder`, there. Throws Failure if it would write over a
/// file that is not committed.
void take_commit(const fs::path& folder, const fs::path& copy) {
  std::istringstream added(
      git(copy, {"-c", "core.quotePath=false", "diff", "--name-only", "--diff-filter=A", "HEAD~1", "HEAD"}));
  for (std::string file; std::getline(added, file);)
    if (fs::exists(folder / file))
      throw Failure(
          file + " is in " + folder.string() + " and is not committed; commit it or move it away first.",
          wrong_usage);
  git(folder, {"fetch", "-q", copy.string(), "HEAD"});
  git(folder, {"merge", "-q", "--ff-only", "FETCH_HEAD"});
}

}  // namespace

int add_solutions(const HandoutOptions& options) {
  const fs::path folder = fs::absolute(options.folder);
  const course::HandoutPlan before = plan_in(folder);
  const course::HandoutPlan after = solved(before, options.chapters);
  const WorkFolder work;
  const course::CourseFiles course = course_of(before, work);
  const fs::path copy = work.path() / "repository";
  const Handout old = handout_of(course, before, course::Purpose::student);
  const Handout whole = handout_of(course, after, course::Purpose::student);
  clone(folder, copy);
  const std::vector<std::string> kept = add_changes(old.files, whole.files, course, copy);
  std::string names;
  for (const std::string& chapter : after.solved)
    if (std::find(before.solved.begin(), before.solved.end(), chapter) == before.solved.end())
      names += (names.empty() ? "" : ", ") + chapter;
  commit_all(copy, "The solutions of " + names);
  expect_no_leak(copy, whole.held_back);
  take_commit(folder, copy);
  std::cout << shown_path(folder) << ": one more commit, the solutions of " << names << ".\n";
  for (const std::string& file : kept) std::cout << file << " was changed there, and stays as it is.\n";
  return all_well;
}

}  // namespace warpwise::cli
