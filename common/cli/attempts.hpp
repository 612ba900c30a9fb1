#pragma once
/// \file The attempts of a chapter: its wrong kernels, as attempts/*.md say them.

#include <iosfwd>
#include <string>
#include <vector>

#include "../harness/attempt_file.hpp"
#include "../print/terminal.hpp"
#include "chapters.hpp"

namespace warpwise::cli {

/// All of them, by name. Throws Failure where a page cannot be read.
std::vector<harness::AttemptText> attempts_of(const Chapter& chapter);

/// The one called `name`; throws Failure (wrong usage), with a suggestion, where there is none.
harness::AttemptText attempt_named(const std::string& name, const Chapter& chapter);

/// The same for a right kernel of the chapter's accepted.md.
harness::AttemptText accepted_named(const std::string& name, const Chapter& chapter);

/// What the attempt has in place of the solution's lines; `whole_file` is where all of it lies.
void print_attempt(std::ostream& out, const harness::AttemptText& attempt, const std::string& whole_file,
                   const print::Paint& paint, print::Lines lines = print::Lines::whole);

}  // namespace warpwise::cli
