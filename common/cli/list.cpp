#include <algorithm>
#include <filesystem>
#include <iostream>

#include "../print/tables.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "standing.hpp"

namespace warpwise::cli {
namespace {

/// "2 of 6": how many kernels of the chapter are right.
std::string right_of(const Chapter& chapter) {
  const std::vector<KernelStanding> kernels = standings_of(chapter);
  if (kernels.empty()) {
    const bool is_there = std::filesystem::exists(chapter.exercise());
    return std::string("exercise.cu ") + (is_there ? "has no kernels" : "is missing");
  }
  const auto right = std::count_if(kernels.begin(), kernels.end(), [](const KernelStanding& kernel) {
    return kernel.standing == Standing::right;
  });
  return std::to_string(right) + " of " + std::to_string(kernels.size());
}

}  // namespace

int list() {
  const std::vector<Chapter> chapters = chapters_of_this_clone();
  print::Table table({"chapter", "title", "right"}, 3);
  for (const Chapter& chapter : chapters) table.add_row({chapter.name, chapter.title, right_of(chapter)});
  std::cout << table.text() << '\n';
  if (const auto next = next_step(chapters, ""))
    std::cout << invitation(*next, false);
  else
    std::cout << "Every kernel of the course is right.\n";
  return all_well;
}

}  // namespace warpwise::cli
