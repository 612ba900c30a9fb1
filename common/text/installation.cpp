#include "installation.hpp"

#include <sys/auxv.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

#include "files.hpp"

namespace warpwise::text {

namespace fs = std::filesystem;

namespace {

fs::path find_file() {
  if (const char* const named = std::getenv("WARPWISE_INSTALLATION")) return named;
  for (fs::path folder = program_folder();; folder = folder.parent_path()) {
    if (fs::exists(folder / installation_file)) return folder / installation_file;
    if (folder == folder.parent_path())
      throw std::runtime_error("no " + std::string(installation_file) + " above " +
                               program_folder().string() +
                               ": this program belongs into the build folder of a clone.");
  }
}

}  // namespace

fs::path program_folder() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  // In the sandbox of a submission there is no /proc: then as it was called, which is by its whole path
  // there.
  if (error) program = fs::absolute(reinterpret_cast<const char*>(getauxval(AT_EXECFN)));
  return program.parent_path();
}

std::string built_module(const std::string& module) {
  return (program_folder().parent_path() / module).string();
}

Installation read_installation(const fs::path& path) {
  const fs::path file = fs::absolute(path);
  std::map<std::string, std::string> values;
  std::istringstream lines(read_text(file));
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t blank = line.find(' '); blank != line.npos && !line.starts_with('#'))
      values[line.substr(0, blank)] = line.substr(blank + 1);
  const fs::path folder = file.parent_path();
  const auto path_of = [&](const char* key) {
    const std::string value = values[key];
    if (value.empty()) return fs::path();
    const fs::path found = (folder / value).lexically_normal();
    return found.has_filename() ? found : found.parent_path();  // "clone/build/.." would become "clone/"
  };
  Installation found{.root = path_of("root"),
                     .build = folder,
                     .course = path_of("course"),
                     .programs = path_of("programs"),
                     .is_built = !values["programs"].empty(),
                     .nvrtc = path_of("nvrtc"),
                     .device_headers = path_of("device_headers"),
                     .nvcc = path_of("nvcc"),
                     .nvcc_options = {},
                     .toolkit_version = values["toolkit_version"],
                     .runtime_bundle = path_of("runtime_bundle")};
  if (found.course.empty()) found.course = found.root;
  if (!found.is_built) found.programs = found.build;
  std::istringstream options(values["nvcc_options"]);
  for (std::string option; std::getline(options, option, '|');)
    if (!option.empty()) found.nvcc_options.push_back(option);
  return found;
}

const Installation& installation() {
  static const Installation found = read_installation(find_file());
  return found;
}

}  // namespace warpwise::text
