#pragma once
/// \file What the scans must compute, one element after the other.

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "common/harness/check/references.hpp"

namespace warpwise::ch06 {

enum class ScanKind { inclusive, exclusive };

/// The running sums of `values`, starting again after every `stretch` elements. In double for floats, which
/// is exact for the values of the checks: integers, and floats whose sums fit into the 53 bits of a double.
template <class T>
std::vector<harness::ReferenceType<T>> running_sums(const std::vector<T>& values, std::size_t stretch,
                                                    ScanKind kind) {
  using R = harness::ReferenceType<T>;
  std::vector<R> sums(values.size());
  R sum{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % stretch == 0) sum = R{};
    const R before = sum;
    sum += static_cast<R>(values[i]);
    sums[i] = kind == ScanKind::inclusive ? sum : before;
  }
  return sums;
}

/// The sum of each stretch; at least one.
template <class T>
std::vector<harness::ReferenceType<T>> stretch_sums(const std::vector<T>& values, unsigned stretch) {
  return harness::block_reductions<harness::operators::Sum>(values, stretch);
}

/// The error allowed for each running sum of floats if an element goes through at most `additions` additions:
/// harness::sum_error_bound of the elements in that sum only.
inline std::vector<double> running_sum_error_bounds(const std::vector<float>& values, std::size_t stretch,
                                                    ScanKind kind, unsigned additions) {
  std::vector<double> bounds(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = i / stretch * stretch;
    const std::size_t count = i - begin + (kind == ScanKind::inclusive ? 1 : 0);
    bounds[i] = harness::sum_error_bound(std::span(values).subspan(begin, count), additions);
  }
  return bounds;
}

}  // namespace warpwise::ch06
