#pragma once
/// \file Runs other programs.

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

struct ProcessResult {
  int status = 0;      ///< exit status, or 128 + signal
  int signal = 0;      ///< that ended it; 0: none
  std::string output;  ///< what it wrote, where it was captured
};

/// `word` as a shell takes it for one word.
std::string quoted_for_shell(const std::string& word);

/// Runs `command` (found on PATH) in `folder` and waits. Its output goes where ours goes.
/// Throws Failure where the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder = {});

/// Likewise, for a program that has something to do when it is ended: SIGINT, SIGTERM and SIGHUP are handed
/// on to it, and waited for. It is ended with this process, whatever ends that.
ProcessResult run_process_to_its_end(const std::vector<std::string>& command);

/// Hears each piece of a process's output as it comes, and an empty one where nothing came for a while (0.2
/// s).
using OutputListener = std::function<void(std::string_view)>;

/// Likewise, and returns its standard output; its errors join it where `with_errors`.
ProcessResult capture_process(const std::vector<std::string>& command,
                              const std::filesystem::path& folder = {}, bool with_errors = true,
                              const OutputListener& listener = {});

}  // namespace warpwise::cli
