#pragma once
/// \file What is said while something builds. setup/build.sh says the same before there is a command line.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpwise::cli {

/// "building 37 of 120, about 50 s left"; without the estimate while too little is known, or little is left.
std::string progress_text(std::size_t done, std::size_t total, std::chrono::seconds elapsed,
                          std::string_view doing = "building");

/// Not where WARPWISE_PROGRESS is "no": a test that holds what stands on stderr has no use for how slow a
/// machine is.
bool is_progress_said();

/// Follows what Ninja prints. On a terminal one line of stderr that is written again and cleared at the end,
/// elsewhere a line after three seconds and then every ten; nothing in the first second.
class BuildProgress {
 public:
  /// `what` is said while nothing counts steps: "compiling prog.cu (12 s)".
  explicit BuildProgress(std::string what = "building");
  ~BuildProgress() { end(); }
  BuildProgress(const BuildProgress&) = delete;  ///< the line on the terminal has one owner

  /// `output`: a piece of what Ninja prints, in which lines start with "[37/120] "; may be empty.
  void read(std::string_view output);
  /// Clears the line, so that something else can be printed.
  void end();

 private:
  void show();

  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
  std::string what_;
  std::string line_;  ///< the start of the line that is being read
  std::size_t done_ = 0, total_ = 0;
  bool can_rewrite_;
  bool is_shown_ = false;
};

}  // namespace warpwise::cli
