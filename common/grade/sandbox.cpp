#include "sandbox.hpp"

#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sstream>

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

}  // namespace

Sandbox::Sandbox(fs::path bubblewrap, std::vector<fs::path> visible, std::vector<fs::path> hidden)
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

std::string Sandbox::on(const SandboxFolders& folders, const fs::path& path) const {
  if (!is_up()) return path.string();
  for (const auto& [host, inside] : {std::pair(folders.course, "/course"), std::pair(folders.out, "/out")})
    if (is_below(path, host))
      return (fs::path(inside) / path.lexically_relative(host)).lexically_normal().string();
  return path.string();
}

process::Command Sandbox::around(const std::vector<std::string>& command,
                                 const SandboxFolders& folders) const {
  std::vector<std::string> environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "HOME=/tmp"};
  environment.push_back("TMPDIR=" + (is_up() ? std::string("/tmp") : folders.tmp.string()));
  process::Command confined{.words = command,
                            .folder = folders.course,
                            .keeps = process::Keeps::all,
                            .environment = std::move(environment)};
  if (!is_up()) return confined;
  std::vector<std::string> sandboxed = mounts_;
  // What is needed may itself lie below /tmp, as a clone or a toolkit may.
  sandboxed.insert(sandboxed.end(), {"--bind", folders.tmp.string(), "/tmp"});
  sandboxed.insert(sandboxed.end(), needed_.begin(), needed_.end());
  sandboxed.insert(sandboxed.end(), {"--ro-bind", folders.course.string(), "/course", "--bind",
                                     folders.out.string(), "/out", "--chdir", "/course"});
  sandboxed.insert(sandboxed.end(), command.begin(), command.end());
  confined.words = std::move(sandboxed);
  return confined;
}

std::string Sandbox::problem(const std::string& program) const {
  if (!is_up()) return {};
  const text::TemporaryFolder folder;
  const SandboxFolders folders{folder.path(), folder.path(), folder.path()};
  const process::Result result = run_confined(around({program, "--version"}, folders), {});
  if (result.status == 0) return {};
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

process::Result run_confined(process::Command command, const Limits& limits) {
  command.limits = limits;
  command.listener = [](std::string_view) { return !is_interrupted(); };
  process::Result result = process::run(command);
  stop_if_interrupted();
  // bubblewrap's own status says so of what it has run.
  if (result.status > 128 && result.status < 128 + NSIG) result.signal = result.status - 128;
  return result;
}

}  // namespace warpwise::grade
