#include "build.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "build_progress.hpp"
#include "chapters.hpp"
#include "process.hpp"

namespace warpwise::cli {
namespace {

std::string jobs() {
  if (const char* wanted = std::getenv("WARPWISE_JOBS")) return wanted;
  return std::to_string(std::max(1U, std::thread::hardware_concurrency()));
}

/// One Ninja at a time in a build tree: ./warpwise and every `watch` take turns. Without the file (a build
/// tree that cannot be written) nobody waits, and Ninja says what is wrong.
class BuildLock {
 public:
  BuildLock() : file_(open((build_folder() / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
    using namespace std::chrono_literals;
    // Most builds find nothing to do: not worth a word.
    for (auto waited = 0ms; waited < 2s; waited += 20ms) {
      if (file_ < 0 || flock(file_, LOCK_EX | LOCK_NB) == 0) return;
      std::this_thread::sleep_for(20ms);
    }
    if (is_progress_said()) std::fputs("  another ./warpwise is building here: waiting for it\n", stderr);
    flock(file_, LOCK_EX);
  }
  ~BuildLock() {
    if (file_ >= 0) close(file_);
  }
  BuildLock(const BuildLock&) = delete;  ///< a lock has one owner
  BuildLock& operator=(const BuildLock&) = delete;

 private:
  int file_;
};

/// Lines that Ninja writes around what the compiler says.
bool is_of_ninja(std::string_view line) {
  return line.starts_with("ninja: ") || line.starts_with("FAILED: ") || line.starts_with("cd ") ||
         (line.starts_with('[') && line.find('/') != line.npos && line.find(']') != line.npos) ||
         line.find(" -ptx ") != line.npos || line.find(" -c ") != line.npos ||
         line.find("/warpwise_course attempts ") != line.npos;
}

void replace_all(std::string& text, std::string_view part, std::string_view by) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + by.size()))
    text.replace(at, part.size(), by);
}

}  // namespace

std::string compiler_messages(std::string_view output, std::string_view root) {
  std::string messages;
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, end);
    if (!is_of_ninja(line)) messages.append(line).append("\n");
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  if (!root.empty()) replace_all(messages, std::string(root) + "/", "");
  replace_all(messages, "__attribute__((global))", "__global__");  // as it was written
  return messages;
}

BuildResult build_targets(const std::vector<std::string>& targets) {
  std::vector<std::string> command = {"ninja", "-C", build_folder().string(), "-j", jobs()};
  command.insert(command.end(), targets.begin(), targets.end());
  const BuildLock lock;
  BuildProgress progress;
  const ProcessResult result =
      capture_process(command, {}, true, [&](std::string_view output) { progress.read(output); });
  std::ofstream(build_folder() / "build.log") << result.output;
  const bool is_built = result.status == 0;
  std::string messages = compiler_messages(result.output, root_folder().string());
  if (messages.empty() && !is_built) messages = result.output;
  return {is_built, std::move(messages)};
}

}  // namespace warpwise::cli
