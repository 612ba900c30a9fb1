// The program behind ./warpwise: reads the command line, calls the command, turns failures into one sentence.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "exec.hpp"
#include "failure.hpp"
#include "suggestion.hpp"

#include "../harness/ascii_marks.hpp"

namespace warpwise::cli {
namespace {

using Words = std::vector<std::string>;

std::string quoted_for_shell(const std::string& word) {
  if (word.find_first_of(" \"'$&|;<>()[]*?!#~`\\{}%") == word.npos && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The line as it was typed, without --output and its file.
std::string as_typed(const Words& words) {
  std::string line = "./warpwise";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--output")
      ++i;
    else if (!words[i].starts_with("--output="))
      line += ' ' + quoted_for_shell(words[i]);
  }
  return line;
}

/// Takes what stands behind -- off the words of `run` and `watch`: that is not ours to read.
Words take_for_checks(Words& words) {
  if (words.empty() || (words[0] != "run" && words[0] != "watch")) return {};
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (dashes == words.end()) return {};
  Words taken(dashes + 1, words.end());
  words.erase(dashes, words.end());
  return taken;
}

/// Every command, and which one was given.
class CommandLine {
 public:
  explicit CommandLine(Words words);
  int run();

 private:
  /// Returns the options that the command will be called with: its line is read into them.
  template <class Options>
  Options& add(const char* name, const char* purpose, int (*command)(const Options&)) {
    const auto options = std::make_shared<Options>();
    CLI::App& reader = *app_.add_subcommand(name, purpose);
    add_arguments(reader, *options);
    reader.callback([this, command, options] { chosen_ = [=] { return command(*options); }; });
    return *options;
  }
  void add_list();
  void add_exec();
  void expect_known_command() const;
  std::string meant_option() const;

  CLI::App app_{"Warpwise: learn parallel reduction in CUDA C++, with or without a GPU.", "./warpwise"};
  Words words_;                  ///< those that are read here
  std::function<int()> chosen_;  ///< the command, called once the whole line has been read
};

CommandLine::CommandLine(Words words) : words_(std::move(words)) {
  const std::string typed = as_typed(words_);
  const Words for_checks = take_for_checks(words_);
  app_.require_subcommand(1);
  add("tour", "run every chapter's solution; one table", tour);
  add_list();
  add("run", "build a chapter's exercise, run it, judge it", cli::run).more = for_checks;
  add("watch", "run a chapter again whenever a file is saved, then go on to the next", watch).run.more =
      for_checks;
  add("show", "draw what a kernel did, lane by lane: a page for the browser", show).command = typed;
  add("predict", "guess a lesson's numbers, then have them measured", predict);
  add("puzzle", "find what is wrong in a kernel", puzzle);
  add_exec();
  add("hint", "the next hint for a kernel", hint);
  add("solution", "print the reference solution", solution);
  add("reset", "put the skeleton back; your version is kept beside it", reset);
  add("grade", "judge what a class has handed in", grade);
  add("test", "run every test of the project", test);
  add("bench", "on a GPU: your kernels beside CUB's; or the simulator's speed", bench);
  add("new-chapter", "make a chapter that builds, to be filled in", new_chapter);
  add("handout", "make a repository for students, without solutions", handout);
  add("profile", "on a GPU: the hardware's counters beside the simulator's", profile);
}

void CommandLine::add_list() {
  app_.add_subcommand("list", "the chapters, and how far you are")->callback([this] { chosen_ = list; });
}

/// Its words are nvcc's and the program's too: it reads them itself.
void CommandLine::add_exec() {
  CLI::App* exec_words =
      app_.add_subcommand("exec", "compile a CUDA program and run it on the simulated GPU")->prefix_command();
  exec_words->footer(
      "FILE... [options] [nvcc's options] [-- the program's arguments]\n"
      "FILEs are .cu and .cpp sources and objects, or one program that was linked with the simulated GPU.\n"
      "  --report FILE      counters and findings of each launch, as JSON (docs/report.schema.json)\n"
      "  --show             draws its launches: a page for the browser\n"
      "  --trace FILE       what each lane did, step by step, as JSON (docs/trace.schema.json)\n"
      "  --schedule ORDER   converged (default), lockstep or split:SEED\n"
      "  --threads N        host threads (default: one a processor; 1 is deterministic)\n"
      "  --budget N         warp instructions that a launch may spend (default: ten minutes for a block)\n"
      "  --strict           a shuffle from a lane that takes no part gives poison, not 0 as hardware does\n"
      "  --quiet            do not print findings\n"
      "Exit status: the program's; 3 for findings in an otherwise successful run; 2 for what cannot be run.");
  exec_words->callback([this, exec_words] {
    chosen_ = [exec_words] { return exec(read_exec_request(exec_words->remaining())); };
  });
}

/// Unknown commands are kept apart from wrong options, so that the nearest command can be named.
void CommandLine::expect_known_command() const {
  if (words_.empty() || words_[0].starts_with('-')) return;
  Words names;
  for (const CLI::App* command : app_.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  names.emplace_back("doctor");  // the script's own
  if (std::find(names.begin(), names.end(), words_[0]) == names.end())
    throw Failure("there is no command '" + words_[0] + "'" + suggestion(words_[0], names), wrong_usage);
}

/// "; did you mean --lines?", where one of the words is nearly an option of the command; else empty.
std::string CommandLine::meant_option() const {
  const auto commands = app_.get_subcommands();
  if (commands.empty()) return {};
  Words names;
  for (const CLI::Option* option : commands.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : words_) {
    const std::string option = word.substr(0, word.find('='));
    const bool is_known = std::find(names.begin(), names.end(), option) != names.end();
    if (!option.starts_with("--") || is_known) continue;
    if (const std::string near = nearest(option, names); !near.empty()) return "; did you mean " + near + "?";
  }
  return {};
}

int CommandLine::run() {
  expect_known_command();
  try {
    app_.parse(Words(words_.rbegin(), words_.rend()));  // CLI11 takes a vector from its end
  } catch (const CLI::Success& asked_for_help) {
    return app_.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    throw Failure(std::string(error.what()) + meant_option() + " (see ./warpwise " +
                      (words_.empty() ? "" : words_[0]) + " --help)",
                  wrong_usage);
  }
  return chosen_();
}

}  // namespace
}  // namespace warpwise::cli

int main(int count, char** words) {
  const warpwise::harness::AsciiMarks marks(std::cout);
  try {
    const warpwise::cli::Words own(words + std::min(count, 1), words + count);
    return warpwise::cli::CommandLine(own).run();
  } catch (const warpwise::cli::Failure& failure) {
    std::cerr << "warpwise: " << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "warpwise: " << error.what() << "\n";
    return warpwise::cli::failed;
  }
}
