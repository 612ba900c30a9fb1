#pragma once
/// \file A launch of which terms prove nothing is made again with other values of an input: those that the
/// kernel's own comparisons part from their neighbours, and those that kernels stumble over. The same
/// question is asked of what it leaves:
///
///     return {"counts the keys", [=](const Buffer<unsigned>& histogram) {
///               ask_with_other_values(histogram.memory(), {keys, "keys"}, [&](const auto& keys) {
///                 require(histogram, Holds(histogram_of(keys, start)));
///               });
///             }};

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "../device/device_memory.hpp"
#include "proof.hpp"
#include "references.hpp"

namespace warpwise::harness {

/// The elements of an array that a launch has got.
template <class T>
struct Input {
  std::span<const T> values;
  std::string array = "in";
  /// Whether the contract allows these, and the question has one answer for them.
  std::function<bool(const std::vector<T>&)> admits = {};
  /// Makes an element that it allows of any other.
  std::function<T(T)> fitted = {};
};

// What Input::admits can be.

/// Floats whose sum is exact in any order, but for an infinity or NaN that decides it, or equal ones beside
/// zeros, of which any two overflow; whole numbers of which any neighbours add up to one of the type.
template <class T>
bool add_up_exactly(const std::vector<T>& values) {
  if constexpr (std::is_floating_point_v<T>) {
    if (values.empty()) return true;
    const T most =
        *std::max_element(values.begin(), values.end(), [](T a, T b) { return std::abs(a) < std::abs(b); });
    if (std::abs(most) > std::numeric_limits<T>::max() / 2 &&
        std::all_of(values.begin(), values.end(), [=](T value) { return value == 0 || value == most; }))
      return true;
    int lowest_bit = std::numeric_limits<int>::max();
    double magnitude = 0;
    for (const T value : values) {
      const double size = std::abs(static_cast<double>(value));
      const auto bits = std::bit_cast<std::uint64_t>(size);  // 11 of the exponent, 52 of the fraction
      const int exponent = static_cast<int>(bits >> 52);
      if (exponent == 2047 || bits == 0) continue;
      const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
      const std::uint64_t digits = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
      lowest_bit = std::min(lowest_bit, std::max(exponent, 1) - 1075 + std::countr_zero(digits));
      magnitude += size;
    }
    return magnitude <= std::ldexp(1.0, std::min(lowest_bit, 1000) + std::numeric_limits<T>::digits) &&
           magnitude <= static_cast<double>(std::numeric_limits<T>::max());
  } else if constexpr (std::is_unsigned_v<T>) {
    return true;
  } else {
    std::int64_t most = 0, least = 0;  // of the sums that end here
    for (const T value : values) {
      most = std::max<std::int64_t>(most, 0) + value;
      least = std::min<std::int64_t>(least, 0) + value;
      if (most > std::numeric_limits<T>::max() || least < std::numeric_limits<T>::min()) return false;
    }
    return true;
  }
}
/// All but one are 1, -1, 0 or no numbers, so that a product rounds nowhere.
template <class T>
bool multiply_exactly(const std::vector<T>& values) {
  if constexpr (std::is_floating_point_v<T>)
    return std::count_if(values.begin(), values.end(), [](T value) {
             return std::isfinite(value) && value != 0 && std::abs(value) != 1;
           }) <= 1;
  return true;
}
template <class Operator, class T>
bool have_one_result(const std::vector<T>& values) {
  if constexpr (std::is_same_v<Operator, operators::Sum>) return add_up_exactly(values);
  if constexpr (std::is_same_v<Operator, operators::Product>) return multiply_exactly(values);
  return true;
}

namespace detail {

struct ElementType {
  unsigned bytes = 0;
  bool is_float = false, is_signed = false;
};
template <class T>
constexpr ElementType element_type() {
  return {sizeof(T), std::is_floating_point_v<T>, std::is_signed_v<T>};
}

/// Of an array with other values; says whether the launch was made with them.
using Offer = std::function<bool(std::span<const std::byte> contents, const std::string& what)>;
/// Of the `size` elements of an array, where the latest launch on `memory` was followed and can be made
/// again.
void offer_other_values(DeviceMemory& memory, const std::string& array, ElementType type, std::size_t size,
                        const Offer& offer);
/// The launch once more; fails where it has a finding or `ask` does.
void launch_with(DeviceMemory& memory, const std::string& array, std::span<const std::byte> contents,
                 const std::string& what, const std::function<void()>& ask);

}  // namespace detail

/// Whether `ask()`, of the launch as it was, leaves something that is not proved. It throws CheckFailed where
/// results are wrong.
template <class Ask>
bool is_undecided(Ask ask) {
  take_all_proved();
  ask();
  return !take_all_proved();
}
/// `ask(values)` of the launch with others. To be called where is_undecided().
template <class T, class Ask>
void ask_again_with_other_values(DeviceMemory& memory, const Input<T>& input, Ask ask) {
  detail::offer_other_values(memory, input.array, detail::element_type<T>(), input.values.size(),
                             [&](std::span<const std::byte> contents, const std::string& what) {
                               std::vector<T> values(contents.size() / sizeof(T));
                               std::memcpy(values.data(), contents.data(), contents.size());
                               if (input.fitted)
                                 for (T& value : values) value = input.fitted(value);
                               if (input.admits && !input.admits(values)) return false;
                               detail::launch_with(memory, input.array, std::as_bytes(std::span(values)),
                                                   what, [&] { ask(values); });
                               return true;
                             });
}
/// `ask(values)` of the launch as it was, and of others.
template <class T, class Ask>
void ask_with_other_values(DeviceMemory& memory, const Input<T>& input, Ask ask) {
  if (is_undecided([&] { ask(std::vector<T>(input.values.begin(), input.values.end())); }))
    ask_again_with_other_values(memory, input, ask);
}

}  // namespace warpwise::harness
