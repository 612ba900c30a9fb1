#pragma once
/// \file Whether this clone is a student's repository, and what it lacks.

#include "chapters.hpp"
#include "failure.hpp"

namespace warpwise::cli {

/// Made by ./warpwise handout, and not the course itself.
bool is_handout();

/// What to say where a solution, or what is made from it, was asked for and is not there: that the instructor
/// adds it, and when; where this is no handout, that it is missing.
Failure no_solution(const Chapter& chapter);

/// The same as one sentence, for what is no failure: "The solutions come on 1 December 2026, as a commit."
std::string solutions_come();

}  // namespace warpwise::cli
