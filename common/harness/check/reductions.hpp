#pragma once
/// \file Two forms of a reduction that several chapters ask for, and what their checks ask. All of it fails
/// as expectations do.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "check.hpp"
#include "references.hpp"
#include "work.hpp"

namespace warpwise::harness {

// --- Every block reduces a stretch of its own --------------------------------------------------------------
// out[b] = the sum of the elements from b * stretch on, or what else `results` says. The reductions of
// chapters 1 to 4 have this form.

struct BlockSums {
  InOutKernel<float> kernel;
  unsigned elements_a_thread = 1;
  bool has_dynamic_shared = true;  ///< a float for each thread of a block
  /// What a block makes of its stretch, which may be empty: always as many results, written side by side.
  std::vector<double> (*results)(std::span<const float> stretch) = [](std::span<const float> stretch) {
    return std::vector<double>{sum(stretch)};
  };

  std::size_t results_a_block() const { return results({}).size(); }
  unsigned stretch(unsigned block) const { return elements_a_thread * block; }  ///< elements a block
  LaunchShape shape(unsigned n, unsigned block) const;
};

/// Each block of `shape` has written the results of its stretch, which is looked at unless the launch is
/// timed. Exactly: on whole numbers, or values whose sum is infinite or not a number.
Launch expect_block_sums(Device& device, const BlockSums& sums, const std::vector<float>& values,
                         const LaunchShape& shape, const std::string& note = {});
/// On n whole numbers, with as many blocks as they need.
Launch expect_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block,
                         const std::string& note = {});

/// Whether the kernel completes and its sums are right; records nothing, for a kernel that another is held
/// against.
bool gives_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block);

/// What a kernel runs; `block` 0: the device's choice.
template <const BlockSums& sums, unsigned block = 0>
Launch shown_block_sums(Device& device, unsigned n) {
  return expect_block_sums(device, sums, n, block != 0 ? block : device.block_or(256));
}

// What checks ask, at one block size or at every one. All of them fail as expectations do.

/// The right sums for all awkward sizes, on all devices.
void check_block_sums(Check& check, const BlockSums& sums);
void check_block_sums(Check& check, const BlockSums& sums, unsigned block);
/// Grids that do not cover n exactly: one block, fewer than n needs, more, far more; more elements than 16
/// bits count; hundreds of launches in a row.
void check_block_sums_with_any_grid(Check& check, const BlockSums& sums, unsigned smallest_block = 32,
                                    unsigned largest_block = 1024);
/// Values that a cheap mistake would lose: of both signs and zero, up to 2^24 in sum, beyond the whole
/// numbers of 32 bits, denormal, infinities of one sign and of both, NaN.
void check_block_sums_of_any_values(Check& check, const BlockSums& sums, unsigned block = 64);
/// Floats that round: on all devices, off by no more than a sum may be in the worst order.
void check_rounded_block_sums(Check& check, const BlockSums& sums);
void check_rounded_block_sums(Check& check, const BlockSums& sums, unsigned block);
/// What a technique is held against: a launch, and how many elements its blocks have.
using BlockSumLimits = std::function<void(const LaunchAndWork& run, unsigned elements)>;
/// Calls `limits` for the very launches of the checks of the result, so that no kernel can tell when it is
/// counted: on four and eight full blocks, on all awkward sizes, on grids that do not cover n, and on other
/// values. The sums must be right in each, too, and as many additions made as that takes.
void check_every_block_sum_is_counted(Check& check, const BlockSums& sums, unsigned block,
                                      const BlockSumLimits& limits);
/// Whether all blocks of `run` have all of their elements, so that no guard splits a warp.
bool has_full_blocks(const BlockSums& sums, const LaunchAndWork& run, unsigned elements);

/// Divergent branches that guards such as `i < n` may add, in all blocks together, if not every thread has
/// equally many elements: a kernel may test more than once where they end.
inline constexpr unsigned branches_of_guards = 8;

/// `elements`, and 64 more where some blocks are not full and a thread has several elements: the last ones,
/// too few for wider loads, may be loaded by themselves.
unsigned elements_to_read(const BlockSums& sums, const LaunchAndWork& run, unsigned elements);

/// The right sums in every order that the lanes may take.
void check_block_sums_under_every_schedule(Check& check, const BlockSums& sums, unsigned block);
/// No finding for any of the awkward sizes, and with more blocks than needed.
void check_block_sums_are_safe(Check& check, const BlockSums& sums);
void check_block_sums_are_safe(Check& check, const BlockSums& sums, unsigned block);
/// No finding in any order that the lanes may take.
void check_block_sums_are_safe_under_every_schedule(Check& check, const BlockSums& sums, unsigned block);

// --- One block of n / 2 threads sums n values in place -----------------------------------------------------
// The book's kernels in chapters 1 and 2 (PMPP 4th ed., figures 10.6 and 10.9).

using SumInPlace = Kernel<void(float*)>;

/// Every n that such a kernel can be launched with.
inline constexpr unsigned every_in_place_size[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048};
/// The smallest of them that is n or more; for any n.
unsigned in_place_size_for(unsigned n);

enum class SumIsIn { first_element, last_element };
/// What such a kernel makes of its values: their sum, or a variant's other result of them.
using InPlaceResult = double (*)(std::span<const float> values);

struct InPlaceSum {
  SumInPlace kernel;
  SumIsIn side = SumIsIn::first_element;
  InPlaceResult result = sum;
};

/// On whole numbers, and the sum is right; of a launch that is timed nobody looks at it.
Launch run_in_place(Device& device, const InPlaceSum& sums, unsigned n);
/// What a kernel runs.
template <const InPlaceSum& sums>
Launch shown_in_place(Device& device, unsigned n) {
  return run_in_place(device, sums, in_place_size_for(n));
}

/// The right sum for every size on all devices: exact for whole numbers, as near as any order for floats.
void check_sum_in_place(Check& check, const InPlaceSum& sums);
/// The right sum of what a cheap mistake would lose: zeros, both signs, large and denormal numbers,
/// infinities, NaN.
void check_sum_in_place_of_any_values(Check& check, const InPlaceSum& sums);
/// One block barrier a level, no atomics, nothing but global memory, and a tree, in every launch of
/// check_sum_in_place; `more` says what else. The sums are right, too.
void check_tree_in_place(Check& check, const InPlaceSum& sums,
                         const std::function<void(const LaunchAndWork& run, unsigned n)>& more = {});
/// No finding for any size, and the right sum.
void check_in_place_is_safe(Check& check, const InPlaceSum& sums);

}  // namespace warpwise::harness
