#include "progress_line.hpp"

#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpwise::cli {

namespace {

using namespace std::chrono_literals;

/// A terminal on which a line can be written again.
bool can_rewrite_stderr() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

bool is_progress_said() {
  const char* said = std::getenv("WARPWISE_PROGRESS");
  return said == nullptr || std::string_view(said) != "no";
}

}  // namespace

ProgressLine::ProgressLine(Elsewhere elsewhere) : elsewhere_(elsewhere), can_rewrite_(can_rewrite_stderr()) {}

std::chrono::seconds ProgressLine::elapsed() const {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start_);
}

void ProgressLine::show(const std::string& text) {
  const bool is_said = can_rewrite_ || elsewhere_ == Elsewhere::now_and_then;
  const auto pause = can_rewrite_ ? 100ms : is_shown_ ? 10s : 3s;
  const Clock::time_point now = Clock::now();
  if (!is_said || !is_progress_said() || now - shown_ < pause) return;
  shown_ = now;
  is_shown_ = true;
  std::fprintf(stderr, can_rewrite_ ? "\r\033[K  %s" : "  %s\n", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::end() {
  if (is_shown_ && can_rewrite_) std::fputs("\r\033[K", stderr);
  is_shown_ = false;
}

std::string progress_text(const std::string& doing, std::size_t done, std::size_t total,
                          std::chrono::seconds elapsed) {
  const std::string text = doing + " " + std::to_string(done) + " of " + std::to_string(total);
  // What is done last may take longest: nothing is promised for it.
  if (done < 5 || elapsed < 3s || total - done <= total / 10) return text;
  const auto left = (total - done) * static_cast<std::size_t>(elapsed.count()) / done;
  if (left >= 90) return text + ", about " + std::to_string((left + 30) / 60) + " min left";
  if (left >= 5) return text + ", about " + std::to_string((left + 4) / 5 * 5) + " s left";
  return text;
}

}  // namespace warpwise::cli
