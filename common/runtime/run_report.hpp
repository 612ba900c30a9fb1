#pragma once
/// \file What the user learns of a run: findings on stderr, launches in the report file, the exit status.

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../report/json.hpp"
#include "../simulator/launch.hpp"
#include "../simulator/trace.hpp"

namespace warpwise::runtime {

struct Settings;

/// Exit statuses that the runtime itself gives a program.
inline constexpr int status_refused = 2;   ///< something that the simulated GPU does not do
inline constexpr int status_findings = 3;  ///< findings in an otherwise successful run

/// When a program says how far it is: after ten seconds, and whenever it has run twice as long. Its launches
/// may each be short.
class ProgramProgress {
 public:
  using Clock = std::chrono::steady_clock;
  explicit ProgramProgress(Clock::time_point start) : start_(start) {}

  /// A launch of `kernel` has ended. The sentence, without a full stop, where it is time for one.
  std::optional<std::string> launch_ended(const std::string& kernel, Clock::time_point now);
  /// Something else was said of how far it is.
  void was_told(Clock::time_point now);

 private:
  const Clock::time_point start_;
  Clock::duration pause_ = std::chrono::seconds(10);
  std::uint64_t ended_ = 0;
};

class RunReport {
 public:
  explicit RunReport(const Settings& settings);

  /// A finding of the launch in progress, without its count: printed once the launch has been told to take
  /// long. May be called by any host thread of the launch, as tell_at_once().
  void note_finding(const simulator::Finding& finding);
  /// The launch in progress takes long: what it finds is printed when it is first seen.
  void tell_at_once();
  /// The launch in progress says how far it is, if it has run for ten seconds.
  void note_progress(const std::string& kernel, const simulator::LaunchProgress& progress);
  /// Ends the launch: prints the findings that no earlier one had, of those that are printed already how
  /// often they were seen, and appends the launch to the report file at once, so that a program that crashes
  /// later leaves what was known. Says how far the program is, where many short launches have taken long.
  void add(const simulator::LaunchReport& launch);
  /// Null where no trace was asked for.
  simulator::TraceRecorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  /// Says in the trace how many launches came after those that it tells of.
  void end_trace() const;
  /// A line about a call that went wrong, unless the user wants quiet or has read it before.
  void note(const std::string& sentence);

  /// An error of the simulated GPU was handed to the program: what it does next is no fault of its own.
  void told_program_of_fault() { has_told_fault_ = true; }
  /// The program ended with `status`; the status to end with instead.
  int final_status(int status) const;
  /// "the same in 3 more launches", for each finding that came again.
  void print_repetitions() const;

 private:
  /// Headline, and what helps where one kind has several causes: an index too large in one launch, and memory
  /// that has been freed in the next, are two mistakes.
  using Mistake = std::pair<std::string, std::string>;
  static Mistake mistake_of(const simulator::Finding& finding);
  void print(const simulator::Finding& finding) const;
  void print_count(const simulator::Finding& finding) const;
  /// In a line, below what they follow from.
  void print_effects(const std::vector<simulator::Finding>& effects) const;
  void write_trace() const;

  bool is_quiet_, says_progress_;
  ProgramProgress progress_;
  std::optional<report::ReportFile> file_;
  const std::string trace_file_;
  std::optional<simulator::TraceRecorder> recorder_;
  std::size_t traced_launches_ = 0;               ///< that the file tells of
  std::map<Mistake, std::uint64_t> repetitions_;  ///< launches after the first that had it
  std::mutex mutex_;                              ///< guards what belongs to the launch in progress
  bool tells_at_once_ = false;
  std::set<Mistake> known_;
  std::vector<simulator::Finding> waiting_;  ///< to be printed if the launch takes long
  std::set<std::string> notes_;
  bool has_told_fault_ = false;
};

/// "sum has run for 20 s: 300 of its 4096 blocks have ended, about 4 minutes are left (--budget N ...)",
/// without a full stop. The estimate takes the blocks to be alike.
std::string progress_sentence(const std::string& kernel, const simulator::LaunchProgress& progress);

/// Prints "warpwise: sentence", flushes the program's output, and ends it with status 2.
[[noreturn]] void refuse(const std::string& sentence);

}  // namespace warpwise::runtime
