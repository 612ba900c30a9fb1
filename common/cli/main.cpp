// main of the programs behind ./warpwise: warpwise_cli, with the commands that judge and tell; warpwise_more,
// with those that draw, ask and measure; warpwise_class, with the instructor's. Each has the commands whose
// files are linked into it.

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>

#include "../print/terminal.hpp"
#include "../process/process.hpp"
#include "clone.hpp"
#include "commands.hpp"

namespace warpwise::cli {

namespace {

/// A row of commands.def.
struct Row {
  std::string name, program, purpose;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
#define COMMAND(name, shown, program, builds, purpose) {name, #program, purpose},
#include "commands.def"
#undef COMMAND
  };
  return all;
}

std::map<std::string, Definition>& definitions() {
  static std::map<std::string, Definition> all;  // by name
  return all;
}

}  // namespace

RegisterCommand::RegisterCommand(const char* name, Definition definition) {
  definitions().emplace(name, std::move(definition));
}

Definition RegisterCommand::find(const std::string& name) {
  const auto found = definitions().find(name);
  return found == definitions().end() ? Definition() : found->second;
}

std::string TypedLine::command() const {
  std::string line = "./warpwise";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--output")
      ++i;
    else if (!words[i].starts_with("--output="))
      line += ' ' + process::quoted_for_shell(words[i]);
  }
  return line;
}

// --- What commands take ------------------------------------------------------------------------------------

template <class T>
Arguments& Arguments::option(const char* names, T& value, const char* purpose) {
  option_ = command_.add_option(names, value, purpose);
  return *this;
}
template Arguments& Arguments::option(const char*, std::string&, const char*);
template Arguments& Arguments::option(const char*, Words&, const char*);
template Arguments& Arguments::option(const char*, int&, const char*);
template Arguments& Arguments::option(const char*, unsigned&, const char*);
template Arguments& Arguments::option(const char*, unsigned long&, const char*);
template Arguments& Arguments::option(const char*, unsigned long long&, const char*);
template Arguments& Arguments::option(const char*, std::optional<unsigned>&, const char*);
template Arguments& Arguments::option(const char*, std::optional<unsigned long>&, const char*);
template Arguments& Arguments::option(const char*, std::optional<unsigned long long>&, const char*);
template Arguments& Arguments::option(const char*, std::vector<unsigned>&, const char*);

Arguments& Arguments::flag(const char* names, bool& value, const char* purpose) {
  option_ = command_.add_flag(names, value, purpose);
  return *this;
}

Arguments& Arguments::required() { return option_->required(), *this; }
Arguments& Arguments::shows_default() { return option_->capture_default_str(), *this; }

template <class T>
Arguments& Arguments::one_of(const std::vector<T>& values) {
  return option_->check(CLI::IsMember(values)), *this;
}
template Arguments& Arguments::one_of(const Words&);
template Arguments& Arguments::one_of(const std::vector<int>&);

template <class T>
Arguments& Arguments::from_to(T least, T most) {
  return option_->check(CLI::Range(least, most)), *this;
}
template Arguments& Arguments::from_to(int, int);
template Arguments& Arguments::from_to(unsigned long long, unsigned long long);

Arguments& Arguments::existing_file() { return option_->check(CLI::ExistingFile), *this; }
Arguments& Arguments::parted_by(char delimiter) { return option_->delimiter(delimiter), *this; }
Arguments& Arguments::without(const char* other) {
  return option_->excludes(command_.get_option(other)), *this;
}
Arguments& Arguments::in_group(const char* name) { return option_->group(name), *this; }

void Arguments::rest(Words& words) {
  command_.prefix_command();
  rest_ = &words;
}
void Arguments::footer(const char* text) { command_.footer(text); }
void Arguments::take_rest() const {
  if (rest_ != nullptr) *rest_ = command_.remaining();
}

// --- The line ----------------------------------------------------------------------------------------------

namespace {

/// The help of commands in lines of 80 columns.
class NarrowFormatter : public CLI::Formatter {
 public:
  NarrowFormatter() { narrow(*this); }
  std::string make_option_desc(const CLI::Option* option) const override {
    return print::wrapped_text(CLI::Formatter::make_option_desc(option), 0, 0, 80 - get_column_width());
  }

 private:
  /// From 2.5 on CLI11 breaks lines by itself, at 95 columns.
  template <class Formatter>
  static void narrow(Formatter& formatter) {
    if constexpr (requires { formatter.right_column_width(50); })
      formatter.right_column_width(80 - formatter.get_column_width());
  }
};

/// The row that the first word names. Throws Failure, with the nearest command, where it names none; null
/// if it is not a word.
const Row* expect_known_command(const Words& words) {
  if (words.empty() || words[0].starts_with('-')) return nullptr;
  Words names;
  for (const Row& row : rows()) {
    if (row.name == words[0]) return &row;
    names.push_back(row.name);
  }
  throw Failure("there is no command '" + words[0] + "'" + suggestion(words[0], names), wrong_usage);
}

/// Becomes the program that has the command. Throws Failure if there is none.
int hand_over(const Row& row, const Words& words) {
  namespace fs = std::filesystem;
  if (row.program == "warpwise_class" && !fs::exists(course_folder() / "common" / "cli" / "teaching"))
    throw Failure(
        "this is a handout: `" + row.name + "` works in a clone of the course, from which this was made.",
        wrong_usage);
  const std::string program = row.program == "setup" ? root_folder() / "warpwise"  // which asks no program
                                                     : programs_folder() / "common" / "cli" / row.program;
  std::vector<char*> arguments = {const_cast<char*>(program.c_str())};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw Failure(program + " could not be started: `./warpwise " + row.name + " --help` builds it.");
}

/// For `run` and `watch` the words after `--` are split off: they go to Catch2.
TypedLine typed_line(Words words) {
  TypedLine line;
  const bool hands_on = !words.empty() && (words[0] == "run" || words[0] == "watch");
  const auto dashes = hands_on ? std::find(words.begin(), words.end(), "--") : words.end();
  if (dashes != words.end()) line.handed_on.assign(dashes + 1, words.end());
  words.erase(dashes, words.end());
  line.words = std::move(words);
  return line;
}

/// "; did you mean --lines?", where one of the words is nearly an option of the command; else empty.
std::string meant_option(const CLI::App& app, const Words& words) {
  const auto commands = app.get_subcommands();
  if (commands.empty()) return {};
  Words names;
  for (const CLI::Option* option : commands.front()->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    const bool is_known = std::find(names.begin(), names.end(), option) != names.end();
    if (!option.starts_with("--") || is_known) continue;
    if (const std::string near = nearest(option, names); !near.empty()) return "; did you mean " + near + "?";
  }
  return {};
}

int read_and_run(const Words& words) {
  const Row* const named = expect_known_command(words);
  if (named != nullptr && !RegisterCommand::find(named->name)) return hand_over(*named, words);
  const TypedLine line = typed_line(words);
  CLI::App app("Warpwise: learn parallel reduction in CUDA C++, with or without a GPU.", "./warpwise");
  app.require_subcommand(1);
  app.formatter(std::make_shared<NarrowFormatter>());
  std::function<int()> chosen;
  std::optional<Arguments> arguments;
  for (const Row& row : rows()) {
    CLI::App* const command = app.add_subcommand(row.name, row.purpose);
    if (&row != named) continue;  // of the others the help says what they do
    chosen = RegisterCommand::find(row.name)(arguments.emplace(*command), line);
  }
  try {
    app.parse(Words(line.words.rbegin(), line.words.rend()));  // CLI11 takes a vector from its end
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    const std::string command = named == nullptr ? "" : named->name + " ";
    throw Failure(error.what() + meant_option(app, line.words) + " (see ./warpwise " + command + "--help)",
                  wrong_usage);
  }
  if (arguments) arguments->take_rest();
  return chosen();
}

}  // namespace
}  // namespace warpwise::cli

int main(int count, char** words) {
  return warpwise::cli::run_program(count, words, warpwise::cli::read_and_run);
}
