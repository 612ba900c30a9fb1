#include <iostream>

#include "../print/tables.hpp"
#include "commands.hpp"
#include "student_progress.hpp"

namespace warpwise::cli {
namespace {

/// "2 of 6": how many kernels of the chapter are right.
std::string right_of(const ChapterProgress& progress) {
  if (progress.kernels().empty())
    return std::string("exercise.cu ") +
           (progress.chapter().has_exercise() ? "has no kernels" : "is missing");
  return std::to_string(progress.count_right()) + " of " + std::to_string(progress.kernels().size());
}

/// The chapters, how many of their kernels are right, and what is next.
int list() {
  const std::vector<ChapterProgress> chapters = progress_of(chapters_of_this_clone());
  print::Table table({"chapter", "title", "right"}, 3);
  for (const ChapterProgress& progress : chapters)
    table.add_row({progress.chapter().name, progress.chapter().title(), right_of(progress)});
  std::cout << table.text() << '\n';
  if (const auto next = next_step(chapters, ""))
    std::cout << invitation(*next, false);
  else
    std::cout << "Every kernel of the course is right.\n";
  return all_well;
}

const RegisterCommand list_command("list", [](Arguments&, const TypedLine&) { return list; });

}  // namespace
}  // namespace warpwise::cli
