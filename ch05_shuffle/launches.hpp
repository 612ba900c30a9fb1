#pragma once
/// \file How the kernels of this chapter are launched: for the checks, the ladder and the programs beside
/// them.

#include "ch05_shuffle/kernels.hpp"
#include "ch05_shuffle/roof.hpp"
#include "common/harness/in_out.hpp"
#include "common/harness/inputs.hpp"
#include "common/harness/shapes.hpp"

namespace warpwise::ch05 {

using harness::Buffer;
using harness::Device;
using harness::InOutKernel;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;
using harness::warps_of;

/// broadcast, shift_up, shift_down; n is rounded up to whole blocks.
inline Launch run_lanes(Device& device, const InOutKernel<float>& kernel, unsigned n, unsigned block,
                        unsigned lanes) {
  const LaunchShape shape = thread_for_each(n, block);
  const auto values = harness::random_integers(32 * warps_of(shape), n);
  return run_in_out(device, kernel, shape, values, values.size(), lanes).launch;
}
inline Launch run_butterfly(Device& device, unsigned n, unsigned block) {
  const LaunchShape shape = thread_for_each(n, block);
  const auto in = device.upload("in", harness::random_integers(32 * warps_of(shape), n));
  const auto out = device.poisoned<float>("out", in.size());
  return device.launch(butterfly_sum, shape, in, out);
}

/// A kernel that leaves one value a warp.
template <class T>
harness::Written<T> run_warps(Device& device, const InOutKernel<T>& kernel, const std::vector<T>& values,
                              unsigned block) {
  const LaunchShape shape = thread_for_each(static_cast<unsigned>(values.size()), block);
  return run_in_out(device, kernel, shape, values, warps_of(shape));
}

inline Launch run_reduce_shuffle(Device& device, unsigned n, const LaunchShape& shape) {
  return run_in_out(device, reduce_shuffle, shape, harness::random_integers(n, n), shape.grid.x).launch;
}
inline Launch run_reduce_atomic(Device& device, unsigned n, const LaunchShape& shape) {
  const auto in = device.upload("in", harness::random_integers(n, n));
  const auto total = device.zeroed<float>("total", 1);  // the kernel adds to it
  return device.launch(reduce_atomic, shape, in, total, n);
}
inline Launch run_reduce_argmax(Device& device, unsigned n, const LaunchShape& shape) {
  const auto in = device.upload("in", harness::random_integers(n, n));
  const auto value = device.poisoned<float>("value", shape.grid.x);
  const auto index = device.poisoned<unsigned>("index", shape.grid.x);
  return device.launch(reduce_argmax, shape, in, value, index, n);
}
inline Launch run_dot_product(Device& device, unsigned n, const LaunchShape& shape) {
  const auto a = device.upload("a", harness::random_integers(n, n));
  const auto b = device.upload("b", harness::random_integers(n, n + 1));
  const auto out = device.poisoned<float>("out", shape.grid.x);
  return device.launch(dot_product, shape, a, b, out, n);
}

inline LaunchShape roof_shape(unsigned blocks) { return {.grid = blocks, .block = roof_threads}; }

/// sum_tiles and sum_wide: every thread leaves its share.
using SharesKernel = Kernel<void(const float*, float*, unsigned)>;
inline Launch run_shares(Device& device, const SharesKernel& kernel, unsigned n, unsigned count,
                         unsigned blocks, unsigned offset = 0) {
  const auto in = device.upload("in", harness::random_integers(n + offset, n));
  const auto out = device.poisoned<float>("out", std::size_t{blocks} * roof_threads);
  return device.launch(kernel, roof_shape(blocks), in.from(offset), out, count);
}
/// The whole tiles among n elements.
inline Launch run_sum_tiles(Device& device, unsigned n, unsigned blocks) {
  constexpr unsigned tile = 4 * roof_loads * roof_threads;
  return run_shares(device, sum_tiles, n / tile * tile, n / tile, blocks);
}
inline Launch run_sum_wide(Device& device, unsigned n, unsigned blocks, unsigned offset) {
  return run_shares(device, sum_wide, n, n, blocks, offset);
}

/// What reduce_to_the_roof needs beside its input, and keeps between launches.
struct RoofScratch {
  RoofScratch(Device& device, unsigned blocks)
      : partials(device.poisoned<float>("partials", blocks)), ticket(device.zeroed<unsigned>("ticket", 1)) {}
  Buffer<float> partials;
  Buffer<unsigned> ticket;
};

inline Launch run_roof(Device& device, unsigned n, unsigned blocks, unsigned offset = 0) {
  const auto in = device.upload("in", harness::random_integers(n + offset, n));
  const auto out = device.poisoned<float>("out", 1);
  const RoofScratch scratch(device, blocks);
  return device.launch(reduce_to_the_roof, roof_shape(blocks), in.from(offset), out, n, scratch.partials,
                       scratch.ticket);
}

}  // namespace warpwise::ch05
