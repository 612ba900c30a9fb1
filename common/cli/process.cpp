#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "commands.hpp"

namespace warpwise::cli {

namespace {

enum class Output { ours, captured, captured_with_errors };

volatile pid_t signalled_child = 0;

extern "C" void hand_on(int signal, siginfo_t* info, void*) {
  // A terminal sends its signals to the whole group: the child has them already.
  if (info->si_code != SI_KERNEL && signalled_child != 0) kill(signalled_child, signal);
}

/// While it lives, signals that would end this process go to the child instead, once there is one.
class HandingOn {
 public:
  HandingOn() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int signal : signals) sigaddset(&ending, signal);
    sigprocmask(SIG_BLOCK, &ending, &mask_);
  }
  ~HandingOn() {
    for (std::size_t i = 0; i < signals.size(); ++i)
      if (child_ != 0) sigaction(signals[i], &before_[i], nullptr);
    signalled_child = 0;
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  HandingOn(const HandingOn&) = delete;  ///< two would restore different handlers
  HandingOn& operator=(const HandingOn&) = delete;
  const sigset_t& mask() const { return mask_; }  ///< for the child
  void start(pid_t child) {
    signalled_child = child_ = child;
    struct sigaction action {};
    action.sa_sigaction = hand_on;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  static constexpr std::array<int, 3> signals{SIGINT, SIGTERM, SIGHUP};
  sigset_t mask_{};
  std::array<struct sigaction, 3> before_{};
  pid_t child_ = 0;
};

/// The child's side of fork: only calls that are safe there. Never returns.
[[noreturn]] void become(char* const* arguments, const char* folder, int output, int failure, Output kind,
                         const HandingOn* handing_on) {
  if (handing_on != nullptr) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, &handing_on->mask(), nullptr);
  }
  bool is_ready = folder == nullptr || chdir(folder) == 0;
  if (kind != Output::ours) is_ready = is_ready && dup2(output, STDOUT_FILENO) >= 0;
  if (kind == Output::captured_with_errors) is_ready = is_ready && dup2(output, STDERR_FILENO) >= 0;
  if (is_ready) execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

ProcessResult wait_for(pid_t child, std::string output) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status), std::move(output)};
  return {WEXITSTATUS(status), 0, std::move(output)};
}

/// Everything that comes through `file` until its other end closes.
std::string read_all(int file, const OutputListener& listener) {
  constexpr int listener_period = 200;  // ms
  std::string text;
  std::array<char, 4096> piece;
  while (true) {
    pollfd input{file, POLLIN, 0};
    if (listener && poll(&input, 1, listener_period) == 0) {
      listener({});
      continue;
    }
    const ssize_t n = read(file, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(n));
    if (listener) listener({piece.data(), static_cast<std::size_t>(n)});
  }
}

ProcessResult start(const std::vector<std::string>& command, const std::filesystem::path& folder, Output kind,
                    const OutputListener& listener = {}, HandingOn* handing_on = nullptr) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string directory = folder.string();

  // `failure` closes by itself when exec succeeds; what comes through it is the errno of one that did not.
  std::array<int, 2> output{-1, -1}, failure{-1, -1};
  if (pipe2(failure.data(), O_CLOEXEC) != 0 || pipe2(output.data(), O_CLOEXEC) != 0) {
    throw Failure(std::string("cannot make a pipe: ") + std::strerror(errno) + ".");
  }
  std::fflush(nullptr);  // or the child would print our unwritten lines again
  const pid_t child = fork();
  if (child < 0) throw Failure(std::string("cannot start a process: ") + std::strerror(errno) + ".");
  if (child == 0) {
    become(arguments.data(), directory.empty() ? nullptr : directory.c_str(), output[1], failure[1], kind,
           handing_on);
  }
  if (handing_on != nullptr) handing_on->start(child);
  close(output[1]);
  close(failure[1]);

  std::string text = read_all(output[0], listener);
  int error = 0;
  const bool has_failed = read(failure[0], &error, sizeof error) == sizeof error;
  close(output[0]);
  close(failure[0]);
  ProcessResult result = wait_for(child, std::move(text));
  if (has_failed) throw Failure("cannot run " + command.front() + ": " + std::strerror(error) + ".");
  return result;
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command, const std::filesystem::path& folder) {
  return start(command, folder, Output::ours);
}

ProcessResult run_process_to_its_end(const std::vector<std::string>& command) {
  HandingOn handing_on;
  return start(command, {}, Output::ours, {}, &handing_on);
}

ProcessResult capture_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                              bool with_errors, const OutputListener& listener) {
  return start(command, folder, with_errors ? Output::captured_with_errors : Output::captured, listener);
}

std::string how_it_ended(const ProcessResult& result) {
  if (result.signal == 0) return "ended with status " + std::to_string(result.status);
  return "was ended by signal " + std::to_string(result.signal) + " (" + strsignal(result.signal) + ")";
}

std::string quoted_for_shell(const std::string& word) {
  if (word.find_first_of(" \"'$&|;<>()[]*?!#~`\\{}%") == word.npos && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

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
