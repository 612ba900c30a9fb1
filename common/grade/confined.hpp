#pragma once
/// \file Runs a program within limits.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwise::grade {

struct Limits {
  unsigned seconds = 60;            ///< of a processor, for each process
  std::uint64_t memory_mib = 4096;  ///< of addresses, for each process
  std::uint64_t file_mib = 64;      ///< for each file that is written
  unsigned spare_seconds = 10;      ///< by the clock there are four times `seconds`, and these
};

struct ConfinedResult {
  int status = 0;           ///< exit status; of no use where it was stopped
  int signal = 0;           ///< that ended it; 0: none
  bool is_stopped = false;  ///< the limit by the clock was reached
  std::string output;       ///< the first 256 KiB of what it wrote to stdout and stderr; the rest is lost

  /// Why it was ended: "it used up its 60 s"; empty where it ended by itself.
  std::string why_ended(const Limits& limits) const;
};

/// A command that is ready to run. Its environment is nothing but what stands here.
struct Confined {
  std::vector<std::string> command;      ///< the first one is a path
  std::vector<std::string> environment;  ///< "NAME=value"
  std::filesystem::path folder;          ///< in which it runs
  bool keeps_stdout = true;              ///< else it goes to /dev/null
};

/// Runs it and waits until it ends, whatever becomes of its output. What it starts ends with it, and all of
/// it with this process. Input is empty. Throws std::runtime_error where it cannot be started, and
/// Interrupted (interruption.hpp) after a signal.
ConfinedResult run_confined(const Confined& confined, const Limits& limits);

}  // namespace warpwise::grade
