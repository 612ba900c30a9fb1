#pragma once
/// \file The commands that a page names, and the output that it shows for them; and a page that is walked
/// through: its reader runs programs, learns what is wrong with them, and fixes them as a difference on the
/// page says:
///
///     <!-- mends: mine/2_twice.cu -->
///     ```diff
///     -  values[i] = 2 * values[i];
///     +  if (i < n) values[i] = 2 * values[i];
///     ```
///
/// From there on the commands of the page run the mended program.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "../process/process.hpp"
#include "../text/difference.hpp"

namespace warpwise::course {

// --- The commands of a page --------------------------------------------------------------------------------

/// A command as a page names it.
struct NamedCommand {
  std::size_t line;     ///< in the page
  std::string command;  ///< "./warpwise run ch03 --solution" or "build/ch03_bank_conflicts/banks"
  std::string output;   ///< what the page shows below `$ COMMAND`; empty if it shows nothing
};

/// All commands of a page: code spans and lines of code that begin with `./warpwise`, lines `$ ./warpwise
/// ...` and
/// `$ build/...`. Left out are those with a placeholder, a word in capitals as in `--attempt NAME`, and the
/// block under a line `<!-- needs a GPU -->`. Throws std::runtime_error for a line `$ ...` of any other
/// program: no test would run it.
std::vector<NamedCommand> commands_in(std::string_view page);

/// Is each line of `shown` one of `printed`, in that order? A line "..." stands for any lines left out, also
/// at the beginning and end; all others must follow each other.
bool shows(std::string_view shown, std::string_view printed);

/// The text with '#' for each number and one space for several: what is left where another compiler counts
/// otherwise.
std::string without_numbers(const std::string& text);

/// Must the figures be those that a page shows? They are of one compiler.
enum class Figures { as_shown, any };

/// Of a page's commands: those for which nothing but kernels is compiled, in seconds, or those that have a
/// host's compiler make a program: `exec`, and what lies in `build/`.
enum class Which { quick, compiled };

/// What a test runs in place of `command`: itself, if it only reads, else its --help.
std::string harmless(const std::string& command);

/// What is wrong with the output of a command, for whoever reads the test; empty if it is as shown. It is
/// wrong where the command is refused: exit status 2 or more, except 3, findings of `exec`.
std::string fault_of(const NamedCommand& command, const process::Result& output, Figures figures);

/// Runs each command of that kind once: those that only read (run, show, exec, list, solution) as they stand,
/// of any other its --help, since `hint` counts and `watch` waits. Throws std::runtime_error with all that
/// are refused (exit status 2 or more, except 3, findings of `exec`) and all outputs that are not the ones
/// shown. Returns how many there are.
std::size_t check_commands(std::string_view page,
                           const std::function<process::Result(const std::string& command)>& run,
                           Figures figures = Figures::as_shown, Which which = Which::quick);

// --- A walk ------------------------------------------------------------------------------------------------

struct Mending {
  std::string file;  ///< "mine/2_twice.cu"
  text::Difference difference;
};

/// `path`: of the page, for messages. Throws std::runtime_error for a difference without its comment, and for
/// a comment without its difference.
std::vector<Mending> mendings_in(std::string_view page, const std::string& path);

/// Goes through the page from top to bottom: runs the commands as check_commands() does, and between them
/// mends the files below `folder`. Throws std::runtime_error with all outputs that are not the ones shown,
/// for a difference that does not fit, and for a page without differences. Returns the number of its steps.
std::size_t check_walk(std::string_view page, const std::string& path, const std::filesystem::path& folder,
                       const std::function<process::Result(const std::string& command)>& run,
                       Figures figures);

}  // namespace warpwise::course
