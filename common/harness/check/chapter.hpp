#pragma once
/// \file How a chapter's checks register what is shown of a kernel, and what it asks, beside the test cases
/// (cases.hpp).
///
///     const RegisterKernels kernels({
///         {.kernel = reduce_naive,
///          .technique = "tree of adjacent pairs",
///          .task = "add each block's elements: neighbours in pairs, stride 1, 2, 4 ...",
///          .run = [](Device& device, unsigned n) { ... return device.launch(reduce_naive, ...); }},
///     });
///
/// One of a chapter's files says which chapter it is:
///
///     const RegisterChapter chapter(this_chapter("A tree of adjacent pairs"));

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../../report/report.hpp"
#include "../device/device.hpp"
#include "references.hpp"
#include "technique.hpp"

namespace warpwise::harness {

using report::all_aspects;
using report::Aspect;
using report::Failure;
using report::Outcome;
using report::Verdict;

/// A kernel of any type.
struct KernelName {
  std::string_view text;
  unsigned line;  ///< of its declaration
  template <class Signature>
  constexpr KernelName(const Kernel<Signature>& kernel)
      : text(kernel.name), line(kernel.line) {}  // NOLINT: implicit on purpose
};

/// One kernel of a chapter: what is asked, and a run of it for counters, the ladder and times.
struct ChapterKernel {
  KernelName kernel;
  std::string_view technique = {};  ///< a row of the ladder: at most 28 characters
  std::string_view task = {};       ///< what the kernel must do, in one line of at most 60 characters
  /// Launches the kernel on n elements of `device` (simulated or real; on a real one the launch is repeated
  /// and timed) and returns the launch. Unless it is timed it compares the result, as a check does: the
  /// counters that are shown are those of a right launch.
  Launch (*run)(Device& device, unsigned n) = nullptr;
  unsigned n = 1u << 16;          ///< elements, where the command line names no number
  unsigned largest_n = 1u << 30;  ///< `--n` above it is taken as this
  unsigned shown_n = 128;         ///< elements of the run that ./warpwise show draws
  double bytes_per_element = 4;   ///< read from or written to global memory, for GB/s
  bool is_step = false;           ///< a row of the tour's ladder: each adds up all n elements
  std::string_view comes_from =
      {};  ///< the step, perhaps of another chapter, that it does better than; empty: the first
  bool is_exercise = true;  ///< false: given; its checks may pass on the skeleton
  /// Kernels that are judged together, under the name of `kernel`, which is one of them; empty: by itself.
  /// Their names differ in the number at the end: so `run` knows what to compile (common/text/source.hpp).
  std::span<const KernelName> family = {};
  /// More to print under the counters, each line starting with two spaces; nullptr: nothing.
  void (*show)(std::ostream& out, const Launch& launch) = nullptr;
};

/// The chapter that an executable checks.
struct CheckedChapter {
  std::string_view name = {};                   ///< "ch01_naive"
  std::string_view title = {};                  ///< "A tree of adjacent pairs"
  std::span<const ChapterKernel> kernels = {};  ///< in the order in which kernels.hpp declares the kernels

  /// The entry that `kernel`, or the family that it belongs to, is judged as; nullptr where there is none.
  const ChapterKernel* find(std::string_view kernel) const;
};

#if defined(WARPWISE_CHAPTER)
/// The chapter whose checks are being compiled.
inline CheckedChapter this_chapter(std::string_view title) {
  return {.name = WARPWISE_CHAPTER, .title = title};
}
#endif

// One object each, with static lifetime.

class RegisterChapter {
 public:
  explicit RegisterChapter(const CheckedChapter& chapter);
};
class RegisterKernels {
 public:
  explicit RegisterKernels(const std::vector<ChapterKernel>& kernels);
};

/// A test case of each of several kernels: `body` of what there is to say of one.
template <class Subject>
struct CaseOf {
  std::string_view note;
  Aspect aspect;
  void (*body)(const Subject& subject);
};
/// A TEST_CASE has one name and one kernel. Here functions become cases of `kernel`, and "floats that round"
/// one that is called "reduce_naive: floats that round". `subject` outlives them.
void register_case(const KernelName& kernel, std::string_view note, Aspect aspect, std::function<void()> body,
                   const char* file, unsigned line);
template <class Subject>
void register_cases(const KernelName& kernel, const Subject& subject,
                    std::initializer_list<std::type_identity_t<CaseOf<Subject>>> cases,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  for (const CaseOf<Subject>& one : cases)
    register_case(
        kernel, one.note, one.aspect, [&subject, body = one.body] { body(subject); }, file, line);
}

/// The chapter of this executable, with all kernels; throws std::logic_error where none is registered.
const CheckedChapter& chapter();

}  // namespace warpwise::harness
