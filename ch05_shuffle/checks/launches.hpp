#pragma once
/// \file How the kernels of this chapter are launched, for the checks, the ladder and the other programs.

#include <limits>
#include <span>

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/roof.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/references.hpp"
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

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// For a kernel that writes one value per warp.
template <class T>
harness::Written<T> run_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& values,
                              unsigned block) {
  const LaunchShape shape = thread_for_each(static_cast<unsigned>(values.size()), block);
  return run_in_out(device, kernel, shape, values, warps_of(shape));
}

inline LaunchShape roof_shape(unsigned blocks) { return {.grid = blocks, .block = roof_threads}; }

/// The threads' shares add up to the sum of `values`, exactly if these are integers.
inline void expect_shares(const Buffer<float>& out, std::span<const float> values,
                          const harness::Case& where) {
  harness::expect_made_of(out, "the shares of the threads add up to",
                          harness::sum(harness::download_written(out, where)), harness::sum(values), where);
}

/// sum_tiles and sum_wide: every thread writes its share. The result is compared unless the launch is timed.
/// The same is true of run_roof.
using SharesKernel = Kernel<void(const float*, float*, unsigned)>;
inline Launch run_shares(Device& device, const SharesKernel& kernel, unsigned n, unsigned count,
                         unsigned blocks, unsigned offset = 0) {
  const auto values = harness::random_integers(n + offset, n);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", std::size_t{blocks} * roof_threads);
  Launch launch = device.launch(kernel, roof_shape(blocks), in.from(offset), out, count);
  if (!launch.is_timed()) expect_shares(out, std::span(values).subspan(offset), case_of(n, launch.shape()));
  return launch;
}
/// The whole tiles among n elements.
inline Launch run_sum_tiles(Device& device, unsigned n, unsigned blocks) {
  constexpr unsigned tile = 4 * roof_loads * roof_threads;
  return run_shares(device, sum_tiles, n / tile * tile, n / tile, blocks);
}
inline Launch run_sum_wide(Device& device, unsigned n, unsigned blocks, unsigned offset) {
  return run_shares(device, sum_wide, n, n, blocks, offset);
}

/// What reduce_to_the_roof needs besides its input, and keeps between launches.
struct RoofScratch {
  RoofScratch(Device& device, unsigned blocks)
      : partials(device.poisoned<float>("partials", blocks)), ticket(device.zeroed<unsigned>("ticket", 1)) {}
  Buffer<float> partials;
  Buffer<unsigned> ticket;
};

inline Launch run_roof(Device& device, unsigned n, unsigned blocks, unsigned offset = 0) {
  constexpr unsigned exact = 1u << 22;  // no sum of this many elements up to 3 is above 2^24
  const auto values = harness::random_integers(n + offset, n, 1, 3);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<float>("out", 1);
  const RoofScratch scratch(device, blocks);
  Launch launch = device.launch(reduce_to_the_roof, roof_shape(blocks), in.from(offset), out, n,
                                scratch.partials, scratch.ticket);
  if (!launch.is_timed()) {
    const auto own = std::span(values).subspan(offset);
    harness::expect_close(out, harness::sum(own), n <= exact ? 0 : harness::sum_error_bound(own, exact),
                          case_of(n, launch.shape()));
  }
  return launch;
}

}  // namespace warpwise::ch05
