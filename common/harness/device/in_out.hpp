#pragma once
/// \file Kernels that read one array and write another: `kernel(in, out, n)`, the form of most of the course.

#include <vector>

#include "device.hpp"

namespace warpwise::harness {

template <class In, class Out = In>
using InOutKernel = Kernel<void(const In*, Out*, unsigned)>;

/// A launch, and the array that it wrote.
template <class T>
struct Written {
  Launch launch;
  Buffer<T> out;
};

/// Launches `kernel` on `values`, which it gets as `in`, with an `out` of `results` elements in which nothing
/// is written. `last` is the third argument: how many elements there are, or what the kernel takes in its
/// place.
template <class In, class Out>
Written<Out> run_in_out(Device& device, const InOutKernel<In, Out>& kernel, const LaunchShape& shape,
                        const std::vector<In>& values, std::size_t results, unsigned last) {
  const auto in = device.upload("in", values);
  auto out = device.poisoned<Out>("out", results);
  Launch launch = device.launch(kernel, shape, in, out, last);
  return {std::move(launch), std::move(out)};
}
template <class In, class Out>
Written<Out> run_in_out(Device& device, const InOutKernel<In, Out>& kernel, const LaunchShape& shape,
                        const std::vector<In>& values, std::size_t results) {
  LaunchShape shape_with_n = shape;
  shape_with_n.n = static_cast<unsigned>(values.size());
  return run_in_out(device, kernel, shape_with_n, values, results, *shape_with_n.n);
}

}  // namespace warpwise::harness
