#include "build.hpp"

#include "chapters.hpp"
#include "process.hpp"

namespace warpwise::cli {

BuildResult build_targets(const std::vector<std::string>& targets) {
  std::vector<std::string> command = {root_folder() / "setup" / "build.sh", build_folder()};
  command.insert(command.end(), targets.begin(), targets.end());
  ProcessResult result = capture_process(command, {}, false);
  return {result.status == 0, std::move(result.output)};
}

}  // namespace warpwise::cli
