// The commit that a handout is made from, its repository, and the last gate: what that holds, whoever put it
// there.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "../../course/variant.hpp"
#include "../../text/source.hpp"
#include "../clone.hpp"
#include "../commands.hpp"
#include "handout_repository.hpp"

namespace warpwise::cli {

namespace {

namespace fs = std::filesystem;

/// Ctrl-C also ends the program that is run: that is an interruption, and not its failure.
process::Result capture(const std::vector<std::string>& command) {
  process::Result result = process::run({.words = command, .keeps = process::Keeps::all});
  grade::stop_if_interrupted();
  return result;
}

std::string output_or_fail(const std::string& command, process::Result result) {
  if (result.status != 0)
    throw Failure("git " + command + ": " + result.output.substr(0, result.output.find('\n')));
  return std::move(result.output);
}

/// Of what git prints with `-z`.
std::set<std::string> names_in(const std::string& output) {
  std::set<std::string> files;
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t end = std::min(output.find('\0', at), output.size());
    files.insert(output.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

/// The chapters that `words` name, ascending, each once; all if there are none.
std::vector<std::string> chapter_names(const std::vector<std::string>& words) {
  const std::vector<ChapterFolder> chapters = chapters_of_this_clone();
  std::set<std::string> names;
  for (const std::string& word : words) names.insert(chapter_named(word, chapters).name);
  if (words.empty())
    for (const ChapterFolder& chapter : chapters) names.insert(chapter.name);
  return {names.begin(), names.end()};
}

void expect_skeletons(const course::CourseFiles& course, const std::vector<std::string>& chapters) {
  for (const std::string& chapter : chapters) {
    const std::string file = chapter + "/exercise.cu";
    if (!course.files.contains(file)) throw Failure("the commit has no " + file + ".");
    const text::Source source(read_text(course.folder / file));
    for (const std::string& kernel : source.kernels())
      if (!source.is_skeleton(kernel))
        throw Failure("the commit's " + file + " is not a skeleton: it has code for " + kernel +
                      "; ./warpwise reset " + report::short_name(chapter) +
                      " brings it back; then commit it.");
  }
}

/// The course changed to the variant of `plan`.
void apply_variant(const fs::path& course, const course::HandoutPlan& plan) {
  if (plan.variant.empty()) return;
  try {
    const auto all = course::apply_variants(course, plan.chapters, plan.variant);
    for (const auto& [chapter, variant] : all)
      std::cout << "Variant of " << chapter << ": " << variant << "\n";
    for (const std::string& chapter : plan.chapters)
      if (std::none_of(all.begin(), all.end(),
                       [&](const course::ChangedChapter& changed) { return changed.chapter == chapter; }))
        std::cout << chapter << " has no such variant, so its public solution is right there.\n";
  } catch (const std::invalid_argument& error) {
    throw Failure(error.what(), wrong_usage);
  }
}

}  // namespace

process::Result try_git(const fs::path& folder, const std::vector<std::string>& words) {
  std::vector<std::string> command = {"git", "-C", folder.string()};
  command.insert(command.end(), words.begin(), words.end());
  return capture(command);
}

std::string git(const fs::path& folder, const std::vector<std::string>& words) {
  return output_or_fail(words.front(), try_git(folder, words));
}

void commit_all(const fs::path& folder, const std::string& message) {
  std::vector<std::string> words;
  if (try_git(folder, {"config", "user.email"}).status != 0)
    words = {"-c", "user.name=Warpwise", "-c", "user.email=warpwise@localhost"};
  words.insert(words.end(), {"-c", "commit.gpgsign=false", "commit", "-q", "-m", message});
  // Blobs above the threshold go to one pack: some hundred files that need not be made, copied and removed.
  git(folder, {"-c", "core.bigFileThreshold=1", "add", "--all", "--force"});
  git(folder, words);
}

void make_repository(const fs::path& folder, const std::string& message) {
  git(folder, {"init", "-q", "-b", "main"});
  commit_all(folder, message);
}

WorkFolder::WorkFolder() {
  std::string name = (build_folder() / "handout-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Failure(build_folder().string() + " cannot be written: " + std::strerror(errno) + ".");
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

course::HandoutPlan plan_of(const HandoutOptions& options) {
  const process::Result head = try_git(root_folder(), {"rev-parse", "--verify", "HEAD"});
  if (head.status != 0)
    throw Failure("a handout is made from a commit, and git finds none in " + root_folder().string() + ": " +
                  head.output.substr(0, head.output.find('\n')));
  course::HandoutPlan plan;
  plan.commit = head.output.substr(0, head.output.find('\n'));
  plan.chapters = chapter_names(options.chapters);
  plan.has_attempts = options.has_attempts;
  plan.solutions_come = options.solutions_come;
  plan.variant = options.variant;
  return plan;
}

course::CourseFiles course_of(const course::HandoutPlan& plan, const WorkFolder& work) {
  const fs::path folder = work.path() / "course";
  const process::Result tree =
      try_git(root_folder(), {"rev-parse", "--verify", "--quiet", plan.commit + ":./"});
  if (tree.status != 0)
    throw Failure("this clone has no commit " + plan.commit +
                  ", which the handout was made from; git fetch may bring it.");
  fs::create_directories(folder);
  // An index of its own, and a work tree where nothing is yet: so the attributes are those of the commit.
  const auto git_there = [&](const std::vector<std::string>& words) {
    std::vector<std::string> command = {"env",
                                        "GIT_INDEX_FILE=" + (work.path() / "index").string(),
                                        "git",
                                        "-C",
                                        root_folder().string(),
                                        "--work-tree=" + folder.string(),
                                        "-c",
                                        "core.hooksPath=/dev/null"};
    command.insert(command.end(), words.begin(), words.end());
    return output_or_fail(words.front(), capture(command));
  };
  const auto named = [&](const std::string& pattern) {
    return names_in(git_there({"ls-files", "-z", "--", pattern}));
  };
  git_there({"read-tree", tree.output.substr(0, tree.output.find('\n'))});
  course::CourseFiles course{
      folder, {}, named(":(attr:-handout)"), named(":(attr:handout=later)"), named(":(attr:autograder)")};
  std::vector<std::string> checkout = {"checkout", "--quiet", "--", "."};
  if (plan.variant.empty()) checkout.emplace_back(":(exclude,attr:-autograder)");  // nobody gets these
  git_there(checkout);
  apply_variant(folder, plan);
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) course.files.insert(entry.path().lexically_relative(folder).string());
  expect_skeletons(course, plan.chapters);
  return course;
}

Handout handout_of(const course::CourseFiles& course, const course::HandoutPlan& plan,
                   course::Purpose purpose) {
  Handout handout{{}, course::lines_held_back(course, plan)};
  handout.files = course::files_handed_out(course, plan, purpose, handout.held_back);
  for (const auto& [file, text] : handout.files)
    if (const auto leak = handout.held_back.find_in(text))
      throw Failure(file + ":" + spelled(*leak) +
                    ": leave the file out in .gitattributes, or the line out of it.");
  grade::stop_if_interrupted();
  return handout;
}

void write_files(const course::HandoutFiles& files, const course::CourseFiles& course, const fs::path& out) {
  for (const auto& [file, text] : files) course::write_file(course, file, text, out);
  grade::stop_if_interrupted();
}

namespace {

/// One of those that `git cat-file --batch` prints: NAME KIND SIZE, a line's end, the content, a line's end.
struct GitObject {
  std::string name, kind;
  std::string_view content;
};

GitObject take_object(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::istringstream head{std::string(rest.substr(0, end))};
  GitObject object;
  std::size_t size = 0;
  if (!(head >> object.name >> object.kind >> size) || end + 1 + size > rest.size())
    throw Failure("git cat-file prints what was not expected.");
  object.content = rest.substr(end + 1, size);
  rest.remove_prefix(std::min(end + 1 + size + 1, rest.size()));
  return object;
}

/// Where students would read it: "ch01_naive/README.md of commit 1a2b3c4", "commit 1a2b3c4...".
std::string place_of(const fs::path& folder, const GitObject& object) {
  if (object.kind != "blob") return object.kind + " " + object.name;
  std::istringstream log(
      git(folder, {"-c", "core.quotePath=false", "log", "--all", "--max-count=1", "--format=%h",
                   "--name-only", "-m", "--diff-filter=d", "--find-object=" + object.name}));
  std::string commit, file;
  log >> commit >> std::ws;
  std::getline(log, file);
  return file.empty() ? "object " + object.name : file + " of commit " + commit;
}

}  // namespace

void expect_no_leak(const fs::path& folder, const course::SolutionLines& held_back) {
  const process::Result all =
      process::run({.words = {"git", "-C", folder.string(), "cat-file", "--batch-all-objects", "--batch"},
                    .keeps = process::Keeps::output});
  grade::stop_if_interrupted();
  if (all.status != 0) throw Failure("git cat-file fails in " + folder.string() + ".");
  std::string_view rest = all.output;
  while (!rest.empty()) {
    const GitObject object = take_object(rest);
    if (object.kind == "tree") continue;  // names of files
    if (const auto leak = held_back.find_in(object.content))
      throw Failure(place_of(folder, object) + ", which every clone would have: line " + spelled(*leak) +
                    "; make a new handout without it.");
  }
}

// --- The solutions, as a commit ---------------------------------------------------------------------------

namespace {

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
  std::vector<ChapterFolder> chapters;
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
    const process::Result value = try_git(folder, {"config", key});
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
