#include <algorithm>
#include <iostream>

#include "commands.hpp"
#include "student_progress.hpp"
#include "student_record.hpp"

namespace warpwise::cli {
namespace {

struct HintOptions {
  std::string chapter, kernel;  ///< kernel empty: the first that is not right
  bool shows_all = false;       ///< not the next alone
};

std::vector<std::string> kernels_with_hints(const ChapterFolder& chapter) {
  std::vector<std::string> names;
  for (const text::KernelHints& each : chapter.hints()) names.push_back(each.kernel);
  return names;
}

/// The first kernel of the exercise that is not right; of a family, which has its hints once, the member that
/// has them. The first of all where the exercise is empty; empty if all are right.
std::string kernel_in_work(const ChapterFolder& chapter) {
  const std::vector<std::string> names = kernels_with_hints(chapter);
  const ChapterProgress progress(chapter);
  const auto next = progress.next();
  if (!next) return progress.kernels().empty() && !names.empty() ? names.front() : "";
  const bool has_hints = std::find(names.begin(), names.end(), next->kernel) != names.end();
  const std::string near = has_hints ? next->kernel : nearest(next->kernel, names);
  return near.empty() ? next->kernel : near;
}

const std::vector<std::string>& hints_for(const ChapterFolder& chapter, const std::string& kernel) {
  for (const text::KernelHints& each : chapter.hints())
    if (each.kernel == kernel) return each.hints;
  throw Failure("there is no kernel '" + kernel + "' in " + chapter.name +
                    suggestion(kernel, kernels_with_hints(chapter)),
                wrong_usage);
}

/// Shows the next hint for a kernel.
int hint(const HintOptions& options) {
  const ChapterFolder chapter = chapter_named(options.chapter);
  const std::string kernel = options.kernel.empty() ? kernel_in_work(chapter) : options.kernel;
  if (kernel.empty()) {
    std::cout << "Every kernel of " << chapter.name << " is right.\n"
              << "You can still see the hints for one:\n"
              << "  ./warpwise hint " << chapter.short_name() << " KERNEL\n";
    return all_well;
  }
  const std::string names = chapter.short_name() + " " + kernel;
  if (const std::string user = kernel_that_calls(chapter, kernel); !user.empty())
    throw Failure(kernel + " is a function, whose hints are those of " + user + ": ./warpwise hint " +
                      chapter.short_name() + " " + user,
                  wrong_usage);
  const std::vector<std::string>& hints = hints_for(chapter, kernel);
  auto shown = hints_shown(chapter);
  std::size_t& count = shown[kernel];
  const std::size_t first = options.shows_all ? 0 : std::min(count, hints.size() - 1);
  count = options.shows_all ? hints.size() : first + 1;
  for (std::size_t i = first; i < count; ++i)
    std::cout << kernel << ", hint " << i + 1 << " of " << hints.size() << ":\n\n"
              << text::in_screen_width(hints[i]) << '\n';
  if (count < hints.size())
    std::cout << "Still stuck? Ask again: ./warpwise hint " << names << "\n";
  else if (chapter.has_solution())
    std::cout << "That was the last one. The answer: ./warpwise solution " << names << "\n";
  else
    std::cout << "That was the last one. " << solutions_come() << "\n";
  keep_hints_shown(shown, chapter);
  return all_well;
}

void add_arguments(Arguments& arguments, HintOptions& options) {
  arguments.option("chapter", options.chapter).required();
  arguments.option("kernel,--kernel", options.kernel, "default: the first that is not right");
  arguments.flag("--all", options.shows_all, "all hints at once");
}

const RegisterCommand hint_command("hint", with_options<HintOptions>(add_arguments, hint));

}  // namespace
}  // namespace warpwise::cli
