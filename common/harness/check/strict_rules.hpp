#pragma once
/// \file What is no finding, and a contract may ask for all the same: masks of warp barriers that name who
/// comes, and shared memory that is written before it is read, even where what is read is thrown away.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "../device/simulated_device.hpp"

namespace warpwise::harness {

/// In the launches that `run()` makes on `device` every lane comes that the mask of a warp barrier names. One
/// that has left the kernel, or does so while the others wait, is waited for by nobody; but whether it ends
/// before the others come, and not somewhere else in the kernel, the mask does not say. Sees masks that are
/// written as numbers, as all of __syncwarp() and __syncwarp(0xffff) are in PTX.
void expect_masks_name_who_comes(SimulatedDevice& device, const std::function<void()>& run);

/// A slot of shared memory that is read though no thread of the block has written it.
struct UnwrittenSlot {
  unsigned line = 0;         ///< of the read; 0: unknown
  std::uint64_t block = 0;   ///< linear
  std::uint32_t thread = 0;  ///< in the block
  std::uint32_t word = 0;    ///< of the block's shared memory, 4 bytes each
};
/// In the launch that `run()` makes on `device`: the first that is found in the first block that has one.
std::optional<UnwrittenSlot> unwritten_slot(SimulatedDevice& device, const std::function<void()>& run);
/// There is none; `why` the slots must be written: zeros that stand behind the values, a gap that is filled.
void expect_slots_are_written(const std::optional<UnwrittenSlot>& unwritten, std::string_view why);

}  // namespace warpwise::harness
