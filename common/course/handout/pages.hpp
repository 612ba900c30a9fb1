#pragma once
/// \file Lessons, pages of docs/ and hints, as students get them before the solutions.

#include <functional>
#include <string>
#include <string_view>

#include "solution_lines.hpp"

namespace warpwise::course {

/// What a lesson says in place of code that it does not show yet.
extern const std::string_view later_note;

/// `page` without the code of a solution:
///   - a block under `<!-- code: FILE#ANCHOR -->` where `is_handed_out(FILE)` is false, and its mark,
///   - any other block that shows one of `lines`: a note takes the block's place,
///   - in a sentence, the `code` that shows one: `...` takes its place.
/// `<details>` around a block stay as they are.
std::string without_solutions(std::string_view page, const SolutionLines& lines,
                              const std::function<bool(const std::string& file)>& is_handed_out);

/// hints.md (common/cli/hints.hpp) without the last hint of each kernel, which is nearly the answer. A kernel
/// keeps its only hint.
std::string without_last_hints(std::string_view page);

/// `page` with `notice` as a quotation below its title.
std::string with_notice(std::string_view page, const std::string& notice);

}  // namespace warpwise::course
