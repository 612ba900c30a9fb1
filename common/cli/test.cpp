#include <algorithm>
#include <thread>

#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace warpwise::cli {

int test(const TestOptions& options) {
  const std::vector<std::string>& arguments = options.arguments;
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> command = {
      "ctest",      "--test-dir",        build_folder().string(), "--output-on-failure", "--no-tests=error",
      "--parallel", std::to_string(jobs)};
  const auto is_label = [](const std::string& word) { return word == "-L" || word == "--label-regex"; };
  if (std::none_of(arguments.begin(), arguments.end(), is_label))
    command.insert(command.end(), {"--label-exclude", "^long$"});  // those are .ci/long's
  command.insert(command.end(), arguments.begin(), arguments.end());
  // CTest's own summary is the last that is printed.
  return run_process(command, root_folder()).status == 0 ? all_well : failed;
}

}  // namespace warpwise::cli
