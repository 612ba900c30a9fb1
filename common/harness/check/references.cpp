#include "references.hpp"

namespace warpwise::harness {

std::vector<double> block_sums(const std::vector<float>& values, unsigned block) {
  return block_reductions<operators::Sum>(values, block);
}

double sum(std::span<const float> values) { return reduce<operators::Sum>(values); }

double sum_error_bound(std::span<const float> values, unsigned additions) {
  double magnitude = 0;
  for (const float value : values) magnitude += std::abs(static_cast<double>(value));
  const double unit = additions * 0x1p-24;  // 2^-24 is half an ulp of 1: what rounding to nearest may lose
  return unit / (1 - unit) * magnitude;
}

std::vector<double> block_sum_error_bounds(const std::vector<float>& values, unsigned block,
                                           unsigned additions) {
  return for_each_stretch(values, block,
                          [&](std::span<const float> part) { return sum_error_bound(part, additions); });
}

}  // namespace warpwise::harness
