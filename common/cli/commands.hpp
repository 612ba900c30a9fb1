#pragma once
/// \file How a file has a command of ./warpwise, how a command ends when it cannot do what it was asked, and
/// what was probably meant. commands.def is the table of all commands; each is defined in a file of its own,
/// prints to stdout, returns an exit status and throws Failure for what it cannot do.

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 has it
class App;
class Option;
}  // namespace CLI

namespace warpwise::cli {

/// Exit statuses of ./warpwise; `exec` ends with its program's, or runtime::status_findings.
inline constexpr int all_well = 0;
inline constexpr int failed = 1;       ///< a check or the program failed
inline constexpr int wrong_usage = 2;  ///< what was asked for does not exist

/// One sentence for the user and the exit status; a program prints it as "warpwise: what()".
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& sentence, int status = failed)
      : std::runtime_error(sentence), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

using Words = std::vector<std::string>;

/// main's words are handed to `run`, without the program's name. Returns its exit status; a Failure is said
/// in one sentence, "warpwise: …". Marks are ASCII where the terminal has no others.
int run_program(int count, char** words, int (*run)(const Words&));

// --- A command --------------------------------------------------------------------------------------------

/// The line after ./warpwise, as it was typed.
struct TypedLine {
  Words words;
  Words handed_on;  ///< those after `--`, of a command that hands them on to Catch2

  /// "./warpwise show ch01 --svg lanes", without --output and its file: what draws a picture again.
  std::string command() const;
};

/// What a command takes, told to CLI11, which main.cpp alone includes: it takes seconds to compile. What is
/// said after an option is said of it. A T is one of those that main.cpp names.
class Arguments {
 public:
  explicit Arguments(CLI::App& command) : command_(command) {}

  template <class T>
  Arguments& option(const char* names, T& value, const char* purpose = "");
  Arguments& flag(const char* names, bool& value, const char* purpose);

  Arguments& required();
  Arguments& shows_default();
  template <class T>
  Arguments& one_of(const std::vector<T>& values);
  template <class T>
  Arguments& from_to(T least, T most);
  Arguments& existing_file();
  Arguments& parted_by(char delimiter);
  Arguments& without(const char* other);  ///< an option before it
  Arguments& in_group(const char* name);

  /// Whatever CLI11 does not know.
  void rest(Words& words);
  void footer(const char* text);

  /// Once the line has been read.
  void take_rest() const;

 private:
  CLI::App& command_;
  CLI::Option* option_ = nullptr;  ///< the last one
  Words* rest_ = nullptr;
};

/// Says what the command takes. Gives what is called once the line has been read.
using Definition = std::function<std::function<int()>(Arguments& arguments, const TypedLine& line)>;

/// In the file of a command, once: programs that this file is linked into have it.
class RegisterCommand {
 public:
  RegisterCommand(const char* name, Definition definition);

  /// Empty if this program does not have the command.
  static Definition find(const std::string& name);
};

/// The definition of a command whose words are read into a struct. One with a member `line` is given that.
template <class Options>
Definition with_options(void (*add)(Arguments&, Options&), int (*run)(const Options&)) {
  return [=](Arguments& arguments, const TypedLine& line) {
    const auto options = std::make_shared<Options>();
    if constexpr (requires { options->line; }) options->line = line;
    add(arguments, *options);
    return [=] { return run(*options); };
  };
}

/// --device, --n and --report, of the commands that run a chapter's kernels.
void add_device_options(Arguments& arguments, std::string& device, unsigned long long& n,
                        std::string& report);

// --- "Did you mean ...?" ----------------------------------------------------------------------------------

/// How many letters must be added, removed or replaced, or neighbours exchanged, to turn one word into the
/// other (Damerau and Levenshtein; no letter is moved twice).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that begins with `word`, else the one nearest to it; empty if none is near enough to be
/// meant (more than half differs).
std::string nearest(std::string_view word, const Words& candidates);

/// "list, run, tour"
std::string joined(const Words& words);

/// "; did you mean tour?" or, where nothing is near, "; there are: list, run, tour". For the end of a
/// sentence.
std::string suggestion(std::string_view word, const Words& candidates);

/// "; there are: list, run, tour.", of many only the first; "." of none. Likewise.
std::string list_of(const Words& candidates);

}  // namespace warpwise::cli
