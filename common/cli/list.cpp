#include <iostream>

#include "../print/tables.hpp"
#include "commands.hpp"
#include "student_progress.hpp"

namespace warpwise::cli {
namespace {

/// "2 of 6": how many kernels of the chapter are right.
std::string right_of(const ChapterStanding& standing) {
  if (standing.kernels().empty())
    return std::string("exercise.cu ") +
           (standing.chapter().has_exercise() ? "has no kernels" : "is missing");
  return std::to_string(standing.count_right()) + " of " + std::to_string(standing.kernels().size());
}

/// The chapters, how many of their kernels are right, and what is next.
int list() {
  const std::vector<ChapterStanding> standings = standings_of(chapters_of_this_clone());
  print::Table table({"chapter", "title", "right"}, 3);
  for (const ChapterStanding& standing : standings)
    table.add_row({standing.chapter().name, standing.chapter().title(), right_of(standing)});
  std::cout << table.text() << '\n';
  if (const auto next = next_step(standings, ""))
    std::cout << invitation(*next, false);
  else
    std::cout << "Every kernel of the course is right.\n";
  return all_well;
}

const RegisterCommand list_command("list", [](Arguments&, const TypedLine&) { return list; });

}  // namespace
}  // namespace warpwise::cli
