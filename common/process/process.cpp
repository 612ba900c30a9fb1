#include "process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace warpwise::process {

namespace {

using Clock = std::chrono::steady_clock;

// --- Signals that are handed on ----------------------------------------------------------------------------

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

// --- The child's side of fork: only calls that are safe there ----------------------------------------------

void limit(decltype(RLIMIT_CPU) resource, std::uint64_t most, std::uint64_t beyond = 0) {
  const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most + beyond)};
  setrlimit(resource, &both);
}

void apply(const Limits& limits) {
  setpgid(0, 0);  // one signal ends all that it starts
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  personality(ADDR_NO_RANDOMIZE);  // a kernel that looks at its addresses finds the same ones every time
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds, 2);  // SIGXCPU at the limit, SIGKILL beyond it
  limit(RLIMIT_FSIZE, limits.file_mib << 20);
#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer takes terabytes
  limit(RLIMIT_DATA, limits.memory_mib << 20);
#endif
  // Addresses are free: an array of the simulated GPU may have many more of them than pages.
  rlimit addresses{};
  getrlimit(RLIMIT_AS, &addresses);
  addresses.rlim_cur = addresses.rlim_max;
  setrlimit(RLIMIT_AS, &addresses);
}

bool redirect(const Command& command, int output) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const Keeps keeps = command.keeps;
  const bool keeps_errors = keeps == Keeps::errors || keeps == Keeps::all;
  return nothing >= 0 && (!command.limits || dup2(nothing, STDIN_FILENO) >= 0) &&
         (keeps == Keeps::nothing || dup2(keeps == Keeps::errors ? nothing : output, STDOUT_FILENO) >= 0) &&
         (!keeps_errors || dup2(output, STDERR_FILENO) >= 0);
}

[[noreturn]] void become(const Command& command, char* const* words, char* const* environment, int output,
                         int failure, const sigset_t* mask) {
  if (command.limits) apply(*command.limits);
  if (mask != nullptr) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigprocmask(SIG_SETMASK, mask, nullptr);
  }
  if (redirect(command, output) && (command.folder.empty() || chdir(command.folder.c_str()) == 0))
    execvpe(words[0], words, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

// --- Ours --------------------------------------------------------------------------------------------------

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::runtime_error(std::string("cannot make a pipe: ") + std::strerror(errno) + ".");
  }
  ~Pipe() {
    for (const int end : ends)
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;  ///< each end is closed once
  Pipe& operator=(const Pipe&) = delete;
  void close_writer() {
    close(ends[1]);
    ends[1] = -1;
  }
};

/// Its status stays to be asked for.
bool has_ended(pid_t child) {
  siginfo_t end{};
  const int error = waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT | WNOHANG);
  return error != 0 || end.si_pid == child;
}

/// How long it may take for its output to be looked at again; it may have closed that long before it ends.
class Pause {
 public:
  std::chrono::milliseconds next(bool is_open) {
    if (is_open) return std::chrono::milliseconds(200);  // or until something comes
    return pause_ = std::min(2 * pause_, std::chrono::milliseconds(100));
  }

 private:
  std::chrono::milliseconds pause_{1};
};

/// Reads what the child and what it starts write, until nobody can write any more or the child has ended and
/// all is read. False: the limit by the clock, or the listener, came first.
bool attend(pid_t child, int file, const Command& command, std::string& kept) {
  const Listener& hears = command.listener;
  const Limits limits = command.limits.value_or(Limits{});
  const auto end = Clock::now() + std::chrono::seconds(4ull * limits.seconds + limits.spare_seconds);
  const std::size_t most = command.limits ? limits.output_kib << 10 : kept.max_size();
  std::array<char, 65536> piece;
  Pause pause;
  for (bool is_open = true; is_open || command.limits || hears;) {
    if ((command.limits && Clock::now() >= end) || (hears && !hears({}))) return false;
    const bool is_last = has_ended(child);  // what it left behind may hold the pipe open
    if (is_last && !is_open) return true;
    pollfd input{is_open ? file : -1, POLLIN, 0};
    const auto wait = is_last ? std::chrono::milliseconds(0) : pause.next(is_open);
    if (poll(&input, 1, static_cast<int>(wait.count())) <= 0) {
      if (is_last) return true;
      continue;
    }
    const ssize_t n = read(file, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    is_open = n > 0;
    if (!is_open) continue;
    const auto count = static_cast<std::size_t>(n);
    kept.append(piece.data(), std::min(count, most - kept.size()));
    if (hears && !hears({piece.data(), count})) return false;
  }
  return true;  // all that is left is to wait
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result run(const Command& command) {
  const std::vector<char*> words = pointers_to(command.words);
  const std::vector<char*> environment =
      pointers_to(command.environment.value_or(std::vector<std::string>{}));
  Pipe output, failure;  // `failure` closes by itself when exec succeeds; else the errno comes through it
  std::optional<HandingOn> handing_on;
  if (command.takes_our_signals) handing_on.emplace();
  std::fflush(stdout);  // what we have said stands before what it says

  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno) + ".");
  if (child == 0)
    become(command, words.data(), command.environment ? environment.data() : environ, output.ends[1],
           failure.ends[1], handing_on ? &handing_on->mask() : nullptr);
  if (handing_on) handing_on->start(child);
  if (command.limits) setpgid(child, child);  // as the child does, whoever comes first
  output.close_writer();
  failure.close_writer();

  Result result;
  result.is_stopped = !attend(child, output.ends[0], command, result.output);
  // All of it, or what it has left behind: its number is not given to another one yet.
  if (command.limits) kill(-child, SIGKILL);
  if (result.is_stopped) kill(child, SIGKILL);
  const int status = wait_for(child);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.status = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
  int error = 0;
  if (read(failure.ends[0], &error, sizeof error) == sizeof error)
    throw std::runtime_error("cannot run " + command.words.front() + ": " + std::strerror(error) + ".");
  return result;
}

std::string Result::how_it_ended() const {
  if (signal == 0) return "ended with status " + std::to_string(status);
  return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

std::string Result::why_ended(const Limits& limits) const {
  if (is_stopped || signal == SIGXCPU) return "it used up its " + std::to_string(limits.seconds) + " s";
  if (signal == SIGKILL) return "it was killed, as the system does when memory runs out";
  if (signal == SIGXFSZ) return "it wrote a file of more than " + std::to_string(limits.file_mib) + " MiB";
  return signal == 0 ? std::string() : "it " + how_it_ended();
}

void for_all(std::size_t count, std::size_t jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto worker = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min(jobs, count)) others.emplace_back(worker);
  } catch (const std::system_error&) {  // of no memory, or a limit: those that there are do all of it
  }
  worker();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

std::string quoted_for_shell(const std::string& word) {
  if (word.find_first_of(" \"'$&|;<>()[]*?!#~`\\{}%") == word.npos && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

}  // namespace warpwise::process
