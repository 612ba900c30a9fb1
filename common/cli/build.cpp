#include "build.hpp"

#include <algorithm>
#include <charconv>
#include <exception>
#include <fstream>
#include <functional>
#include <utility>

#include "../compile/compile.hpp"
#include "../course/handout_plan.hpp"
#include "../process/process.hpp"
#include "../report/json.hpp"
#include "../text/files.hpp"
#include "../text/installation.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

/// Calls `visit` for each message: the line that names file and line, and what follows up to a blank line.
void for_each_message(std::string_view messages, const std::function<void(std::string_view)>& visit) {
  while (!messages.empty()) {
    const std::size_t blank = messages.find("\n\n");
    const std::size_t end = blank == messages.npos ? messages.size() : blank + 2;
    visit(messages.substr(0, end));
    messages.remove_prefix(end);
  }
}

/// The number in "exercise.cu(23): warning ..."; 0 if there is none.
std::size_t line_of(std::string_view message) {
  const std::size_t open = message.find('(');
  std::size_t line = 0;
  if (open != message.npos) std::from_chars(message.data() + open + 1, message.data() + message.size(), line);
  return line;
}

/// The clone's paths as one would type them there.
std::string without_root(const std::string& messages) {
  return text::with_each_replaced(messages, root_folder().string() + "/", "");
}

/// The whole file of an attempt or another correct solution. Left alone where it is there already: somebody
/// may be reading it.
void write_implementation(const ChapterFolder& chapter, const Subject& subject) {
  const std::string whole = text::whole_file(*subject.implementation, chapter.solution());
  if (text_or_nothing(subject.source) == whole) return;
  fs::create_directories(subject.source.parent_path());
  text::write_text(subject.source, whole);
}

/// A module that was handed out, with this clone's place in the paths of its sources.
void place_module(const Subject& subject) {
  fs::create_directories(subject.module.parent_path());
  const std::string text =
      text::with_each_replaced(read_text(subject.handed_out), course::root_in_module, root_folder().string());
  if (text_or_nothing(subject.module) != text) text::write_text(subject.module, text);
}

/// As CMake's (cmake/AddChapter.cmake), so that neither makes again what the other has made.
std::vector<fs::path> include_folders(const ChapterFolder& chapter, const Subject& subject) {
  if (!subject.implementation) return {course_folder()};
  return {course_folder(), chapter.course};  // it lies elsewhere than the headers beside the solution
}

/// ../../setup/build.sh leaves a file there for each target that was built since a source of the project
/// changed.
fs::path stamps_folder() { return build_folder() / "stamps"; }
bool is_up_to_date(const std::string& target) { return fs::exists(stamps_folder() / target); }

bool is_in_unfinished(std::size_t line, const text::Source& source) {
  return std::any_of(
      source.functions().begin(), source.functions().end(), [&](const text::Function& function) {
        const auto lines =
            static_cast<std::size_t>(std::count(function.code.begin(), function.code.end(), '\n'));
        return function.line <= line && line <= function.line + lines && function.has_todo;
      });
}

}  // namespace

BuildResult build_targets(const Words& targets) {
  if (text::installation().is_built) return {true, {}};
  if (std::all_of(targets.begin(), targets.end(), is_up_to_date)) return {true, {}};
  Words command = {root_folder() / "setup" / "build.sh", build_folder()};
  command.insert(command.end(), targets.begin(), targets.end());
  process::Result result = process::run({.words = command, .keeps = process::Keeps::output});
  return {result.status == 0, std::move(result.output)};
}

void forget_builds() { fs::remove_all(stamps_folder()); }

void build_or_fail(const Words& targets) {
  if (const BuildResult built = build_targets(targets); !built.is_built)
    throw Failure("the build failed:\n" + built.messages);
}

void build_or_fail(const ChapterFolder& chapter, const Subject& subject) {
  expect_source(chapter, subject);
  const BuildResult built = build_module(chapter, subject);
  if (!built.is_built)
    throw Failure(built.messages + "\n" + shown_path(subject.source) + " does not compile; " +
                  text::error_to_mend(built.messages));
}

std::string warnings_about(std::string_view messages, std::string_view file) {
  std::string warnings;
  for_each_message(messages, [&](std::string_view message) {
    const bool is_about_file = message.starts_with(file) && message.substr(file.size()).starts_with('(');
    if (is_about_file && message.substr(0, message.find('\n')).find("): warning") != message.npos)
      warnings += message;
  });
  return warnings;
}

std::string without_unfinished(std::string_view messages, const text::Source& source) {
  std::string rest;
  for_each_message(messages, [&](std::string_view message) {
    const bool is_unused = message.find("#177-D") != message.npos || message.find("#550-D") != message.npos;
    if (!is_unused || !is_in_unfinished(line_of(message), source)) rest += message;
  });
  return rest;
}

BuildResult build_module(const ChapterFolder& chapter, const Subject& subject) {
  build_or_fail({chapter.name});  // its checks, which are not what the student wrote
  if (!subject.handed_out.empty()) {
    place_module(subject);
    return {true, {}};
  }
  if (subject.implementation) write_implementation(chapter, subject);
  const compile::Made made = compile::make_module({.source = subject.source,
                                                   .include_folders = include_folders(chapter, subject),
                                                   .kernel = subject.kernel},
                                                  subject.module, text::installation());
  std::string messages = without_root(made.messages);
  if (!made.is_made) return {false, std::move(messages)};
  messages = warnings_about(messages, subject.source.lexically_relative(root_folder()).string());
  const bool is_exercise = subject.source == chapter.exercise_file();
  if (!messages.empty())
    messages =
        without_unfinished(messages, is_exercise ? chapter.exercise() : text::read_source(subject.source));
  return {true, std::move(messages)};
}

report::Report declared_by(const ChapterFolder& chapter) {
  const process::Result listed =
      process::run({.words = {chapter.executable().string(), "--list"}, .keeps = process::Keeps::output});
  try {
    report::Report report = report::report_from(listed.output);
    if (listed.status == 0 && !report.chapters.empty()) return report;
  } catch (const std::exception&) {  // it is no report
  }
  throw Failure(chapter.executable().string() + " does not list its kernels: build it again.");
}

report::Report report_of(Words command, const std::string& otherwise) {
  const text::TemporaryFolder folder;  // its own: another run may be at it
  const fs::path file = folder.path() / "report.json";
  command.insert(command.end(), {"--report", file.string()});
  const process::Result result = process::run({.words = command, .keeps = process::Keeps::all});
  if (!fs::exists(file))
    throw Failure(otherwise + ": " +
                  (result.signal != 0 || result.output.empty()
                       ? "it " + result.how_it_ended() + "."
                       : result.output.substr(0, result.output.find('\n'))));
  return report::read_file(file);
}

KnownReport report_while_unchanged(const Words& command, const std::string& otherwise,
                                   const std::function<bool(const report::Report&)>& is_good) {
  const fs::path file = command.at(1) + ".judged";
  std::uint64_t hash = text::hash_of(text::read_text(command[0]) + text::read_text(command[1]));
  for (const std::string& word : command) hash = text::hash_of(word + '\n', hash);
  const auto signed_with_key = [&](const std::string& json) {
    return text::hexadecimal(text::hash_of(json, hash)) + '\n' + json;
  };
  const std::string kept = text::text_or_nothing(file);
  if (const auto start = kept.find('\n') + 1; start != 0 && kept == signed_with_key(kept.substr(start)))
    return {report::report_from(std::string_view(kept).substr(start)), true};
  report::Report report = report_of(command, otherwise);
  try {
    if (is_good(report)) text::replace_text(file, signed_with_key(report::json_of(report)));
  } catch (const std::exception&) {  // in a folder of somebody else's nothing is kept
  }
  return {std::move(report), false};
}

Words launch_command(const ChapterFolder& chapter, const Subject& subject, const LaunchChoice& choice) {
  Words command = {chapter.executable().string(),
                   subject.module.string(),
                   "--device",
                   "sim",
                   "--no-checks",
                   "--threads",
                   "1"};
  if (!choice.kernel.empty()) command.insert(command.end(), {"--kernel", choice.kernel});
  if (choice.n != 0) command.insert(command.end(), {"--n", std::to_string(choice.n)});
  if (choice.block != 0) command.insert(command.end(), {"--block", std::to_string(choice.block)});
  return command;
}

}  // namespace warpwise::cli
