#include "launch_state.hpp"

namespace warpwise::simulator::run {

LaunchBudget::LaunchBudget(const LaunchOptions& options, std::uint64_t blocks)
    : options_(options), blocks_(blocks) {}

bool LaunchBudget::spend(std::uint64_t instructions) {
  if ((spent_ += instructions) > options_.budget) return false;
  if (options_.most_idle_seconds == 0 && !options_.on_progress) return true;
  const double seconds = host::seconds() - start_;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return true;  // another thread looks at this very moment
  if (is_idle(seconds)) return false;
  if (seconds >= next_report_) report(seconds);
  return true;
}

bool LaunchBudget::is_idle(double seconds) {
  if (known_ended_ != blocks_ended_) {
    known_ended_ = blocks_ended_;
    last_end_ = seconds;
  }
  return options_.most_idle_seconds != 0 && seconds - last_end_ > options_.most_idle_seconds;
}

void LaunchBudget::report(double seconds) {
  next_report_ = 2 * seconds;
  if (options_.on_progress) options_.on_progress({seconds, spent_, blocks_ended_, blocks_});
}

void LaunchBudget::note_block_end() { ++blocks_ended_; }

std::string LaunchBudget::why_ended() const {
  if (spent_ > options_.budget)
    return "it spent its budget of " + std::to_string(options_.budget) + " warp instructions";
  return "no block of it has ended for " + std::to_string(static_cast<int>(options_.most_idle_seconds)) +
         " s";
}

}  // namespace warpwise::simulator::run
