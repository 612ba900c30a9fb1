#pragma once
/// \file The attempts of a chapter: its wrong kernels, as attempts/*.md say them.

#include <iosfwd>
#include <string>
#include <vector>

#include "../harness/attempt_file.hpp"
#include "../harness/paint.hpp"
#include "chapters.hpp"

namespace warpwise::cli {

/// All of them, by name. Throws Failure where a page cannot be read. `folder`: "accepted" has right kernels
/// on pages of the same form.
std::vector<harness::AttemptText> attempts_of(const Chapter& chapter, const std::string& folder = "attempts");

/// The one called `name`; throws Failure (wrong usage), with a suggestion, where there is none.
harness::AttemptText attempt_named(const std::string& name, const Chapter& chapter,
                                   const std::string& folder = "attempts");

/// What the attempt has in place of the solution's lines; `whole_file` is where all of it lies.
void print_attempt(std::ostream& out, const harness::AttemptText& attempt, const std::string& whole_file,
                   const harness::Paint& paint);

}  // namespace warpwise::cli
