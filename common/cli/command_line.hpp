#pragma once
/// \file The words after ./warpwise.

namespace warpwise::cli {

/// Reads the line, calls the command that it names and returns its exit status. Throws Failure (wrong usage)
/// for a command or an option that is not known.
int run_command_line(int count, const char* const* words);

}  // namespace warpwise::cli
