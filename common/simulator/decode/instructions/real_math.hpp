#pragma once
/// \file What the floating-point instructions share: flushing, saturation, NaN, short formats, min and max.
/// Source: PTX ISA 9.7.3 (f32 NaN results are the canonical NaN; f64 keeps payloads, as the host does).

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "rounding.hpp"
#include "values.hpp"

namespace warpwise::simulator::decode::instructions {

/// The NaN that every f32, f16 and bf16 operation gives.
inline constexpr std::uint32_t nan_bits = 0x7fffffff;
inline constexpr std::uint16_t short_nan_bits = 0x7fff;

template <class T>
constexpr bool is_nan(T a) {
  return a != a;
}
constexpr float canonical(float a) { return is_nan(a) ? std::bit_cast<float>(nan_bits) : a; }
constexpr double canonical(double a) { return a; }

/// `.ftz`: subnormals become zeros of the same sign.
template <bool ftz>
constexpr float flush(float a) {
  if constexpr (!ftz) return a;
  const auto bits = std::bit_cast<std::uint32_t>(a);
  return std::bit_cast<float>((bits & 0x7f800000u) != 0 ? bits : bits & 0x80000000u);
}
template <bool ftz>
constexpr double flush(double a) {
  return a;
}

/// `.sat`: clamped to [0, 1]; NaN and -0 become +0.
template <class T>
constexpr T clamp01(T a) {
  return a > T{0} ? (a < T{1} ? a : T{1}) : T{0};
}

/// How f16 and bf16 results are clamped.
enum class Clamp : std::uint8_t { none, sat, relu };
constexpr double clamped_by(Clamp clamp, double a) {
  if (clamp == Clamp::sat) return clamp01(a);
  return clamp == Clamp::relu && a <= 0 ? 0 : a;
}

/// What happens to every result: flushed, clamped, NaN made canonical.
template <bool ftz, bool sat, class T>
constexpr T finish(T a) {
  const T flushed = flush<ftz>(a);
  return sat ? clamp01(flushed) : canonical(flushed);
}

template <class T>
constexpr T with_sign(T magnitude, BitsOf<T> sign_bit) {
  constexpr BitsOf<T> sign = BitsOf<T>{1} << (8 * sizeof(T) - 1);
  return std::bit_cast<T>((std::bit_cast<BitsOf<T>>(magnitude) & ~sign) | (sign_bit & sign));
}
template <class T>
constexpr T without_sign(T a) {
  return with_sign(a, 0);
}
template <class T>
constexpr T negated(T a) {
  return with_sign(a, ~std::bit_cast<BitsOf<T>>(a));
}

/// a + b in double, rounded to odd: where inexact, the last bit is 1. Rounding that once more to a shorter
/// format gives what rounding the exact sum would (Boldo and Melquiond, "Emulation of FMA and correctly
/// rounded sums", 2008). Infinities and NaN have no error term and pass.
constexpr double sum_to_odd(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double error = (a - (sum - part)) + (b - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  const std::uint64_t away = (error > 0) == (sum > 0) ? bits + 1 : bits - 1;
  const bool is_even_and_inexact = (bits & 1) == 0 && (error > 0 || error < 0);
  return std::bit_cast<double>(is_even_and_inexact ? away : bits);
}

/// Rounded once. The product of two floats is exact in double.
inline float fused(float a, float b, float c) {
#ifdef __FMA__
  return std::fma(a, b, c);
#else
  return static_cast<float>(sum_to_odd(static_cast<double>(a) * b, c));
#endif
}
inline double fused(double a, double b, double c) { return std::fma(a, b, c); }

/// min and max (PTX ISA 9.7.3.11): one NaN gives the other value, two the canonical NaN; with `.NaN` one is
/// enough; -0 < +0.
template <class T, bool is_max, bool nan>
constexpr T least_or_most(T a, T b) {
  const bool a_below = a < b || (a == b && std::bit_cast<BitsOf<T>>(a) >> (8 * sizeof(T) - 1) != 0);
  const T ordered = a_below != is_max ? a : b;
  if constexpr (nan) return canonical(is_nan(a) ? a : is_nan(b) ? b : ordered);
  return canonical(is_nan(a) ? b : is_nan(b) ? a : ordered);
}

// ---- f16 and bf16 --------------------------------------------------------------------------------------

constexpr float widen(BFloat a) { return std::bit_cast<float>(std::uint32_t{a.bits} << 16); }
constexpr float widen(Half a) {
  const std::uint32_t magnitude = (a.bits & 0x7fffu) << 13;
  // Scaling by 2^112 moves the exponent, subnormals included; infinity and NaN are put right afterwards.
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const std::uint32_t special = (a.bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | (a.bits & 0x8000u) << 16);
}

template <class H>
struct ShortFormat;
template <>
struct ShortFormat<Half> {
  static constexpr int fraction = 10, least_exponent = -14, most_exponent = 15;
};
template <>
struct ShortFormat<BFloat> {
  static constexpr int fraction = 7, least_exponent = -126, most_exponent = 127;
};

/// True where the kept part of a magnitude must grow by one unit.
constexpr bool rounds_up(Rounding rounding, bool is_negative, bool is_odd, std::uint64_t rest,
                         std::uint64_t half) {
  switch (rounding) {
    case Rounding::nearest:
      return rest > half || (rest == half && is_odd);
    case Rounding::up:
      return !is_negative && rest != 0;
    case Rounding::down:
      return is_negative && rest != 0;
    case Rounding::zero:
      break;
  }
  return false;
}

/// `a` rounded to f16 or bf16. NaN gives the canonical NaN.
template <class H>
constexpr H narrow(double a, Rounding rounding = Rounding::nearest) {
  using F = ShortFormat<H>;
  if (is_nan(a)) return {short_nan_bits};
  const auto bits = std::bit_cast<std::uint64_t>(a);
  const bool is_negative = bits >> 63 != 0;
  const auto sign = static_cast<std::uint16_t>(is_negative ? 0x8000 : 0);
  constexpr auto infinity =
      static_cast<std::uint16_t>((F::most_exponent - F::least_exponent + 2) << F::fraction);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  if (exponent == 1024) return {static_cast<std::uint16_t>(sign | infinity)};
  if (exponent == -1023 && (bits << 12) == 0) return {sign};
  if (exponent > F::most_exponent) {
    const bool grows = rounds_up(rounding, is_negative, true, 3, 1);
    return {static_cast<std::uint16_t>(sign | (infinity - (grows ? 0 : 1)))};
  }
  const std::uint64_t significand = (bits & 0xfffffffffffffu) | (std::uint64_t{1} << 52);
  const bool is_subnormal = exponent < F::least_exponent;
  int drop = 52 - F::fraction + (is_subnormal ? F::least_exponent - exponent : 0);
  if (drop > 62) drop = 62;  // far below: only "not zero" matters, and half a unit stays above it
  std::uint64_t kept = significand >> drop;
  const std::uint64_t rest = significand & ((std::uint64_t{1} << drop) - 1);
  kept += rounds_up(rounding, is_negative, (kept & 1) != 0, rest, std::uint64_t{1} << (drop - 1));
  // The hidden bit adds one to the exponent field, and so does a carry out of the fraction.
  const int field = is_subnormal ? 0 : exponent - F::least_exponent;
  return {static_cast<std::uint16_t>(sign | (kept + (static_cast<std::uint64_t>(field) << F::fraction)))};
}

}  // namespace warpwise::simulator::decode::instructions
