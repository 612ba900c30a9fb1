#pragma once
/// \file Kernels of which every block sums a stretch of its own: out[b] = the sum of the elements from
/// b * stretch on. The reductions of chapters 1 to 4 have this form.

#include <string>

#include "in_out.hpp"
#include "shapes.hpp"

namespace warpwise::harness {

struct BlockSums {
  InOutKernel<float> kernel;
  unsigned elements_a_thread = 1;
  bool has_dynamic_shared = true;  ///< a float for each thread of a block

  unsigned stretch(unsigned block) const { return elements_a_thread * block; }  ///< elements a block
  LaunchShape shape(unsigned n, unsigned block) const;
};

/// On whole numbers; checks nothing.
Launch run_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block);

/// The sum of each stretch, exactly, on whole numbers.
Launch expect_block_sums(Device& device, const BlockSums& sums, unsigned n, unsigned block,
                         const std::string& note = {});

/// What an exhibit runs; `block` 0: the device's choice.
template <const BlockSums& sums, unsigned block = 0>
Launch exhibit_block_sums(Device& device, unsigned n) {
  return run_block_sums(device, sums, n, block != 0 ? block : device.block_or(256));
}

// What checks ask, at one block size or at every one. All of them fail as expectations do.

/// The right sums for all awkward sizes, on all devices.
void check_block_sums(const BlockSums& sums);
void check_block_sums(const BlockSums& sums, unsigned block);
/// Floats that round: on all devices, off by no more than a tree of pairs over what each thread has added up.
void check_rounded_block_sums(const BlockSums& sums);
void check_rounded_block_sums(const BlockSums& sums, unsigned block);
/// The right sums in every order that the lanes may take.
void check_block_sums_under_every_schedule(const BlockSums& sums, unsigned block);
/// No finding for any of the awkward sizes.
void check_block_sums_are_safe(const BlockSums& sums);
void check_block_sums_are_safe(const BlockSums& sums, unsigned block);
/// No finding in any order that the lanes may take.
void check_block_sums_are_safe_under_every_schedule(const BlockSums& sums, unsigned block);

}  // namespace warpwise::harness
