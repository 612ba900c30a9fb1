#pragma once
/// \file Kernels of which every block reduces a stretch of its own: out[b] = the sum of the elements from
/// b * stretch on, or what else `results` says. The reductions of chapters 1 to 4 have this form.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../device/in_out.hpp"
#include "../device/shapes.hpp"
#include "additions.hpp"
#include "references.hpp"

namespace warpwise::harness {

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

/// Each block of `shape` has written the results of its stretch. Exactly: on whole numbers, or values whose
/// sum is infinite or not a number.
Launch expect_block_sums(Device& device, const BlockSums& sums, const std::vector<float>& values,
                         const LaunchShape& shape, const std::string& note = {});
/// On n whole numbers, with as many blocks as they need.
Launch expect_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block,
                         const std::string& note = {});

/// What an exhibit runs: the same, and on a real GPU, where it is repeated and timed, without a look at the
/// sums.
Launch run_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block);

/// Whether the kernel completes and its sums are right; records nothing, for a kernel that another is held
/// against.
bool gives_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block);

/// What an exhibit runs; `block` 0: the device's choice.
template <const BlockSums& sums, unsigned block = 0>
Launch exhibit_block_sums(Device& device, unsigned n) {
  return run_block_sums(device, sums, n, block != 0 ? block : device.block_or(256));
}

// What checks ask, at one block size or at every one. All of them fail as expectations do.

/// The right sums for all awkward sizes, on all devices.
void check_block_sums(const BlockSums& sums);
void check_block_sums(const BlockSums& sums, unsigned block);
/// Grids that do not cover n exactly: one block, fewer than n needs, more, far more; more elements than 16
/// bits count; hundreds of launches in a row.
void check_block_sums_with_any_grid(const BlockSums& sums, unsigned smallest_block = 32,
                                    unsigned largest_block = 1024);
/// Values that a cheap mistake would lose: of both signs and zero, up to 2^24 in sum, beyond the whole
/// numbers of 32 bits, infinities of one sign and of both, NaN.
void check_block_sums_of_any_values(const BlockSums& sums, unsigned block = 64);
/// Floats that round: on all devices, off by no more than a tree of pairs over what each thread has added up.
void check_rounded_block_sums(const BlockSums& sums);
void check_rounded_block_sums(const BlockSums& sums, unsigned block);
/// What a technique is held against: a launch, and how many elements its blocks have.
using BlockSumLimits = std::function<void(const CountedLaunch& run, unsigned elements)>;
/// Calls `limits` for the very launches of the checks of the result, so that no kernel can tell when it is
/// counted: on four and eight full blocks, on all awkward sizes, on grids that do not cover n, and on other
/// values. The sums must be right in each, too, and as many additions made as that takes.
void check_every_block_sum_is_counted(const BlockSums& sums, unsigned block, const BlockSumLimits& limits);
/// Whether all blocks of `run` have all of their elements, so that no guard splits a warp.
bool has_full_blocks(const BlockSums& sums, const CountedLaunch& run, unsigned elements);

/// `elements`, and 64 more where some blocks are not full and a thread has several elements: the last ones,
/// too few for wider loads, may be loaded by themselves.
unsigned elements_to_read(const BlockSums& sums, const CountedLaunch& run, unsigned elements);

/// The right sums in every order that the lanes may take.
void check_block_sums_under_every_schedule(const BlockSums& sums, unsigned block);
/// No finding for any of the awkward sizes, and with more blocks than needed.
void check_block_sums_are_safe(const BlockSums& sums);
void check_block_sums_are_safe(const BlockSums& sums, unsigned block);
/// No finding in any order that the lanes may take.
void check_block_sums_are_safe_under_every_schedule(const BlockSums& sums, unsigned block);

}  // namespace warpwise::harness
