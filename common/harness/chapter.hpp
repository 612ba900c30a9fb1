#pragma once
/// \file What a chapter's checks.cpp includes, and how it tells the chapter's main what there is to show.
///
///     const Exhibit exhibits[] = {
///         {.kernel = reduce_naive,
///          .technique = "tree of adjacent pairs",
///          .task = "add each block's elements: neighbours in pairs, stride 1, 2, 4 ...",
///          .run = [](Device& device, unsigned n) { ... return device.launch(reduce_naive, ...); }},
///     };
///     const RegisterChapter registered({.name = WARPWISE_CHAPTER,
///                                       .title = "A tree of adjacent pairs",
///                                       .source_folder = WARPWISE_SOURCE_DIR,
///                                       .binary_folder = WARPWISE_BINARY_DIR,
///                                       .exhibits = exhibits});
///
///     TEST_CASE("reduce_naive: result", "[reduce_naive][result]") { ... }
///
/// The three macros in capitals are defined by warpwise_add_chapter. Test cases are named "KERNEL: result",
/// "KERNEL: technique" or "KERNEL: safety", with ", more" after it where one is not enough.

#include <iosfwd>
#include <span>
#include <string_view>

#include "common/testing/catch.hpp"
#include "device.hpp"
#include "expectations.hpp"
#include "inputs.hpp"
#include "references.hpp"

namespace warpwise::harness {

/// The name of a kernel of any type.
struct KernelName {
  std::string_view text;
  template <class Signature>
  constexpr KernelName(const Kernel<Signature>& kernel) : text(kernel.name) {}  // NOLINT: implicit on purpose
};

/// One kernel of a chapter: what is asked, and a run of it for counters, the ladder and times.
struct Exhibit {
  KernelName kernel;
  std::string_view technique = {};  ///< a row of the ladder: at most 28 characters
  std::string_view task = {};       ///< what the kernel must do, in one line of at most 60 characters
  /// Launches the kernel on n elements of `device` (simulated or real; on a real one the launch is repeated
  /// and timed) and returns the launch. It checks nothing.
  Launch (*run)(Device& device, unsigned n) = nullptr;
  unsigned n = 1u << 16;          ///< elements, where the command line names no number
  unsigned largest_n = 1u << 30;  ///< `--n` above it is taken as this
  double bytes_per_element = 4;   ///< read from or written to global memory, for GB/s
  bool is_rung = false;           ///< one step of the climb that the tour tells: each adds up all n elements
  bool is_exercise = true;        ///< false: given; its checks may pass on the skeleton
  /// More to print under the counters, each line starting with two spaces; nullptr: nothing.
  void (*show)(std::ostream& out, const Launch& launch) = nullptr;
};

struct Chapter {
  std::string_view name = {};           ///< "ch01_naive"
  std::string_view title = {};          ///< "A tree of adjacent pairs"
  std::string_view source_folder = {};  ///< where exercise.cu lies
  std::string_view binary_folder = {};  ///< where exercise.ptx lies: the module that runs if none is named
  std::span<const Exhibit> exhibits = {};

  const Exhibit* find(std::string_view kernel) const;
};

/// Makes `chapter` the one that main runs. One an executable, with static lifetime.
class RegisterChapter {
 public:
  explicit RegisterChapter(const Chapter& chapter);
};

/// The registered chapter; throws std::logic_error where there is none.
const Chapter& chapter();

}  // namespace warpwise::harness
