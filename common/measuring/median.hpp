#pragma once
/// \file The middle of repeated measurements, and how sure it is. C++17, for nvcc's programs too.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace warpwise::measuring {

/// A median with its 95 % confidence interval.
struct Median {
  double median = 0, low = 0, high = 0;
};

/// Of values in any order; nothing is assumed of how they are distributed. The interval's ends are two of the
/// values: those about 0.98 * sqrt(n) places on either side of the middle. Source: W. Conover, "Practical
/// Nonparametric Statistics", 3rd ed., section 3.2. Below six values they are the smallest and the largest,
/// and the confidence is less. Throws std::invalid_argument where there is no value.
inline Median median_of(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("the median of no values");
  std::sort(values.begin(), values.end());
  const std::size_t count = values.size(), half = count / 2;
  const double reach = 0.98 * std::sqrt(static_cast<double>(count));
  const double last = static_cast<double>(count - 1), centre = last / 2;
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(centre - reach)));
  const auto high = static_cast<std::size_t>(std::min(last, std::ceil(centre + reach)));
  const double median = count % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values[low], values[high]};
}

}  // namespace warpwise::measuring
