#include "handed_out.hpp"

#include <filesystem>
#include <optional>

#include "../course/handout_plan.hpp"

namespace warpwise::cli {
namespace {

std::optional<course::HandoutPlan> plan() {
  const auto file = root_folder() / course::handout_plan_file;
  return std::filesystem::exists(file) ? course::parse_handout_plan(read_text(file)) : std::nullopt;
}

}  // namespace

bool is_handout() { return plan().has_value(); }

std::string solutions_come() {
  const auto handout = plan();
  const bool is_known = handout && !handout->solutions_come.empty();
  return "The solutions come " + (is_known ? handout->solutions_come : "after the hand-in") +
         ", as a commit of your instructor: git pull brings them.";
}

Failure no_solution(const Chapter& chapter) {
  const bool is_clone = std::filesystem::exists(root_folder() / ".git");
  if (!is_handout() && !is_clone)
    return Failure("there are no solutions of " + chapter.name +
                   " in this folder; a clone of the course has them.");
  if (!is_handout())
    return Failure(shown_path(chapter.solution()) + " is missing; git checkout brings it back.");
  return Failure("the solutions of " + chapter.name + " are not in this handout. " + solutions_come());
}

}  // namespace warpwise::cli
