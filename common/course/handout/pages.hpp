#pragma once
/// \file Pages as students get them before the solutions: lessons, pages of docs/, hints; attempts and other
/// right ways (common/text/kernel_page.hpp), as sentences before the solutions and with them all that shows
/// nothing of another chapter that is held back; and links to files that are not there.

#include <functional>
#include <string>
#include <string_view>

#include "solution_lines.hpp"

namespace warpwise::course {

// --- Lessons and hints -------------------------------------------------------------------------------------

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

// --- Attempts and other right ways -------------------------------------------------------------------------

/// Headings, what rejects each and why; without the differences, which show the solution around the mistake.
std::string without_differences(std::string_view page);

/// For a chapter whose solutions are there: the page, or accepted.md, without the paragraphs that show one of
/// `held_back` or say that they are a solution of it, and without the headings that have no paragraph left.
/// Empty where none is left. `paragraph_mark` begins the heading of a paragraph: "## ", in accepted.md "###
/// ".
std::string without_paragraphs_showing(const SolutionLines& held_back, std::string_view page,
                                       std::string_view paragraph_mark);

// --- Links -------------------------------------------------------------------------------------------------

/// `page` with the text alone of each `[text](target)` whose file `exists` denies; a picture becomes its
/// description, in italics, and loses the comment above it that says how to draw it. `exists` gets the target
/// without `#heading`, as it stands. Addresses (https://...), links within the page and blocks of code stay
/// as they are.
std::string without_dead_links(std::string_view page,
                               const std::function<bool(const std::string& target)>& exists);

}  // namespace warpwise::course
