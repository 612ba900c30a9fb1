#include "pace.hpp"

namespace warpwise::simulator::run {

Pace::Pace(const LaunchOptions& options, std::uint64_t blocks) : options_(options), blocks_(blocks) {}

double Pace::seconds_since_start() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool Pace::spend(std::uint64_t instructions) {
  if ((spent_ += instructions) > options_.budget) return false;
  if (options_.most_idle_seconds == 0 && !options_.on_progress) return true;
  const double seconds = seconds_since_start();
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return true;  // another thread looks at this very moment
  if (is_idle(seconds)) return false;
  if (seconds >= next_report_) report(seconds);
  return true;
}

bool Pace::is_idle(double seconds) {
  if (known_ended_ != blocks_ended_) {
    known_ended_ = blocks_ended_;
    last_end_ = seconds;
  }
  return options_.most_idle_seconds != 0 && seconds - last_end_ > options_.most_idle_seconds;
}

void Pace::report(double seconds) {
  next_report_ = 2 * seconds;
  if (options_.on_progress) options_.on_progress({seconds, spent_, blocks_ended_, blocks_});
}

void Pace::note_block_end() { ++blocks_ended_; }

std::string Pace::why_ended() const {
  if (spent_ > options_.budget)
    return "it spent its budget of " + std::to_string(options_.budget) + " warp instructions";
  return "no block of it has ended for " + std::to_string(static_cast<int>(options_.most_idle_seconds)) +
         " s";
}

}  // namespace warpwise::simulator::run
