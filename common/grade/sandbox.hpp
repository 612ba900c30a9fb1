#pragma once
/// \file What a program that reads an untrusted file can see, and how much it may use: the compiler, and
/// the judge of a module.
///
/// In the sandbox (bubblewrap) there are the system's programs, libraries and headers and the compilers,
/// all read-only; /course with what a submission may include; /out and /tmp, which are the submission's own;
/// and nothing else: no network, no other process, no file of the course or of the class.

#include <filesystem>
#include <string>
#include <vector>

#include "../process/process.hpp"

namespace warpwise::grade {

using process::Limits;

/// Runs it within limits. Throws Interrupted (interruption.hpp) after a signal.
process::Result run_confined(process::Command command, const Limits& limits);

// --- The sandbox -------------------------------------------------------------------------------------------

/// The folders of one submission on the host.
struct SandboxFolders {
  std::filesystem::path course;  ///< read only: ch01_naive/exercise.cu, headers
  std::filesystem::path out;     ///< the module, the report
  std::filesystem::path tmp;
};

class Sandbox {
 public:
  /// No sandbox: the limits alone.
  Sandbox() = default;
  /// With bubblewrap. `visible`: folders and files beside the system's that the programs need (the toolkit,
  /// the host compiler, executables of the chapters). `hidden`: folders that are not to be seen, even below
  /// those.
  Sandbox(std::filesystem::path bubblewrap, std::vector<std::filesystem::path> visible,
          std::vector<std::filesystem::path> hidden);

  bool is_up() const { return !bubblewrap_.empty(); }
  /// `command`, to be run in the sandbox's folder `course`. Its words may name paths by on().
  process::Command around(const std::vector<std::string>& command, const SandboxFolders& folders) const;
  /// What a path of the host below one of the sandbox's folders is called where the command runs.
  std::string on(const SandboxFolders& folders, const std::filesystem::path& path) const;

  /// Empty if a program runs in the sandbox; else what bubblewrap says.
  std::string problem(const std::string& program) const;

 private:
  std::filesystem::path bubblewrap_;
  std::vector<std::string> mounts_;  ///< bubblewrap's arguments that are the same for every sandbox
  std::vector<std::string> needed_;  ///< further ones: what is visible; they come behind that of /tmp
};

/// bubblewrap on PATH; empty if there is none.
std::filesystem::path find_bubblewrap();

/// Two folders that are needed to run `program`, a compiler or the like: that in which its own lies, and the
/// same of what it is a link to. For /opt/cuda/bin/nvcc: /opt/cuda.
std::vector<std::filesystem::path> folders_of_tool(const std::filesystem::path& program);

}  // namespace warpwise::grade
