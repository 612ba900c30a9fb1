#include "run_report.hpp"

#include <unistd.h>
#include <cmath>

#include <cstdio>
#include <exception>
#include <iostream>

#include "../print/terminal.hpp"
#include "../report/trace_file.hpp"
#include "context.hpp"

namespace warpwise::runtime {

namespace {

/// Kind and place: what a finding is called where it comes again.
std::string headline(const simulator::Finding& finding) {
  if (finding.line == 0) return std::string(name_of(finding.kind)) + ": " + finding.message;
  return finding.file + ":" + std::to_string(finding.line) + ": " + std::string(name_of(finding.kind));
}

}  // namespace

RunReport::Mistake RunReport::mistake_of(const simulator::Finding& finding) {
  const bool has_causes = finding.kind == simulator::FindingKind::out_of_bounds;
  return {headline(finding), has_causes ? finding.help : std::string()};
}

RunReport::RunReport(const Settings& settings)
    : is_quiet_(settings.is_quiet),
      says_progress_(settings.says_progress),
      progress_(ProgramProgress::Clock::now()),
      trace_file_(settings.trace_file) {
  if (!trace_file_.empty()) recorder_.emplace();
  if (settings.report_file.empty()) return;
  try {
    file_.emplace(settings.report_file);
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

void RunReport::note_finding(const simulator::Finding& finding) {
  const std::lock_guard lock(mutex_);
  const Mistake mistake = mistake_of(finding);
  if (repetitions_.contains(mistake) || !known_.insert(mistake).second) return;
  if (tells_at_once_)
    print(finding);
  else
    waiting_.push_back(finding);
}

void RunReport::tell_at_once() {
  const std::lock_guard lock(mutex_);
  tells_at_once_ = true;
  for (const simulator::Finding& finding : waiting_) print(finding);
  waiting_.clear();
}

void RunReport::note_progress(const std::string& kernel, const simulator::LaunchProgress& progress) {
  constexpr double slow_seconds = 10;  // of the host
  if (!says_progress_ || progress.seconds < slow_seconds) return;
  note(progress_sentence(kernel, progress) + ".");
  progress_.was_told(ProgramProgress::Clock::now());
}

void RunReport::print(const simulator::Finding& finding) const {
  if (is_quiet_) return;
  std::fflush(stdout);  // the finding belongs after what the program said before
  std::fputs(print::finding_on_screen(finding, 0, print::lines_for(STDERR_FILENO)).c_str(), stderr);
}

void RunReport::print_count(const simulator::Finding& finding) const {
  if (is_quiet_) return;
  const std::string times =
      finding.count == 1 ? "once, in" : std::to_string(finding.count) + " times, first in";
  std::fprintf(stderr, "%s: seen %s block %llu\n", headline(finding).c_str(), times.c_str(),
               static_cast<unsigned long long>(finding.block));
}

void RunReport::print_effects(const std::vector<simulator::Finding>& effects) const {
  if (is_quiet_ || effects.empty()) return;
  std::fprintf(stderr, "      and %zu finding%s that follow%s: %s\n", effects.size(),
               effects.size() == 1 ? "" : "s", effects.size() == 1 ? "s" : "",
               print::kinds_and_lines(effects).c_str());
}

void RunReport::add(const simulator::LaunchReport& launch) {
  std::vector<simulator::Finding> effects;
  for (const simulator::Finding& finding : launch.findings) {
    const Mistake mistake = mistake_of(finding);
    const auto [at, is_new] = repetitions_.try_emplace(mistake, 0);
    if (!is_new)
      ++at->second;
    else if (tells_at_once_ && known_.contains(mistake))
      print_count(finding);
    else if (finding.follows)
      effects.push_back(finding);
    else
      print(finding);
  }
  print_effects(effects);
  for (const simulator::Finding& each : launch.notes)
    note(each.file + ":" + std::to_string(each.line) + ": " + each.message +
         (each.note.empty() ? "" : "; " + each.note) + "." +
         (each.help.empty() ? "" : " Help: " + each.help + "."));
  known_.clear();
  waiting_.clear();
  tells_at_once_ = false;
  const auto how_far = progress_.launch_ended(launch.kernel, ProgramProgress::Clock::now());
  if (how_far && says_progress_) note(*how_far + ".");
  if (file_) file_->add({.report = launch});
  if (recorder_ && recorder_->launches().size() != traced_launches_) {
    traced_launches_ = recorder_->launches().size();
    recorder_->rename_last(launch.kernel);
    write_trace();
  }
}

/// The whole file anew for each launch that it tells of, which are few.
void RunReport::write_trace() const {
  try {
    report::write_file(trace_file_, report::traces_of(*recorder_));
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

void RunReport::end_trace() const {
  if (recorder_ && recorder_->launches_left_out() != 0) write_trace();
}

void RunReport::note(const std::string& sentence) {
  if (is_quiet_ || !notes_.insert(sentence).second) return;
  const std::string line = "warpwise: " + sentence;
  const bool is_broken = print::lines_for(STDERR_FILENO) == print::Lines::broken;
  std::fprintf(stderr, "%s\n", is_broken ? print::wrapped_text(line, 0, 4).c_str() : line.c_str());
}

int RunReport::final_status(int status) const {
  if (repetitions_.empty()) return status;
  return status == 0 || has_told_fault_ ? status_findings : status;
}

void RunReport::print_repetitions() const {
  if (is_quiet_) return;
  for (const auto& [what, count] : repetitions_)
    if (count != 0)
      std::fprintf(stderr, "%s: the same in %llu more launch%s\n", what.first.c_str(),
                   static_cast<unsigned long long>(count), count == 1 ? "" : "es");
}

void refuse(const std::string& sentence) {
  const std::ios_base::Init
      streams;  // kernels register themselves before main, perhaps before std::cout is there
  std::cout.flush();
  std::fflush(nullptr);
  std::fprintf(stderr, "warpwise: %s\n", sentence.c_str());
  _exit(status_refused);  // not exit: destructors of the program might call the runtime again
}

namespace {

/// To the second below two minutes, to the minute below two hours.
std::string duration(double seconds) {
  if (seconds < 120) return std::to_string(static_cast<long>(std::ceil(seconds))) + " s";
  if (seconds < 7200) return std::to_string(static_cast<long>(std::round(seconds / 60))) + " minutes";
  return std::to_string(static_cast<long>(std::round(seconds / 3600))) + " hours";
}

}  // namespace

std::optional<std::string> ProgramProgress::launch_ended(const std::string& kernel, Clock::time_point now) {
  ++ended_;
  if (now - start_ < pause_) return std::nullopt;
  was_told(now);
  const std::string ended =
      ended_ == 1 ? "a launch has ended" : std::to_string(ended_) + " launches have ended";
  return "the program has run for " + duration(std::chrono::duration<double>(now - start_).count()) + ": " +
         ended + ", the last one of " + kernel;
}

void ProgramProgress::was_told(Clock::time_point now) { pause_ = 2 * (now - start_); }

std::string progress_sentence(const std::string& kernel, const simulator::LaunchProgress& progress) {
  const std::string blocks = std::to_string(progress.blocks);
  std::string text = kernel + " has run for " + duration(progress.seconds) + ": ";
  if (progress.blocks_ended == 0) {
    text += progress.blocks == 1 ? "its block has not ended yet"
                                 : "none of its " + blocks + " blocks has ended yet";
  } else {
    const double ended = static_cast<double>(progress.blocks_ended);
    const double left = progress.seconds * (static_cast<double>(progress.blocks) - ended) / ended;
    text += std::to_string(progress.blocks_ended) + " of its " + blocks + " blocks have ended, about " +
            duration(left) + " are left";
  }
  return text + " (" + std::to_string(progress.warp_instructions) +
         " warp instructions; --budget N ends a launch after N)";
}

}  // namespace warpwise::runtime
