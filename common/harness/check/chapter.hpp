#pragma once
/// \file What a chapter's checks.cpp includes, and how it registers what there is to show.
///
///     const Exhibit exhibits[] = {
///         {.kernel = reduce_naive,
///          .technique = "tree of adjacent pairs",
///          .task = "add each block's elements: neighbours in pairs, stride 1, 2, 4 ...",
///          .run = [](Device& device, unsigned n) { ... return device.launch(reduce_naive, ...); }},
///     };
///     const RegisterChapter registered(this_chapter("A tree of adjacent pairs", exhibits));
///
///     WARPWISE_CHECK(reduce_naive, result) { ... }
///     WARPWISE_CHECK(reduce_naive, result, "floats that round") { ... }

#include <iosfwd>
#include <span>
#include <string_view>

#include "../device/device.hpp"
#include "../device/shapes.hpp"
#include "common/testing/catch.hpp"
#include "expectations.hpp"
#include "inputs.hpp"
#include "other_orders.hpp"
#include "references.hpp"
#include "schedules.hpp"
#include "sizes.hpp"
#include "technique.hpp"

/// A test case of a kernel and one aspect of it, which is result, technique or safety; the text is for where
/// one case is not enough. Its name is "reduce_naive: result, floats that round", and so it is recorded
/// (verdict.hpp). A result is judged under every schedule: other_orders.hpp.
#define WARPWISE_CHECK(kernel, aspect, ...)                                                  \
  WARPWISE_CHECK_AS(WARPWISE_JOINED(warpwise_check_, __COUNTER__), #kernel, aspect, #aspect, \
                    #kernel ": " #aspect __VA_OPT__(", " __VA_ARGS__))
// What follows is for the macro above alone: the body gets a name, and is run by run_check
// (other_orders.hpp).
#define WARPWISE_JOINED(a, b) WARPWISE_JOINED_NAMES(a, b)
#define WARPWISE_JOINED_NAMES(a, b) a##b
#define WARPWISE_CHECK_AS(body, kernel, aspect, aspect_name, name)         \
  static void body();                                                      \
  TEST_CASE(name, "[" kernel "][" aspect_name "]") {                       \
    warpwise::harness::run_check(warpwise::harness::Aspect::aspect, body); \
  }                                                                        \
  static void body()

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
  /// and timed) and returns the launch. On the simulated one it compares the result, as a check does: the
  /// counters that are shown are those of a right launch.
  Launch (*run)(Device& device, unsigned n) = nullptr;
  unsigned n = 1u << 16;          ///< elements, where the command line names no number
  unsigned largest_n = 1u << 30;  ///< `--n` above it is taken as this
  unsigned shown_n = 128;         ///< elements of the run that ./warpwise show draws
  double bytes_per_element = 4;   ///< read from or written to global memory, for GB/s
  bool is_rung = false;           ///< a row of the tour's ladder: each adds up all n elements
  std::string_view comes_from =
      {};  ///< the rung, perhaps of another chapter, that it does better than; empty: the first
  bool is_exercise = true;  ///< false: given; its checks may pass on the skeleton
  /// Kernels that are judged together, under the name of `kernel`, which is one of them; empty: by itself.
  std::span<const KernelName> family = {};
  /// More to print under the counters, each line starting with two spaces; nullptr: nothing.
  void (*show)(std::ostream& out, const Launch& launch) = nullptr;
};

// What most exhibits run: `launch` on n elements, with blocks of one size (by default the device's choice),
// or with as many as the device runs at once.
template <auto launch, unsigned block = 0>
Launch with_blocks(Device& device, unsigned n) {
  return launch(device, n, block != 0 ? block : device.block_or(256));
}
template <auto launch>
Launch with_walking_grid(Device& device, unsigned n) {
  return launch(device, n, walking_grid(device, n, device.block_or(256)));
}

struct Chapter {
  std::string_view name = {};           ///< "ch01_naive"
  std::string_view title = {};          ///< "A tree of adjacent pairs"
  std::string_view source_folder = {};  ///< where exercise.cu lies
  std::string_view binary_folder = {};  ///< where exercise.ptx lies: the module that runs if none is named
  std::span<const Exhibit> exhibits = {};

  /// The exhibit that `kernel`, or the family that it belongs to, is judged as; nullptr where there is none.
  const Exhibit* find(std::string_view kernel) const;
};

#if defined(WARPWISE_CHAPTER)
/// The chapter whose checks are being compiled. Where it lies is known from warpwise_add_chapter.
inline Chapter this_chapter(std::string_view title, std::span<const Exhibit> exhibits) {
  return {.name = WARPWISE_CHAPTER,
          .title = title,
          .source_folder = WARPWISE_SOURCE_DIR,
          .binary_folder = WARPWISE_BINARY_DIR,
          .exhibits = exhibits};
}
#endif

/// Makes `chapter` the one that main runs. One an executable, with static lifetime.
class RegisterChapter {
 public:
  explicit RegisterChapter(const Chapter& chapter);
};

/// The registered chapter; throws std::logic_error where there is none.
const Chapter& chapter();

}  // namespace warpwise::harness
