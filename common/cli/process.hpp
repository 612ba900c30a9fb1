#pragma once
/// \file Runs other programs, and shows the progress of what takes long. (The progress of a build
/// is shown by setup/build.sh.)

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

// --- Other programs ----------------------------------------------------------------------------------------

struct ProcessResult {
  int status = 0;      ///< exit status, or 128 + signal
  int signal = 0;      ///< that ended it; 0: none
  std::string output;  ///< what it wrote, if it was captured
};

/// "was ended by signal 11 (Segmentation fault)" or "ended with status 3".
std::string how_it_ended(const ProcessResult& result);

/// `word` as a shell takes it for one word.
std::string quoted_for_shell(const std::string& word);

/// Runs `command` (found on PATH) in `folder` and waits. Its output goes where ours goes.
/// Throws Failure if the program cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder = {});

/// Likewise, for a program that has something to do when it is ended: SIGINT, SIGTERM and SIGHUP are handed
/// on to it, and waited for. It is ended with this process, whatever ends that.
ProcessResult run_process_to_its_end(const std::vector<std::string>& command);

/// Hears each piece of a process's output as it comes, and an empty one if nothing came for a while (0.2
/// s).
using OutputListener = std::function<void(std::string_view)>;

/// Likewise, and returns its standard output; its errors join it where `with_errors`.
ProcessResult capture_process(const std::vector<std::string>& command,
                              const std::filesystem::path& folder = {}, bool with_errors = true,
                              const OutputListener& listener = {});

// --- How far something is ----------------------------------------------------------------------------------

/// One line of stderr: on a terminal it is written again and again, and cleared in the end.
class ProgressLine {
 public:
  /// Where stderr is not a terminal.
  enum class Elsewhere {
    nothing,
    now_and_then  ///< a line after three seconds, and then every ten; none if WARPWISE_PROGRESS is "no":
                  ///< a test that holds what stands on stderr has no use for how slow a machine is
  };
  explicit ProgressLine(Elsewhere elsewhere = Elsewhere::nothing);
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;  ///< the line on the terminal has one owner
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// May be called often.
  void show(const std::string& text);
  /// Clears the line, so that something else can be printed.
  void end();

  /// Since this line was made.
  std::chrono::seconds elapsed() const;

 private:
  using Clock = std::chrono::steady_clock;
  Elsewhere elsewhere_;
  bool can_rewrite_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
  bool is_shown_ = false;
};

/// "grading 37 of 120, about 50 s left"; without the estimate while too little is known, or little is left.
std::string progress_text(const std::string& doing, std::size_t done, std::size_t total,
                          std::chrono::seconds elapsed);

}  // namespace warpwise::cli
