#pragma once
/// \file One page per kernel, chNN_name/kernels/KERNEL.md: hints, wrong attempts, other correct solutions.
///
///     # `reduce_naive`
///
///     ## Hints
///
///     1. Each thread loads one element: which one?
///     2. ...
///
///     ## Wrong attempts
///
///     ### no_barrier_in_loop
///
///     - rejected by: safety: race at `if (t < d) row[t] += row[t + d];`
///     - why: a level reads sums that the level before may not have stored yet
///
///     ```diff
///          if (t < d) row[t] += row[t + d];
///     -    __syncthreads();  // or the next level could read a sum too early
///     ```
///
///     ## Other correct solutions
///
///     ### ...
///
/// Each section may be missing. Hints are a numbered list, from a nudge to nearly the answer. A paragraph
/// `### NAME` is one implementation of the kernel, and says what differs from the solution (difference.hpp).
/// What is right has no line `- rejected by: `, and may have two of its own:
///
///     - also writes: KERNEL, KERNEL      the same lines write these kernels, which are judged as well
///     - also right as: KERNEL, KERNEL    it is a solution of these kernels of other chapters, too: a handout
///                                        leaves it out until theirs are there
///
/// Other text is for whoever reads the page.
///
/// The whole file of an implementation is the kernel, the functions that it names, and what stands outside of
/// functions; other kernels are left out, save those that a line `with: KERNEL, KERNEL` below the section's
/// heading names. A page that is called after no kernel has wrong attempts whose lines name one: `- rejected
/// by: KERNEL: safety: ...`.

#include <string>
#include <string_view>
#include <vector>

#include "difference.hpp"
#include "source.hpp"

namespace warpwise::text {

/// An implementation of a kernel, other than the solution's.
struct Implementation {
  std::string heading;            ///< "no_barrier_in_loop"
  std::string name;               ///< with the page's kernel in front: "reduce_naive_no_barrier_in_loop"
  std::string kernel;             ///< e.g. "reduce_naive"
  std::string rejected_by;        ///< "safety: race at `...`"; empty for what is right
  std::string why;                ///< one sentence
  std::size_t line = 0;           ///< of the heading, from 1
  Difference difference;          ///< against the solution; without lines in a handout
  std::vector<std::string> with;  ///< kernels that the whole file has besides
  std::vector<std::string> also_writes, also_right_as;

  bool is_right() const { return rejected_by.empty(); }
};

struct KernelPage {
  std::string kernel;              ///< the file's name without its extension
  std::vector<std::string> hints;  ///< without their numbers; lines as they are, without the indentation
  std::vector<Implementation> implementations;  ///< in the order of the page
};

/// The headings of its sections.
inline constexpr std::string_view hints_heading = "## Hints", attempts_heading = "## Wrong attempts",
                                  accepted_heading = "## Other correct solutions";

/// `path`: of the page. Throws PageError.
KernelPage parse_kernel_page(std::string_view text, const std::string& path);

/// The whole .cu file: two comment lines that say what rejects it and why, or one that says what is accepted
/// ("// accepted: KERNEL, KERNEL: why"), then the kernel with the difference. Throws PageError if there is
/// no block, or the difference stands nowhere in the solution or at two places.
std::string whole_file(const Implementation& implementation, const Source& solution);

/// The kernels of "// accepted: KERNEL, KERNEL: why", the first line of `source`; none if there is no such
/// line.
std::vector<std::string> accepted_kernels(std::string_view source);

/// `hint` in the width of a terminal: paragraphs are broken anew, code (lines that are indented) stays.
std::string in_screen_width(std::string_view hint);

}  // namespace warpwise::text
