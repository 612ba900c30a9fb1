#pragma once
/// \file Differences as a page writes them down, in a ```diff block: lines that begin with a blank or `-`
/// stand in the text, one below the other, at exactly one place; those with `+` take the place of the `-`
/// lines. A line `@@` begins another place. What shares little with the text is written out in a ```cuda
/// block: its functions take the place of those that are called alike, or all of it that of NAME, if it
/// begins ```cuda NAME.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::text {

using Lines = std::vector<std::string>;
Lines lines_of(std::string_view text);   ///< without their ends, "\n" or "\r\n"
std::string joined(const Lines& lines);  ///< each with a "\n" after it

/// "first" and "second", of the heading "## `first`, `second`".
std::vector<std::string> names_in_heading(std::string_view heading);

/// A page that cannot be read, or a difference that does not fit: "FILE:LINE: sentence".
class PageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
PageError error_at(const std::string& page, std::size_t line, const std::string& sentence);

/// One block of a page.
struct Difference {
  std::string page;       ///< as it was given: for messages
  std::string name;       ///< whose it is: "reduce_naive_no_barrier_in_loop"
  std::string against;    ///< what it stands against: "the solution", "checks.cpp"
  bool is_block = false;  ///< ```cuda, not ```diff
  std::size_t line = 0;   ///< of lines[0] in the page, from 1; 0: nothing was read
  Lines lines = {};
  std::string replaces = {};  ///< the function that a block takes the place of, beside those called alike
};

/// Reads what of `block` its lines on the page say; it begins at `page[at]`, a line with ```, and `at` is
/// then the line that ends it. Throws PageError if it is neither ```diff nor ```cuda, or does not end.
void read_block(const Lines& page, std::size_t& at, Difference& block);

/// `text` with the difference. Throws PageError if it fits nowhere, or at two places.
std::string with_difference(const Difference& difference, std::string_view text);

}  // namespace warpwise::text
