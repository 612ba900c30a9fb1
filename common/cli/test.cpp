#include <algorithm>
#include <thread>

#include "../process/process.hpp"
#include "clone.hpp"
#include "commands.hpp"

namespace warpwise::cli {
namespace {

struct TestOptions {
  Words arguments;  ///< handed to CTest as they are
};

/// Every test of the project, with CTest.
int test(const TestOptions& options) {
  const std::vector<std::string>& arguments = options.arguments;
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> command = {"ctest",
                                      "--test-dir",
                                      build_folder().string(),
                                      "--output-on-failure",
                                      "--no-tests=error",
                                      "--parallel",
                                      std::to_string(jobs + jobs / 2)};  // some of them wait
  const auto is_label = [](const std::string& word) { return word == "-L" || word == "--label-regex"; };
  if (std::none_of(arguments.begin(), arguments.end(), is_label))
    command.insert(command.end(), {"--label-exclude", "^long$"});  // those are .ci/long's
  command.insert(command.end(), arguments.begin(), arguments.end());
  // CTest's own summary is the last that is printed.
  return process::run({command, root_folder()}).status == 0 ? all_well : failed;
}

void add_arguments(Arguments& arguments, TestOptions& options) {
  arguments.option("arguments", options.arguments, "after --: for ctest, e.g. -- -R ch01");
}

const RegisterCommand test_command("test", with_options<TestOptions>(add_arguments, test));

}  // namespace
}  // namespace warpwise::cli
