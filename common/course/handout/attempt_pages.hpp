#pragma once
/// \file attempts/KERNEL.md and accepted.md (common/harness/kernel_page.hpp) as students get them: before
/// the solutions the mistakes as sentences; with them all that shows nothing of another chapter that is held
/// back.

#include <string>
#include <string_view>

#include "solution_lines.hpp"

namespace warpwise::course {

/// Headings, what rejects each and why; without the differences, which show the solution around the mistake.
std::string without_differences(std::string_view page);

/// For a chapter whose solutions are there: the page, or accepted.md, without the paragraphs that show one of
/// `held_back` or say that they are a solution of it, and without the headings that have no paragraph left.
/// Empty where none is left. `paragraph_mark` begins the heading of a paragraph: "## ", in accepted.md "###
/// ".
std::string without_paragraphs_showing(const SolutionLines& held_back, std::string_view page,
                                       std::string_view paragraph_mark);

}  // namespace warpwise::course
