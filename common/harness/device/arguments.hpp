#pragma once
/// \file Turns the arguments of a launch into what cuLaunchKernel takes: one pointer to each value.

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "memory.hpp"

namespace warpwise::harness {

namespace detail {

template <class T>
struct IsBuffer : std::false_type {};
template <class T>
struct IsBuffer<Buffer<T>> : std::true_type {
  using Element = T;
};
template <class T>
struct IsBuffer<DevicePointer<T>> : std::true_type {
  using Element = T;
};

template <class Parameter, class Argument>
constexpr bool accepts_argument() {
  using Plain = std::remove_cvref_t<Argument>;
  if constexpr (std::is_pointer_v<Parameter>) {
    if constexpr (IsBuffer<Plain>::value) {
      using Pointee = std::remove_pointer_t<Parameter>;
      return std::is_same_v<std::remove_cv_t<Pointee>, typename IsBuffer<Plain>::Element>;
    } else {
      return std::is_same_v<Plain, std::nullptr_t>;
    }
  } else if constexpr (std::is_integral_v<Parameter>) {
    return std::is_integral_v<Plain>;  // a float for an `unsigned n` is a mistake, not a conversion
  } else {
    return std::is_convertible_v<Argument, Parameter>;
  }
}

}  // namespace detail

/// Whether a launch may pass an `Argument` for a `Parameter` of the kernel: Buffer<T> or DevicePointer<T> for
/// T* and const T*, nullptr for any pointer, whole numbers for whole numbers, else what converts.
template <class Parameter, class Argument>
inline constexpr bool accepts = detail::accepts_argument<Parameter, Argument>();

/// The values of one launch, in the types of the kernel's parameters. `pointers()` points into it.
template <class... Parameters>
class PackedArguments {
 public:
  template <class... Arguments>
  explicit PackedArguments(const Arguments&... arguments)
      : values_(stored<Parameters>(arguments)...),
        pointers_(addresses(std::index_sequence_for<Parameters...>{})) {}

  PackedArguments(const PackedArguments&) = delete;  ///< its pointers point into itself
  PackedArguments& operator=(const PackedArguments&) = delete;

  const std::array<const void*, sizeof...(Parameters)>& pointers() const { return pointers_; }

  /// The bytes of each value.
  static constexpr std::array<std::size_t, sizeof...(Parameters)> sizes() {
    return {sizeof(Stored<Parameters>)...};
  }

  /// The addresses that go to a `T*`, and may be written.
  std::vector<std::uint64_t> written() const {
    std::vector<std::uint64_t> read, written;
    collect(std::index_sequence_for<Parameters...>{}, read, written);
    std::erase(written, 0);
    return written;
  }
  /// The addresses that go to a `const T*` and to no `T*`.
  std::vector<std::uint64_t> only_read() const {
    std::vector<std::uint64_t> read, written;
    collect(std::index_sequence_for<Parameters...>{}, read, written);
    std::erase_if(read, [&](std::uint64_t address) {
      return address == 0 || std::find(written.begin(), written.end(), address) != written.end();
    });
    return read;
  }

 private:
  template <class Parameter>
  using Stored = std::conditional_t<std::is_pointer_v<Parameter>, std::uint64_t, Parameter>;

  template <class Parameter, class Argument>
  static Stored<Parameter> stored(const Argument& argument) {
    if constexpr (std::is_same_v<Argument, std::nullptr_t>) {
      return 0;
    } else if constexpr (std::is_pointer_v<Parameter>) {
      return argument.address();
    } else {
      return static_cast<Parameter>(argument);
    }
  }

  template <std::size_t... Index>
  void collect(std::index_sequence<Index...>, std::vector<std::uint64_t>& read,
               std::vector<std::uint64_t>& written) const {
    const auto take = [&]<class Parameter>(std::type_identity<Parameter>, std::uint64_t address) {
      (std::is_const_v<std::remove_pointer_t<Parameter>> ? read : written).push_back(address);
    };
    const auto take_pointer = [&]<class Parameter>(std::type_identity<Parameter> type, const auto& value) {
      if constexpr (std::is_pointer_v<Parameter>) take(type, value);
    };
    (take_pointer(std::type_identity<Parameters>{}, std::get<Index>(values_)), ...);
  }

  template <std::size_t... Index>
  std::array<const void*, sizeof...(Parameters)> addresses(std::index_sequence<Index...>) const {
    return {static_cast<const void*>(&std::get<Index>(values_))...};
  }

  std::tuple<Stored<Parameters>...> values_;
  std::array<const void*, sizeof...(Parameters)> pointers_;
};

}  // namespace warpwise::harness
