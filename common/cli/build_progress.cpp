#include "build_progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace warpwise::cli {
namespace {

using namespace std::chrono_literals;

/// A terminal on which a line can be written again.
bool can_rewrite_stderr() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

std::string progress_text(std::size_t done, std::size_t total, std::chrono::seconds elapsed,
                          std::string_view doing) {
  if (total == 0) return std::string(doing);
  std::string text = std::string(doing) + " " + std::to_string(done) + " of " + std::to_string(total);
  // The last steps link, and compile what takes longest: nothing is promised for them.
  if (done < 5 || elapsed < 3s || total - done <= total / 10) return text;
  const auto left = (total - done) * static_cast<std::size_t>(elapsed.count()) / done;
  if (left >= 90) return text + ", about " + std::to_string((left + 30) / 60) + " min left";
  if (left >= 5) return text + ", about " + std::to_string((left + 4) / 5 * 5) + " s left";
  return text;
}

bool is_progress_said() {
  const char* said = std::getenv("WARPWISE_PROGRESS");
  return said == nullptr || std::string_view(said) != "no";
}

BuildProgress::BuildProgress(std::string what) : what_(std::move(what)), can_rewrite_(can_rewrite_stderr()) {}

void BuildProgress::end() {
  if (is_shown_ && can_rewrite_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

void BuildProgress::read(std::string_view output) {
  for (const char c : output) {
    if (c != '\n') {
      line_ += c;
      continue;
    }
    std::size_t done = 0, total = 0;
    if (std::sscanf(line_.c_str(), "[%zu/%zu]", &done, &total) == 2) {
      done_ = done;
      total_ = total;
    }
    line_.clear();
  }
  const auto now = Clock::now();
  // Where lines stay, the first comes before anybody wonders, and the others are few.
  const auto pause = can_rewrite_ ? 100ms : is_shown_ ? 10s : 3s;
  const bool is_due = now - shown_ >= pause;
  if (now - start_ >= 1s && is_due) show();
}

void BuildProgress::show() {
  if (!is_progress_said()) return;
  shown_ = Clock::now();
  is_shown_ = true;
  const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(shown_ - start_);
  const std::string text = total_ != 0 ? progress_text(done_, total_, elapsed)
                                       : what_ + " (" + std::to_string(elapsed.count()) + " s)";
  std::fprintf(stderr, can_rewrite_ ? "\r\033[K  %s" : "  %s\n", text.c_str());
  std::fflush(stderr);
}

}  // namespace warpwise::cli
