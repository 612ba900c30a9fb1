#include <algorithm>
#include <iostream>

#include "clone.hpp"
#include "commands.hpp"

namespace warpwise::cli {
namespace {

struct SolutionOptions {
  std::string chapter, kernel;  ///< kernel empty: the whole file
};

/// Prints the reference solution.
int solution(const SolutionOptions& options) {
  const ChapterFolder chapter = chapter_named(options.chapter);
  if (!chapter.has_solution()) throw no_solution(chapter);
  const text::Source& source = chapter.solution();
  if (options.kernel.empty()) {
    std::cout << text::without_anchors(source.text());
    return all_well;
  }
  const std::vector<text::Function> functions = source.kernel_and_callees(options.kernel);
  if (functions.empty())
    throw Failure("there is no kernel '" + options.kernel + "' in " + chapter.name +
                      suggestion(options.kernel, source.kernels()),
                  wrong_usage);
  const char* gap = "";
  for (const text::Function& function : functions) {
    std::cout << gap << text::without_anchors(function.comment + function.code + '\n');
    gap = "\n";
  }
  return all_well;
}

void add_arguments(Arguments& arguments, SolutionOptions& options) {
  arguments.option("chapter", options.chapter).required();
  arguments.option("kernel,--kernel", options.kernel, "default: all of the chapter");
}

const RegisterCommand solution_command("solution", with_options<SolutionOptions>(add_arguments, solution));

}  // namespace
}  // namespace warpwise::cli
