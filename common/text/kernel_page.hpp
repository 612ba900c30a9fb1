#pragma once
/// \file Attempts as they are written down: for each kernel one page of the wrong ways to write it,
/// chNN_name/attempts/KERNEL.md. A paragraph of it is one attempt, and says what differs from the solution:
///
///     ## no_barrier_in_loop
///
///     - rejected by: safety: race at `if (t < d) row[t] += row[t + d];`
///     - why: a level reads sums that the level before may not have stored yet
///
///     ```diff
///          if (t < d) row[t] += row[t + d];
///     -    __syncthreads();  // or the next level could read a sum too early
///     ```
///
/// The difference (difference.hpp) stands against the solution. The whole file is the kernel, the functions
/// that it names, and what stands outside of functions; other kernels are left out, save those that a line
/// `with: KERNEL, KERNEL` above the first heading names.
///
/// What is right, though written otherwise than the solution, stands on one page, chNN_name/accepted.md: a
/// heading `## KERNEL` for each kernel, with its own line `with: `, and below it paragraphs `### right_way`
/// of the same form. Nothing rejects them, so they have no line `- rejected by: `. A line `- also right as:
/// KERNEL, KERNEL` says of which kernels of other chapters it is a solution, too: a handout leaves it out
/// until theirs are there.

#include <string>
#include <string_view>
#include <vector>

#include "difference.hpp"
#include "source.hpp"

namespace warpwise::text {

/// What begins the line that names those kernels.
inline constexpr std::string_view also_right_mark = "- also right as: ";
/// The words of "a, b, c".
std::vector<std::string> names_in(std::string_view list);

/// One way to write a kernel, other than the solution's.
struct Way {
  std::string page;         ///< the file that says it, as it was given: for messages
  std::string name;         ///< KERNEL_HEADING, e.g. "reduce_naive_no_barrier_in_loop"; KERNEL is the page's
  std::string kernel;       ///< e.g. "reduce_naive"
  std::string rejected_by;  ///< "safety: race at `...`"; empty for what is right
  std::string why;          ///< one sentence
  std::size_t line = 0;     ///< of the heading, from 1
  bool is_difference = true;
  std::size_t block_line = 0;              ///< of block[0], from 1
  std::vector<std::string> block;          ///< lines of the ```diff or ```cuda block
  std::vector<std::string> with;           ///< kernels that the whole file has besides
  std::vector<std::string> also_right_as;  ///< kernels of other chapters

  bool is_right() const { return rejected_by.empty(); }
};

/// `text`: the page's; its kind is told by the file's name in `path`. Throws PageError.
std::vector<Way> parse_ways(std::string_view text, const std::string& path);

/// The whole .cu file: two comment lines that say what rejects it and why, or one that says what is accepted
/// ("// accepted: KERNEL: why"), then the kernel with the difference. Throws PageError where the difference
/// stands nowhere in the solution, or at two places.
std::string whole_file(const Way& way, const Source& solution);

/// The kernel of "// accepted: KERNEL: why", the first line of `source`; empty where there is no such line.
std::string accepted_kernel(std::string_view source);

}  // namespace warpwise::text
