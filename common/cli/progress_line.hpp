#pragma once
/// \file How far something is that takes long. (The progress of a build is shown by setup/build.sh.)

#include <chrono>
#include <cstddef>
#include <string>

namespace warpwise::cli {

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
