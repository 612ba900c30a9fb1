#pragma once
/// \file How a file has a command of ./warpwise. commands.def is the table of all of them; each is defined in
/// a file of its own, and prints to stdout, returns an exit status and throws Failure for what it cannot do
/// (failure.hpp).

#include <functional>
#include <memory>
#include <string>

#include "failure.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 has it
class App;
}

namespace warpwise::cli {

/// The line after ./warpwise, as it was typed.
struct TypedLine {
  Words words;
  Words handed_on;  ///< those after `--`, of a command that hands them on to Catch2

  /// "./warpwise show ch01 --svg lanes", without --output and its file: what draws a picture again.
  std::string command() const;
};

/// Tells CLI11 what the command takes. Gives what is called once the line has been read.
using Definition = std::function<std::function<int()>(CLI::App& command, const TypedLine& line)>;

/// In the file of a command, once: programs that this file is linked into have it.
class RegisterCommand {
 public:
  RegisterCommand(const char* name, Definition definition);

  /// Empty if this program does not have the command.
  static Definition find(const std::string& name);
};

/// The definition of a command whose words are read into a struct. One with a member `line` is given that.
template <class Options>
Definition with_options(void (*add)(CLI::App&, Options&), int (*run)(const Options&)) {
  return [=](CLI::App& command, const TypedLine& line) {
    const auto options = std::make_shared<Options>();
    if constexpr (requires { options->line; }) options->line = line;
    add(command, *options);
    return [=] { return run(*options); };
  };
}

/// --device, --n and --report, of the commands that run a chapter's kernels.
void add_device_options(CLI::App& command, std::string& device, unsigned long long& n, std::string& report);

}  // namespace warpwise::cli
