#include "side_by_side.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>

namespace warpwise::harness {

namespace {

/// A file without a name, through which a process hands back what it has: it can be of any size, and nobody
/// has to read while it is written.
class Handover {
 public:
  Handover() : file_(std::tmpfile(), &std::fclose) {
    if (file_ == nullptr) throw std::runtime_error("no temporary file can be made: is the disk full?");
  }
  /// In the process that has it; throws where it cannot be kept.
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() || std::fflush(file_.get()) != 0)
      throw std::runtime_error("what was judged cannot be kept: is the disk full?");
  }
  /// In the process that gets it, once the other has ended.
  std::string read() {
    std::rewind(file_.get());
    std::string text;
    char piece[4096];
    while (const std::size_t count = std::fread(piece, 1, sizeof piece, file_.get()))
      text.append(piece, count);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

struct Worker {
  Handover result, error;
  int status = 0;
};

[[noreturn]] void work(const Job& job, std::size_t index, Worker& worker) {
  int status = 1;
  try {
    worker.result.write(job(index));
    status = 0;
  } catch (const std::exception& error) {
    worker.error.write(error.what());
  }
  std::cout.flush();
  _exit(status);  // nothing of the process that was forked is ended here
}

std::string taken(Worker& worker, std::size_t index) {
  if (WIFSIGNALED(worker.status))
    throw std::runtime_error("the process that judged number " + std::to_string(index + 1) +
                             " was ended by signal " + std::to_string(WTERMSIG(worker.status)));
  if (worker.status != 0) throw std::runtime_error(worker.error.read());
  return worker.result.read();
}

}  // namespace

std::vector<std::string> side_by_side(std::size_t count, unsigned processes, const Job& job) {
  std::vector<Worker> workers(count);
  std::map<pid_t, std::size_t> running;
  const pid_t parent = getpid();
  std::cout.flush();
  std::fflush(stdout);
  // The last one first: a chapter's last kernels take longest, and nothing else is left to do beside one that
  // begins last.
  for (std::size_t left = count; left != 0 || !running.empty();) {
    if (left != 0 && running.size() < processes) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);  // it ended before that took effect
        work(job, left - 1, workers[left - 1]);
      }
      if (child > 0) running.emplace(child, --left);
      if (child < 0 && running.empty()) throw std::runtime_error("no process can be started to judge in");
      if (child > 0 || running.empty()) continue;
    }
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) throw std::runtime_error("a process that judged got lost");
    if (const auto at = running.find(ended); at != running.end()) {
      workers[at->second].status = status;
      running.erase(at);
    }
  }
  std::vector<std::string> results;
  for (std::size_t i = 0; i < count; ++i) results.push_back(taken(workers[i], i));
  return results;
}

}  // namespace warpwise::harness
