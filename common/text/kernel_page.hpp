#pragma once
/// \file A page of kernels, chNN_name/kernels/NAME.md: wrong attempts at one kernel, or at each of a family,
/// and other correct solutions. (Hints are elsewhere, where no solution stands beside them: hints.hpp.)
///
///     # `reduce_naive`
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
///     # `another_kernel`
///
/// Either section may be missing. A paragraph `### NAME` is one implementation of a kernel, and says what
/// differs from the solution (difference.hpp). What is right has no line `- rejected by: `, and may have two
/// of its own:
///
///     - also writes: KERNEL, KERNEL      the same lines write these kernels, which are judged as well
///     - also right as: KERNEL, KERNEL    it is a solution of these kernels of other chapters, too: a handout
///                                        leaves it out until theirs are there
///
/// Other text is for whoever reads the page.
///
/// The whole file of an implementation is the kernel, the functions that it names, and what stands outside of
/// functions; other kernels are left out, save those that a line `with: KERNEL, KERNEL` below the section's
/// heading names. A heading `# ` may name what several kernels have in common, and no kernel; the wrong
/// attempts below it name one each: `- rejected by: KERNEL: safety: ...`.

#include <string>
#include <string_view>
#include <vector>

#include "difference.hpp"
#include "source.hpp"

namespace warpwise::text {

/// An implementation of a kernel, other than the solution's.
struct Implementation {
  std::string heading;            ///< "no_barrier_in_loop"
  std::string name;               ///< with the heading's kernel in front: "reduce_naive_no_barrier_in_loop"
  std::string kernel;             ///< e.g. "reduce_naive"
  std::string rejected_by;        ///< "safety: race at `...`"; empty for what is right
  std::string why;                ///< one sentence
  std::size_t line = 0;           ///< of the heading, from 1
  Difference difference;          ///< against the solution; without lines in a handout
  std::vector<std::string> with;  ///< kernels that the whole file has besides
  std::vector<std::string> also_writes, also_right_as;

  bool is_right() const { return rejected_by.empty(); }
};

/// The headings of its sections.
inline constexpr std::string_view attempts_heading = "## Wrong attempts",
                                  accepted_heading = "## Other correct solutions";

/// In the order of the page. `path`: of the page, for messages. Throws PageError.
std::vector<Implementation> implementations_on_page(std::string_view text, const std::string& path);

/// The whole .cu file: two comment lines that say what rejects it and why, or one that says what is accepted
/// ("// accepted: KERNEL, KERNEL: why"), then the kernel with the difference. Throws PageError if there is
/// no block, or the difference stands nowhere in the solution or at two places.
std::string whole_file(const Implementation& implementation, const Source& solution);

/// The kernels of "// accepted: KERNEL, KERNEL: why", the first line of `source`; none if there is no such
/// line.
std::vector<std::string> accepted_kernels(std::string_view source);

}  // namespace warpwise::text
