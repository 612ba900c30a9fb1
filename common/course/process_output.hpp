#pragma once
/// \file What a program prints.

#include <string>

namespace warpwise::course {

struct ProcessOutput {
  std::string text;  ///< of its standard output
  int status = 0;    ///< as the shell tells it; -1 where it could not be started
};

/// Runs `command` in a shell and waits for it.
ProcessOutput output_of(const std::string& command);

}  // namespace warpwise::course
