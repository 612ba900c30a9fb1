#pragma once
/// \file The host type of each PTX type, and how a value of it lies in a cell of a row.

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "../../ptx.hpp"
#include "lane_operations.hpp"

namespace warpwise::simulator::decode::instructions {

/// IEEE binary16, as its bits (f16).
struct Half {
  std::uint16_t bits = 0;
};
/// The upper half of a binary32, as its bits (bf16).
struct BFloat {
  std::uint16_t bits = 0;
};
/// Two values in 32 bits: f16x2, bf16x2, u16x2, s16x2.
template <class T>
struct Two {
  T low{}, high{};
};
/// b128.
struct Bits128 {
  std::uint64_t low = 0, high = 0;
};

template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;
template <class T>
inline constexpr bool is_short_real = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;

/// Bits of a cell: 32 for every type of at most 32 bits (lanes.hpp).
template <class T>
using Cell = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

/// Bits exactly as wide as T.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
constexpr T value_in(Cell<T> cell) {
  return std::bit_cast<T>(static_cast<BitsOf<T>>(cell));
}

/// Signed values narrower than the cell are sign-extended: PTX asks so of destinations that are wider than
/// the instruction (PTX ISA 9.4.1), and it costs nothing elsewhere.
template <class T>
constexpr Cell<T> cell_of(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<Cell<T>>(value);
  } else {
    return std::bit_cast<BitsOf<T>>(value);
  }
}

template <class T>
constexpr Width width_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return Width::pred;
  } else if constexpr (std::is_same_v<T, Bits128>) {
    return Width::b128;
  } else {
    return sizeof(T) == 8 ? Width::b64 : Width::b32;
  }
}

/// The PTX type that an immediate of host type T is read as.
template <class T>
constexpr ptx::Type immediate_type_of() {
  using ptx::Type;
  if constexpr (std::is_same_v<T, bool>) return Type::pred;
  if constexpr (std::is_same_v<T, float>) return Type::f32;
  if constexpr (std::is_same_v<T, double>) return Type::f64;
  if constexpr (std::is_same_v<T, Half>) return Type::f16;
  if constexpr (std::is_same_v<T, BFloat>) return Type::bf16;
  if constexpr (std::is_same_v<T, Bits128>) return Type::b128;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return std::array{Type::s8, Type::s16, Type::s32, Type::s64}[std::countr_zero(sizeof(T))];
  } else {
    return std::array{Type::b8, Type::b16, Type::b32, Type::b64}[std::countr_zero(sizeof(T) & 15)];
  }
}

/// Host type of a PTX type: b types are unsigned.
template <ptx::Type type>
struct HostOf;
#define WARPWISE_HOST_TYPE(ptx_type, host) \
  template <>                              \
  struct HostOf<ptx::Type::ptx_type> {     \
    using Value = host;                    \
  }
WARPWISE_HOST_TYPE(b8, std::uint8_t);
WARPWISE_HOST_TYPE(b16, std::uint16_t);
WARPWISE_HOST_TYPE(b32, std::uint32_t);
WARPWISE_HOST_TYPE(b64, std::uint64_t);
WARPWISE_HOST_TYPE(b128, Bits128);
WARPWISE_HOST_TYPE(u8, std::uint8_t);
WARPWISE_HOST_TYPE(u16, std::uint16_t);
WARPWISE_HOST_TYPE(u32, std::uint32_t);
WARPWISE_HOST_TYPE(u64, std::uint64_t);
WARPWISE_HOST_TYPE(s8, std::int8_t);
WARPWISE_HOST_TYPE(s16, std::int16_t);
WARPWISE_HOST_TYPE(s32, std::int32_t);
WARPWISE_HOST_TYPE(s64, std::int64_t);
WARPWISE_HOST_TYPE(f16, Half);
WARPWISE_HOST_TYPE(f16x2, Two<Half>);
WARPWISE_HOST_TYPE(bf16, BFloat);
WARPWISE_HOST_TYPE(bf16x2, Two<BFloat>);
WARPWISE_HOST_TYPE(f32, float);
WARPWISE_HOST_TYPE(f64, double);
WARPWISE_HOST_TYPE(pred, bool);
#undef WARPWISE_HOST_TYPE

}  // namespace warpwise::simulator::decode::instructions
