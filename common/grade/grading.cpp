// A whole class: which submissions are graded, and in which order.
#include "grading.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "../text/files.hpp"
#include "assignment.hpp"
#include "interruption.hpp"
#include "results.hpp"
#include "similarity.hpp"
#include "untrusted.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t most_result_bytes = 64 << 20;

/// In the name of a file that is being written.
constexpr std::string_view part_mark = ".part-";

fs::path result_path(const fs::path& out, const std::string& name) {
  return out / "results" / (file_name_for(name) + ".json");
}

std::optional<SubmissionResult> read_result(const fs::path& path) {
  const FileText file = read_plain_file(path, most_result_bytes);
  return file.problem.empty() ? result_from(file.text) : std::nullopt;
}

/// Of what was handed in and what it is graded with.
std::string key_of(const std::vector<HandedIn>& files, const std::string& identity) {
  std::uint64_t hash = text::hash_of(identity);
  for (const HandedIn& file : files)
    for (const std::string* part : {&file.chapter, &file.file, &file.source, &file.problem})
      hash = text::hash_of(*part, text::hash_of(std::to_string(part->size()) + ":", hash));
  return text::hexadecimal(hash);
}

std::vector<HandedIn> files_or_why_not(const Submission& submission, const ClassOptions& options,
                                       const Grading& grading) {
  try {
    return files_of(submission, grading.course, options.chapters);
  } catch (const std::exception& error) {
    return {{{}, {}, {}, visible_line(error.what())}};
  }
}

/// Judges it, or takes the result that there is. Throws where the grader failed, or perhaps the submission
/// (`on_doubt`): then nothing is written.
SubmissionResult graded(const Submission& submission, const ClassOptions& options, const Grading& grading,
                        const std::string& identity, OnDoubt on_doubt) {
  const std::vector<HandedIn> files = files_or_why_not(submission, options, grading);
  const std::string key = key_of(files, identity);
  const fs::path path = result_path(options.out, submission.name);
  if (auto known = read_result(path); known && known->name == submission.name && known->key == key)
    return std::move(*known);
  SubmissionResult result{submission.name, key, {}};
  for (const HandedIn& file : files) result.chapters.push_back(grade(file, grading, on_doubt));
  // As it will be read: the same bytes, whether it was graded now or before.
  const std::string text = json_of(result);
  write_whole(path, text);
  return result_from(text).value();
}

/// What stands in the tables for a submission with which the grader failed.
SubmissionResult not_graded(const Submission& submission, const ClassOptions& options, const Grading& grading,
                            const std::string& why) {
  SubmissionResult result{submission.name, {}, {}};
  for (const HandedIn& file : files_or_why_not(submission, options, grading)) {
    ChapterResult& chapter = result.chapters.emplace_back();
    chapter.chapter = file.chapter;
    chapter.file = file.file;
    chapter.problem = "the grader failed, not the submission: " + visible_line(why);
    chapter.feedback = "could not be graded: the grader failed, not your file\n";
    if (const Assignment* const known = grading.course.find(file.chapter))
      for (const std::string& kernel : known->kernels)
        chapter.kernels.push_back(earned(kernel, file.chapter, {}, grading.points));
  }
  return result;
}

/// The result, or why there is none: what goes wrong with one submission must not stop the others.
struct Try {
  std::optional<SubmissionResult> result;
  std::string failure;
};

Try try_to_grade(const Submission& submission, const ClassOptions& options, const Grading& grading,
                 const std::string& identity, OnDoubt on_doubt) {
  try {
    return {graded(submission, options, grading, identity, on_doubt), {}};
  } catch (const std::exception& error) {
    return {{}, error.what()};
  }
}

/// Tries again, one after the other, those that have no result: what a full disk or a short memory did may be
/// over. There is one pause, before the first of them.
void try_again(std::vector<Try>& tries, OnDoubt on_doubt, std::chrono::milliseconds pause,
               const std::function<Try(std::size_t, OnDoubt)>& grade_one) {
  bool has_waited = false;
  for (std::size_t i = 0; i < tries.size(); ++i) {
    if (tries[i].result) continue;
    if (!std::exchange(has_waited, true)) std::this_thread::sleep_for(pause);
    stop_if_interrupted();
    tries[i] = grade_one(i, on_doubt);
  }
}

bool has_something_else(const fs::path& out) {
  for (const auto& entry : fs::directory_iterator(out))
    if (!entry.path().filename().string().starts_with("grading.json")) return true;
  return false;
}

void expect_same_identity(const fs::path& out, const std::string& identity) {
  const fs::path path = out / "grading.json";
  if (fs::exists(path)) {
    const FileText file = read_plain_file(path, 1 << 20);
    if (file.text != identity)
      throw Refusal(
          visible_line(out.string()) +
          " holds results that were graded differently (other points, checks, limits or chapters): name "
          "another folder with --out, or remove it.");
    return;
  }
  if (fs::exists(out) && !fs::is_directory(out))
    throw Refusal(visible_line(out.string()) + " is not a folder.");
  if (fs::exists(out) && has_something_else(out))
    throw Refusal(visible_line(out.string()) +
                  " is there, and holds no results: name another folder with --out.");
  fs::create_directories(out);
  write_whole(path, identity);  // first: another part of the class may begin at the same time
  fs::create_directories(out / "results");
}

/// One JSON string a line: names may hold new lines.
std::string lines_of(const std::vector<Submission>& submissions) {
  std::string text;
  for (const Submission& submission : submissions) text += Json(file_name_for(submission.name)).dump() + "\n";
  return text;
}

std::vector<Submission> shard_of(const ClassOptions& options) {
  std::vector<Submission> mine;
  for (std::size_t i = options.shard.part - 1; i < options.submissions.size(); i += options.shard.of)
    mine.push_back(options.submissions[i]);
  return mine;
}

void sort_by_name(std::vector<SubmissionResult>& results) {
  std::sort(results.begin(), results.end(),
            [](const SubmissionResult& a, const SubmissionResult& b) { return a.name < b.name; });
}

}  // namespace

void write_whole(const fs::path& path, const std::string& text) {
  static std::atomic<unsigned> count{0};
  // Beside it, so that it can be renamed; under a name that nobody else takes, on this machine or another
  // one.
  fs::path beside = path;
  beside += std::string(part_mark) + std::to_string(std::random_device()()) + "-" + std::to_string(count++);
  std::ofstream out(beside, std::ios::binary | std::ios::trunc);
  const bool is_written = static_cast<bool>(out << text << std::flush);
  out.close();
  std::error_code error;
  if (is_written) fs::rename(beside, path, error);
  if (is_written && !error) return;
  std::error_code ignored;
  fs::remove(beside, ignored);
  throw std::runtime_error("cannot write " + path.string() +
                           (error ? ": " + error.message() : std::string()) + ".");
}

Shard shard_from(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto part = std::from_chars(text.data(), end, shard.part);
  const bool has_slash = part.ec == std::errc{} && part.ptr != end && *part.ptr == '/';
  const auto of = has_slash ? std::from_chars(part.ptr + 1, end, shard.of) : part;
  if (!has_slash || of.ec != std::errc{} || of.ptr != end || shard.part < 1 || shard.part > shard.of)
    throw Refusal("--shard is PART/OF, such as 3/16, not '" + visible_line(text) + "'.");
  return shard;
}

std::string identity_of(const Grading& grading, const std::vector<std::string>& chapters) {
  Json json = {{"version", 1},
               {"points", Json::parse(text_of(grading.points))},
               {"chapters", chapters},
               {"seconds", grading.limits.seconds},
               {"memory_mib", grading.limits.memory_mib},
               {"kernel_budget", grading.kernel_budget},
               {"checks", Json::object()}};
  for (const Assignment& assignment : grading.course.assignments)
    json["checks"][assignment.name()] = assignment.version();
  return json.dump(1) + "\n";
}

std::vector<SubmissionResult> grade_class(const ClassOptions& options, const Grading& grading) {
  const std::string identity = identity_of(grading, options.chapters);
  expect_same_identity(options.out, identity);
  const std::vector<Submission> mine = shard_of(options);
  fs::create_directories(options.out / "results");
  fs::create_directories(options.out / "shards");
  write_whole(options.out / "shards" /
                  (std::to_string(options.shard.part) + "-of-" + std::to_string(options.shard.of)),
              lines_of(mine));

  std::vector<Try> tries(mine.size());
  std::size_t done = 0;
  std::mutex mutex;
  const auto grade_one = [&](std::size_t i, OnDoubt on_doubt) {
    Try once = try_to_grade(mine[i], options, grading, identity, on_doubt);
    const std::lock_guard lock(mutex);
    if (once.result && options.on_progress) options.on_progress(++done, mine.size());
    return once;
  };
  process::for_all(mine.size(), options.jobs, [&](std::size_t i) {
    stop_if_interrupted();
    tries[i] = grade_one(i, OnDoubt::try_again);
  });
  try_again(tries, OnDoubt::try_again, grading.pause_before_retry, grade_one);
  try_again(tries, OnDoubt::blame_submission, grading.pause_before_retry, grade_one);
  std::vector<SubmissionResult> results;
  for (std::size_t i = 0; i < mine.size(); ++i)
    results.push_back(tries[i].result ? std::move(*tries[i].result)
                                      : not_graded(mine[i], options, grading, tries[i].failure));
  sort_by_name(results);
  return results;
}

namespace {

/// The parts that the folders hold, each with the files that it had to grade.
struct Parts {
  unsigned of = 0;
  std::map<unsigned, std::set<std::string>> files;
};

void read_parts(const fs::path& folder, Parts& parts) {
  if (!fs::exists(folder / "grading.json"))
    throw Refusal(visible_line(folder.string()) + " holds no results of ./warpwise grade.");
  if (!fs::exists(folder / "shards")) return;
  for (const auto& entry : fs::directory_iterator(folder / "shards")) {
    std::string name = entry.path().filename().string();
    const std::size_t middle = name.find("-of-");
    const bool is_whole = name.find(part_mark) == name.npos;  // else a run was killed that wrote it
    if (middle == name.npos || !is_whole) continue;
    const Shard shard = shard_from(name.replace(middle, 4, "/"));
    if (parts.of != 0 && parts.of != shard.of)
      throw Refusal("the folders hold parts of " + std::to_string(parts.of) + " and of " +
                    std::to_string(shard.of) + ": merge those of one run.");
    parts.of = shard.of;
    std::istringstream lines(read_plain_file(entry.path(), most_result_bytes).text);
    std::set<std::string>& files = parts.files[shard.part];
    for (std::string line; std::getline(lines, line);) files.insert(Json::parse(line).get<std::string>());
  }
}

void expect_all_parts(const Parts& parts) {
  std::string missing;
  for (unsigned part = 1; part <= parts.of; ++part)
    if (parts.files.count(part) == 0) missing += (missing.empty() ? "" : ", ") + std::to_string(part);
  if (parts.of == 0) throw Refusal("none of the folders says which part it holds.");
  if (!missing.empty())
    throw Refusal("of " + std::to_string(parts.of) + " parts these are missing: " + missing +
                  "; grade them with --shard, and name all folders.");
}

}  // namespace

std::vector<SubmissionResult> merge(const std::vector<fs::path>& folders, const fs::path& out) {
  Parts parts;
  for (const fs::path& folder : folders) read_parts(folder, parts);
  expect_all_parts(parts);
  const std::string identity = read_plain_file(folders.front() / "grading.json", 1 << 20).text;
  std::map<std::string, SubmissionResult> results;
  for (const fs::path& folder : folders) {
    if (read_plain_file(folder / "grading.json", 1 << 20).text != identity)
      throw Refusal(visible_line(folder.string()) + " was graded differently from " +
                    visible_line(folders.front().string()) + " (other points, checks, limits or chapters).");
    if (!fs::exists(folder / "results")) continue;  // a part of nobody, come as its files alone
    for (const auto& entry : fs::directory_iterator(folder / "results"))
      if (auto result = read_result(entry.path())) results[entry.path().stem().string()] = std::move(*result);
  }
  for (const auto& [part, files] : parts.files)
    for (const std::string& file : files)
      if (results.count(file) == 0)
        throw Refusal("part " + std::to_string(part) + " of " + std::to_string(parts.of) +
                      " is not complete: " + file +
                      " has no result; grade that part again, it goes on where it was.");
  expect_same_identity(out, identity);
  std::vector<SubmissionResult> all;
  std::set<std::string> wanted;
  for (const auto& [part, files] : parts.files) wanted.insert(files.begin(), files.end());
  for (auto& [file, result] : results) {
    if (wanted.count(file) == 0) continue;  // of somebody whose submission is gone
    write_whole(out / "results" / (file + ".json"), json_of(result));
    all.push_back(std::move(result));
  }
  sort_by_name(all);
  return all;
}

void write_outputs(const std::vector<SubmissionResult>& results, const fs::path& out) {
  fs::create_directories(out / "feedback");
  fs::create_directories(out / "gradescope");
  for (const SubmissionResult& result : results) {
    write_whole(out / "feedback" / (file_name_for(result.name) + ".txt"), feedback_of(result));
    write_whole(out / "gradescope" / (file_name_for(result.name) + ".json"), gradescope_of(result));
  }
  write_whole(out / "scores.csv", csv_of(results));
  write_whole(out / "junit.xml", junit_of(results));
  write_whole(out / "copies.txt", copies_page(results));
}

}  // namespace warpwise::grade
