#pragma once
/// \file What a chapter's checks include, and how they register what they know of a kernel: what it asks, and
/// its checks.
///
///     const RegisterKernels kernels({
///         {.kernel = reduce_naive,
///          .technique = "tree of adjacent pairs",
///          .task = "add each block's elements: neighbours in pairs, stride 1, 2, 4 ...",
///          .run = [](Device& device, unsigned n) { ... return device.launch(reduce_naive, ...); }},
///     });
///
///     WARPWISE_CHECK(reduce_naive, result) { for (Device& device : check.devices()) ... }
///     WARPWISE_CHECK(reduce_naive, result, "floats that round") { ... }
///
/// Kernels that differ by their contract alone are rows of a table: ChapterKernel::checks. One of a chapter's
/// files says which chapter it is:
///
///     const RegisterChapter chapter(this_chapter("A tree of adjacent pairs"));

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "references.hpp"
#include "technique.hpp"

/// A test case of a kernel and one aspect of it, which is result, technique or safety; the text is for where
/// one case is not enough. Its name is "reduce_naive: result, floats that round". Its body is handed a Check:
/// `check`.
#define WARPWISE_CHECK(kernel, aspect, ...) \
  WARPWISE_CHECK_AS(WARPWISE_JOINED(warpwise_check_, __COUNTER__), #kernel, aspect, "" __VA_ARGS__)
// What follows is for the macro above alone: the body gets a name, and is registered.
#define WARPWISE_JOINED(a, b) WARPWISE_JOINED_NAMES(a, b)
#define WARPWISE_JOINED_NAMES(a, b) a##b
#define WARPWISE_CHECK_AS(body, kernel, aspect, note)                                 \
  static void body(::warpwise::harness::Check& check);                                \
  static const ::warpwise::harness::RegisterCheck WARPWISE_JOINED(body, _registered)( \
      kernel, {::warpwise::harness::Aspect::aspect, body, note}, __FILE__, __LINE__); \
  static void body([[maybe_unused]] ::warpwise::harness::Check& check)

namespace warpwise::harness {

/// One check of a kernel.
struct CheckOf {
  Aspect aspect;
  Check::Body body;
  std::string note = {};  ///< where an aspect has several
};

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
  std::span<const KernelName> family = {};
  /// More to print under the counters, each line starting with two spaces; nullptr: nothing.
  void (*show)(std::ostream& out, const Launch& launch) = nullptr;
  std::vector<CheckOf> checks = {};  ///< in a table; otherwise a WARPWISE_CHECK each
};

// What most kernels run: `launch` on n elements, with blocks of one size (by default the device's choice),
// or with as many as the device runs at once.
template <auto launch, unsigned block = 0>
Launch with_blocks(Device& device, unsigned n) {
  return launch(device, n, block != 0 ? block : device.block_or(256));
}
template <auto launch>
Launch with_walking_grid(Device& device, unsigned n) {
  return launch(device, n, walking_grid(device, n, device.block_or(256)));
}

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
  explicit RegisterKernels(const std::vector<ChapterKernel>& kernels, const char* file = __builtin_FILE(),
                           int line = __builtin_LINE());
};
class RegisterCheck {
 public:
  RegisterCheck(std::string_view kernel, CheckOf check, const char* file, int line);
};

/// The chapter of this executable, with all kernels; throws std::logic_error where none is registered.
const CheckedChapter& chapter();

/// A test case: its name is in reports.
struct RegisteredCheck {
  std::string name;  ///< "reduce_naive: result, floats that round"
  std::string kernel;
  CheckOf check;
  const char* file;
  int line;
};
/// Those of this executable, in the order in which they were registered.
const std::vector<RegisteredCheck>& registered_checks();

}  // namespace warpwise::harness
