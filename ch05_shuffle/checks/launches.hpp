#pragma once
/// \file How the kernels of this chapter are launched, for the checks, the tests and the other programs.

#include <limits>

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/roof.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch05 {

using harness::Buffer;
using harness::Device;
using harness::InOutKernel;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;
using harness::warps_of;
using harness::Written;

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// A kernel that writes one value per warp of the grid.
template <class T>
Written<T> launch_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& in,
                        const LaunchShape& shape) {
  return run_in_out(device, kernel, shape, in, warps_of(shape));
}

inline LaunchShape roof_shape(unsigned blocks) { return {.grid = blocks, .block = roof_threads}; }

/// sum_tiles and sum_wide, on `in` from `offset` on: every thread writes its share. `count`: of tiles or of
/// elements.
using SharesKernel = Kernel<void(const float*, float*, unsigned)>;
inline Written<float> launch_shares(Device& device, const SharesKernel& kernel, const Buffer<float>& in,
                                    unsigned offset, unsigned count, unsigned blocks) {
  auto out = device.poisoned<float>("out", std::size_t{blocks} * roof_threads);
  Launch launch = device.launch(kernel, roof_shape(blocks), in.from(offset), out, count);
  return {std::move(launch), std::move(out)};
}

/// What reduce_to_the_roof needs besides its input, and keeps between launches.
struct RoofScratch {
  RoofScratch(Device& device, unsigned blocks)
      : partials(device.poisoned<float>("partials", blocks)), ticket(device.zeroed<unsigned>("ticket", 1)) {}
  Buffer<float> partials;
  Buffer<unsigned> ticket;
};
/// reduce_to_the_roof on n elements of `in` from `offset` on.
inline Written<float> launch_roof(Device& device, const Buffer<float>& in, unsigned offset, unsigned n,
                                  unsigned blocks, const RoofScratch& scratch) {
  auto out = device.poisoned<float>("out", 1);
  Launch launch = device.launch(reduce_to_the_roof, roof_shape(blocks), in.from(offset), out, n,
                                scratch.partials, scratch.ticket);
  return {std::move(launch), std::move(out)};
}

}  // namespace warpwise::ch05
