#pragma once
/// \file What the integer instructions compute for one lane (PTX ISA 9.7.1).

#include <cstdint>
#include <limits>
#include <type_traits>

#include "values.hpp"

namespace warpwise::simulator::decode::instructions {

/// Type in which T's arithmetic may wrap: unsigned, and never promoted to int.
template <class T>
using Wrap = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
constexpr Wrap<T> wrap(T a) {
  return static_cast<Wrap<T>>(a);
}

/// Twice as wide, same sign.
template <class T>
struct Wider;
template <>
struct Wider<std::uint16_t> {
  using Value = std::uint32_t;
};
template <>
struct Wider<std::int16_t> {
  using Value = std::int32_t;
};
template <>
struct Wider<std::uint32_t> {
  using Value = std::uint64_t;
};
template <>
struct Wider<std::int32_t> {
  using Value = std::int64_t;
};
template <>
struct Wider<std::uint64_t> {
  __extension__ using Value = unsigned __int128;
};
template <>
struct Wider<std::int64_t> {
  __extension__ using Value = __int128;
};
template <class T>
using WiderOf = typename Wider<T>::Value;

template <class T>
constexpr T add(T a, T b) {
  return static_cast<T>(wrap(a) + wrap(b));
}
template <class T>
constexpr T sub(T a, T b) {
  return static_cast<T>(wrap(a) - wrap(b));
}
template <class T>
constexpr T mul_lo(T a, T b) {
  return static_cast<T>(wrap(a) * wrap(b));
}
template <class T>
constexpr WiderOf<T> mul_wide(T a, T b) {
  return static_cast<WiderOf<T>>(static_cast<WiderOf<T>>(a) * static_cast<WiderOf<T>>(b));
}
template <class T>
constexpr T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> (8 * sizeof(T)));
}
template <class T>
constexpr T mad_lo(T a, T b, T c) {
  return add(mul_lo(a, b), c);
}
template <class T>
constexpr T mad_hi(T a, T b, T c) {
  return add(mul_hi(a, b), c);
}
template <class T>
constexpr WiderOf<T> mad_wide(T a, T b, WiderOf<T> c) {
  return add(mul_wide(a, b), c);
}

constexpr std::int32_t saturate(std::int64_t a) {
  constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(a < least ? least : a > most ? most : a);
}
constexpr std::int32_t add_saturated(std::int32_t a, std::int32_t b) { return saturate(std::int64_t{a} + b); }
constexpr std::int32_t sub_saturated(std::int32_t a, std::int32_t b) { return saturate(std::int64_t{a} - b); }
constexpr std::int32_t mad_hi_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturate(std::int64_t{mul_hi(a, b)} + c);
}

/// Division by zero is unspecified in the manual; the hardware gives all ones.
template <class T>
constexpr T div(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return sub(T{0}, a);  // the least value stays what it is
  }
  return static_cast<T>(a / b);
}
/// The remainder by zero is unspecified in the manual; the hardware (H200) gives all ones.
template <class T>
constexpr T rem(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// For 16 and 32 bits, without branches, so that a whole row is one vector division. Exact: where the
/// quotient is no whole number it lies at least 1/b below the next one, far more than double rounds away.
template <class T>
constexpr T narrow_div(T a, T b) {
  const double quotient = static_cast<double>(a) / static_cast<double>(b == 0 ? T{1} : b);
  return b == 0 ? static_cast<T>(-1) : static_cast<T>(static_cast<std::int64_t>(quotient));
}
template <class T>
constexpr T narrow_rem(T a, T b) {
  const double quotient = static_cast<double>(a) / static_cast<double>(b == 0 ? T{1} : b);
  const auto whole = static_cast<std::int64_t>(quotient);
  return b == 0 ? static_cast<T>(-1) : static_cast<T>(std::int64_t{a} - whole * std::int64_t{b});
}

template <class T>
constexpr T neg(T a) {
  return sub(T{0}, a);
}
template <class T>
constexpr T abs(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
constexpr T min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr T max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
constexpr T min_relu(T a, T b) {
  return max(T{0}, min(a, b));
}
template <class T>
constexpr T max_relu(T a, T b) {
  return max(T{0}, max(a, b));
}
template <class T>
constexpr T bit_and(T a, T b) {
  return a & b;
}
template <class T>
constexpr T bit_or(T a, T b) {
  return a | b;
}
template <class T>
constexpr T bit_xor(T a, T b) {
  return a ^ b;
}
template <class T>
constexpr T sad(T a, T b, T c) {
  return add(c, a < b ? sub(b, a) : sub(a, b));
}

/// The low 24 bits, extended as T's sign asks.
template <class T>
constexpr std::int64_t low24(T a) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<std::int32_t>(wrap(a) << 8) >> 8;
  } else {
    return a & 0xffffffu;
  }
}
template <class T>
constexpr T mul24_lo(T a, T b) {
  return static_cast<T>(low24(a) * low24(b));
}
template <class T>
constexpr T mul24_hi(T a, T b) {
  return static_cast<T>(low24(a) * low24(b) >> 16);
}
template <class T>
constexpr T mad24_lo(T a, T b, T c) {
  return add(mul24_lo(a, b), c);
}
template <class T>
constexpr T mad24_hi(T a, T b, T c) {
  return add(mul24_hi(a, b), c);
}
constexpr std::int32_t mad24_hi_saturated(std::int32_t a, std::int32_t b, std::int32_t c) {
  return saturate(std::int64_t{mul24_hi(a, b)} + c);
}

/// Bits [first, first + bits) of a, extended as asked. Dot products wrap, so that unsigned does for both.
constexpr std::uint32_t piece(bool is_signed, std::uint32_t a, unsigned first, unsigned bits) {
  const std::uint32_t top = a << (32 - first - bits);
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(top) >> (32 - bits))
                   : top >> (32 - bits);
}
/// Which factors are signed.
enum class Signs { none, first, second, both };
constexpr std::uint32_t product_of_pieces(Signs signs, std::uint32_t a, unsigned first_a, unsigned bits_a,
                                          std::uint32_t b, unsigned first_b) {
  return piece(signs == Signs::first || signs == Signs::both, a, first_a, bits_a) *
         piece(signs == Signs::second || signs == Signs::both, b, first_b, 8);
}
constexpr std::uint32_t dp4a(Signs signs, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned k = 0; k < 32; k += 8) c += product_of_pieces(signs, a, k, 8, b, k);
  return c;
}
/// `first`: 0 for .lo, 16 for .hi: which two bytes of b.
template <unsigned first>
constexpr std::uint32_t dp2a(Signs signs, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return c + product_of_pieces(signs, a, 0, 16, b, first) + product_of_pieces(signs, a, 16, 16, b, first + 8);
}

constexpr std::uint32_t abs_difference4(std::uint32_t a, std::uint32_t b, std::uint32_t) {
  std::uint32_t result = 0;
  for (unsigned k = 0; k < 32; k += 8) {
    result |= static_cast<std::uint32_t>(sad<std::int32_t>(a >> k & 255, b >> k & 255, 0)) << k;
  }
  return result;
}
constexpr std::uint32_t abs_difference4_sum(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned k = 0; k < 32; k += 8) {
    c += static_cast<std::uint32_t>(sad<std::int32_t>(a >> k & 255, b >> k & 255, 0));
  }
  return c;
}

}  // namespace warpwise::simulator::decode::instructions
