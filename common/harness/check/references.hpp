#pragma once
/// \file What kernels should have computed: sequential, in higher precision, written to be obviously right.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace warpwise::harness {

/// Operators of reductions with their identities: what an element past the end must count as. T is the type
/// that the reference computes in: double for floats, the type itself for whole numbers.
namespace operators {
struct Sum {
  template <class T>
  static constexpr T identity = T{0};
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct Product {
  template <class T>
  static constexpr T identity = T{1};
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};
struct Max {
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::lowest();
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>)
      return std::fmax(a, b);  // NaN loses against every number
    else
      return std::max(a, b);
  }
};
struct Min {
  template <class T>
  static constexpr T identity = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                                     : std::numeric_limits<T>::max();
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::floating_point<T>)
      return std::fmin(a, b);
    else
      return std::min(a, b);
  }
};
struct LogicalAnd {
  template <class T>
  static constexpr T identity = T{1};
  template <class T>
  T operator()(T a, T b) const {
    return a != T{0} && b != T{0} ? T{1} : T{0};
  }
};
struct LogicalOr {
  template <class T>
  static constexpr T identity = T{0};
  template <class T>
  T operator()(T a, T b) const {
    return a != T{0} || b != T{0} ? T{1} : T{0};
  }
};
struct BitAnd {
  template <std::integral T>
  static constexpr T identity = static_cast<T>(~T{0});
  template <std::integral T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <std::integral T>
  static constexpr T identity = T{0};
  template <std::integral T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
}  // namespace operators

/// float is computed in double; everything else in itself.
template <class T>
using ReferenceType = std::conditional_t<std::is_same_v<T, float>, double, T>;

/// All of `values`, from left to right; the identity where there are none.
template <class Operator, class T>
ReferenceType<T> reduce(std::span<const T> values, Operator combine = {}) {
  using R = ReferenceType<T>;
  R result = Operator::template identity<R>;
  for (const T value : values) result = combine(result, static_cast<R>(value));
  return result;
}
template <class Operator, class T>
ReferenceType<T> reduce(const std::vector<T>& values, Operator combine = {}) {
  return reduce(std::span<const T>(values), combine);
}

/// What a float holds of a sum in double that is too large for it.
inline double in_float(double sum) {
  const double most = std::numeric_limits<float>::max();
  return sum > most ? HUGE_VAL : sum < -most ? -HUGE_VAL : sum;
}

/// `result_of(part)` for each stretch of `stretch` elements (the last may be shorter); at least one, so that
/// an empty input gives a result for its only block.
template <class T, class ResultOf>
auto for_each_stretch(const std::vector<T>& values, std::size_t stretch, ResultOf result_of) {
  const std::span<const T> all(values);
  std::vector<decltype(result_of(all))> results;
  std::size_t begin = 0;
  do {
    const std::size_t end = std::min(begin + stretch, all.size());
    results.push_back(result_of(all.subspan(begin, end - begin)));
    begin = end;
  } while (begin < all.size());
  return results;
}

/// The reduction of each stretch.
template <class Operator, class T>
std::vector<ReferenceType<T>> block_reductions(const std::vector<T>& values, unsigned stretch,
                                               Operator combine = {}) {
  return for_each_stretch(values, stretch, [&](std::span<const T> part) { return reduce(part, combine); });
}

/// The sums of blocks of `block` elements; exact for whole numbers, and to double's precision otherwise.
inline std::vector<double> block_sums(const std::vector<float>& values, unsigned block) {
  return block_reductions<operators::Sum>(values, block);
}
inline double sum(std::span<const float> values) { return reduce<operators::Sum>(values); }

/// How far a float sum of `values` may be from the exact one if each element passes through at most
/// `additions` additions: additions * u / (1 - additions * u) * sum |x|, u = 2^-24 (N. Higham, "Accuracy and
/// Stability of Numerical Algorithms", 2nd ed. 2002, section 4.2). A tree over n elements has log2 n
/// additions, a loop n - 1.
inline double sum_error_bound(std::span<const float> values, unsigned additions) {
  double magnitude = 0;
  for (const float value : values) magnitude += std::abs(static_cast<double>(value));
  const double unit = additions * 0x1p-24;  // 2^-24 is half an ulp of 1: what rounding to nearest may lose
  return unit / (1 - unit) * magnitude;
}
/// The same for each block of `block` elements, shapes as block_sums.
inline std::vector<double> block_sum_error_bounds(const std::vector<float>& values, unsigned block,
                                                  unsigned additions) {
  return for_each_stretch(values, block,
                          [&](std::span<const float> part) { return sum_error_bound(part, additions); });
}

}  // namespace warpwise::harness
