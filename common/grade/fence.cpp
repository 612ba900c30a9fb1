#include "fence.hpp"

#include <unistd.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "../text/files.hpp"
#include "interruption.hpp"

namespace warpwise::grade {
namespace {

namespace fs = std::filesystem;

bool is_below(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end();
}

/// /bin, /lib and the like: links into /usr, or folders of their own.
void add_system(std::vector<std::string>& mounts) {
  mounts.insert(mounts.end(), {"--ro-bind", "/usr", "/usr"});
  for (const char* name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code error;
    if (fs::is_symlink(name, error))
      mounts.insert(mounts.end(), {"--symlink", fs::read_symlink(name).string(), name});
    else if (fs::is_directory(name, error))
      mounts.insert(mounts.end(), {"--ro-bind", name, name});
  }
  // Which compiler is meant by c++, and where libraries lie.
  for (const char* name : {"/etc/alternatives", "/etc/ld.so.cache"})
    mounts.insert(mounts.end(), {"--ro-bind-try", name, name});
  mounts.insert(mounts.end(), {"--dev-bind", "/dev/null", "/dev/null"});
}

const std::vector<std::string>& environment() {
  static const std::vector<std::string> words = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C",
                                                 "HOME=/tmp"};
  return words;
}

}  // namespace

Fence::Fence(fs::path bubblewrap, std::vector<fs::path> visible, std::vector<fs::path> hidden)
    : bubblewrap_(std::move(bubblewrap)), mounts_{bubblewrap_.string(), "--unshare-all", "--die-with-parent",
                                                  "--new-session",      "--cap-drop",    "ALL"} {
  add_system(mounts_);
  // In this order: what is hidden may lie below /usr, and what is needed below what is hidden.
  for (const fs::path& folder : hidden)
    if (is_below(folder, "/usr") || is_below(folder, "/lib"))
      mounts_.insert(mounts_.end(), {"--tmpfs", folder.string()});
  for (const fs::path& path : visible)
    if (!is_below(path, "/usr") || std::any_of(hidden.begin(), hidden.end(), [&](const fs::path& folder) {
          return is_below(path, folder);
        }))
      needed_.insert(needed_.end(), {"--ro-bind", path.string(), path.string()});
}

std::string Fence::on(const SandboxFolders& sandbox, const fs::path& path) const {
  if (!is_up()) return path.string();
  for (const auto& [host, inside] : {std::pair(sandbox.course, "/course"), std::pair(sandbox.out, "/out")})
    if (is_below(path, host))
      return (fs::path(inside) / path.lexically_relative(host)).lexically_normal().string();
  return path.string();
}

Confined Fence::around(const std::vector<std::string>& command, const SandboxFolders& sandbox) const {
  Confined confined{command, environment(), sandbox.course};
  confined.environment.push_back("TMPDIR=" + (is_up() ? std::string("/tmp") : sandbox.tmp.string()));
  if (!is_up()) return confined;
  std::vector<std::string> fenced = mounts_;
  // What is needed may itself lie below /tmp, as a clone or a toolkit may.
  fenced.insert(fenced.end(), {"--bind", sandbox.tmp.string(), "/tmp"});
  fenced.insert(fenced.end(), needed_.begin(), needed_.end());
  fenced.insert(fenced.end(), {"--ro-bind", sandbox.course.string(), "/course", "--bind",
                               sandbox.out.string(), "/out", "--chdir", "/course"});
  fenced.insert(fenced.end(), command.begin(), command.end());
  confined.command = std::move(fenced);
  return confined;
}

std::string Fence::problem(const std::string& program) const {
  if (!is_up()) return {};
  const text::TemporaryFolder folder;
  const SandboxFolders sandbox{folder.path(), folder.path(), folder.path()};
  const ConfinedResult result = run_confined(around({program, "--version"}, sandbox), {});
  if (result.status == 0 && result.signal == 0 && !result.is_stopped) return {};
  const std::string output = result.output.substr(0, result.output.find('\n'));
  return output.empty() ? program + " does not run behind it" : output;
}

fs::path find_bubblewrap() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / "bwrap";
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return fs::absolute(candidate);
  }
  return {};
}

std::vector<fs::path> folders_of_tool(const fs::path& program) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::path& path : {program, fs::canonical(program, error)}) {
    const fs::path folder = path.parent_path().parent_path().lexically_normal();
    if (!error && folder.has_relative_path() &&
        std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
  }
  return folders;
}

// --- Running a command within limits ----------------------------------------------------------------------

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output = 256 * 1024;

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

void limit(decltype(RLIMIT_CPU) resource, std::uint64_t most, std::uint64_t beyond = 0) {
  const rlimit both{static_cast<rlim_t>(most), static_cast<rlim_t>(most + beyond)};
  setrlimit(resource, &both);
}

/// The child's side of fork: only calls that are safe there.
void apply(const Limits& limits) {
  setpgid(0, 0);  // one signal ends all that it starts
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  personality(ADDR_NO_RANDOMIZE);  // a kernel that looks at its addresses finds the same ones every time
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds, 2);  // SIGXCPU at the limit, SIGKILL beyond it
  limit(RLIMIT_FSIZE, limits.file_mib << 20);
#if !defined(__SANITIZE_ADDRESS__)  // AddressSanitizer takes terabytes of addresses
  limit(RLIMIT_AS, limits.memory_mib << 20);
#endif
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

[[noreturn]] void become(char* const* command, char* const* environment, const char* folder,
                         const Limits& limits, int output, int failure, bool keeps_stdout) {
  apply(limits);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const bool is_ready = nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
                        dup2(keeps_stdout ? output : nothing, STDOUT_FILENO) >= 0 &&
                        dup2(output, STDERR_FILENO) >= 0 && chdir(folder) == 0;
  if (is_ready) execve(command[0], command, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

/// Its status stays to be asked for.
bool has_ended(pid_t child) {
  siginfo_t end{};
  const int error = waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT | WNOHANG);
  return error != 0 || end.si_pid == child;
}

/// Reads what `child` and what it starts write, until nobody can write any more or `child` has ended and all
/// is read; keeps the beginning. False: `deadline` or a signal came first.
bool read_until(Clock::time_point deadline, pid_t child, int file, std::string& text) {
  std::array<char, 65536> piece;
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || is_interrupted()) return false;
    const bool is_last = has_ended(child);  // what it left behind may hold the pipe open
    pollfd input{file, POLLIN, 0};
    if (poll(&input, 1, is_last ? 0 : static_cast<int>(std::min<long long>(left, 200))) <= 0) {
      if (is_last) return true;
      continue;
    }
    const ssize_t n = read(file, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    text.append(piece.data(), std::min(static_cast<std::size_t>(n), most_output - text.size()));
  }
}

/// False: `deadline` or a signal came first.
bool has_ended_by(Clock::time_point deadline, pid_t child) {
  using std::chrono::milliseconds;
  for (milliseconds pause(1); Clock::now() < deadline && !is_interrupted();
       pause = std::min(2 * pause, milliseconds(100))) {
    if (has_ended(child)) return true;
    std::this_thread::sleep_for(pause);
  }
  return false;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

std::string ConfinedResult::why_ended(const Limits& limits) const {
  const std::string time = "it used up its " + std::to_string(limits.seconds) + " s";
  if (is_stopped || signal == SIGXCPU) return time;
  if (signal == SIGKILL) return "it was killed, as the system does when memory runs out";
  if (signal == SIGXFSZ) return "it wrote a file of more than " + std::to_string(limits.file_mib) + " MiB";
  if (signal == 0) return {};
  return "it was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
}

ConfinedResult run_confined(const Confined& confined, const Limits& limits) {
  const std::vector<char*> command = pointers_to(confined.command);
  const std::vector<char*> environment = pointers_to(confined.environment);
  const std::string folder = confined.folder.string();
  const auto deadline = Clock::now() + std::chrono::seconds(4 * limits.seconds + limits.spare_seconds);
  Pipe output, failure;  // `failure` closes by itself when exec succeeds; else the errno comes through it

  const pid_t child = fork();
  if (child < 0)
    throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno) + ".");
  if (child == 0)
    become(command.data(), environment.data(), folder.c_str(), limits, output.ends[1], failure.ends[1],
           confined.keeps_stdout);
  setpgid(child, child);  // as the child does, whoever comes first
  output.close_writer();
  failure.close_writer();

  ConfinedResult result;
  // Its output may be closed long before it ends: a child that sleeps uses up no processor, either.
  result.is_stopped =
      !read_until(deadline, child, output.ends[0], result.output) || !has_ended_by(deadline, child);
  kill(-child, SIGKILL);  // all of it, or what it has left behind: its number is not given to another one yet
  const int status = wait_for(child);
  stop_if_interrupted();
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  // bubblewrap's own status says so of what it has run.
  if (result.status > 128 && result.status < 128 + NSIG) result.signal = result.status - 128;
  int error = 0;
  if (read(failure.ends[0], &error, sizeof error) == sizeof error)
    throw std::runtime_error("cannot run " + confined.command.front() + ": " + std::strerror(error) + ".");
  return result;
}

}  // namespace warpwise::grade
