// cvt between floating-point formats, and of two f32 into one register (PTX ISA 9.7.9.21).
#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

enum class Clamp { none, sat, relu };

/// To and from LaneOperation::modifier.
struct How {
  Rounding rounding = Rounding::nearest;
  Clamp clamp = Clamp::none;

  How(Rounding r, Clamp c) : rounding(r), clamp(c) {}
  explicit How(Row modifier)
      : rounding(static_cast<Rounding>(modifier & 3)), clamp(static_cast<Clamp>(modifier >> 2)) {}
  explicit operator Row() const { return static_cast<Row>(rounding) | static_cast<Row>(clamp) << 2; }
};

/// Every source is exact in double.
template <class S, bool ftz>
constexpr double read(S a) {
  if constexpr (is_short_real<S>) {
    return widen(a);
  } else {
    return flush<ftz>(a);
  }
}

template <class D, bool ftz>
D write(How how, double a) {
  if (how.clamp == Clamp::sat) a = clamp01(a);
  if (how.clamp == Clamp::relu && a <= 0) a = 0;
  if constexpr (is_short_real<D>) {
    return narrow<D>(a, how.rounding);
  } else if constexpr (std::is_same_v<D, float>) {
    return finish<ftz, false>(how.rounding == Rounding::nearest ? static_cast<float>(a)
                                                                : narrow_rounded(a, how.rounding));
  } else {
    return a;
  }
}

/// Where the hardware (H200) converts a NaN instead of giving the canonical one: f64 to something shorter
/// keeps sign and upper payload, made quiet.
template <class D, class S>
inline constexpr bool keeps_payload = std::is_same_v<S, double> &&
                                      (std::is_same_v<D, float> || std::is_same_v<D, Half>);
template <class D>
constexpr D converted_nan(double a) {
  const auto bits = std::bit_cast<std::uint64_t>(a);
  if constexpr (std::is_same_v<D, Half>) {
    return {static_cast<std::uint16_t>((bits >> 48 & 0x8000) | 0x7e00 | (bits >> 42 & 0x3ff))};
  } else if constexpr (std::is_same_v<D, float>) {
    return std::bit_cast<float>(
        static_cast<std::uint32_t>((bits >> 32 & 0x80000000u) | 0x7fc00000u | (bits >> 29 & 0x7fffffu)));
  } else {
    return D{};
  }
}

template <class D, class S, bool ftz>
D real_from(How how, S a) {
  if constexpr (std::is_same_v<S, BFloat> && std::is_same_v<D, float>) {
    if (how.clamp == Clamp::none) return flush<ftz>(widen(a));  // NaN too: the bits only move
  } else if constexpr (keeps_payload<D, S>) {
    if (how.clamp == Clamp::none && is_nan(a)) return converted_nan<D>(a);
  }
  return write<D, ftz>(how, read<S, ftz>(a));
}
/// The conversions that kernels are full of: f32 to and from f64, rounded to nearest, and nothing clamped.
template <class D, class S, bool ftz>
D plain_real_from(S a) {
  return real_from<D, S, ftz>(How(Rounding::nearest, Clamp::none), a);
}
/// .rni, .rzi, .rmi, .rpi: to an integral value of the same type.
template <class T, bool ftz>
T integral_from(How how, T a) {
  return write<T, ftz>(How(Rounding::nearest, how.clamp), to_integral(read<T, ftz>(a), how.rounding));
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower one.
template <class H>
Two<H> two_from(How how, float a, float b) {
  return {write<H, false>(how, b), write<H, false>(how, a)};
}

template <class T>
inline constexpr bool is_float = std::is_same_v<T, float>;
/// What D cannot hold of S: only then has the rounding a meaning, and a modifier.
template <class D, class S>
inline constexpr bool narrows = sizeof(D) < sizeof(S) || (sizeof(D) == 2 && !std::is_same_v<D, S>);

template <class D, class S, bool ftz>
LaneOperation find_pair_of_types(Form& form, How how, bool is_integral, bool is_rounded) {
  if (how.clamp == Clamp::relu && !(is_short_real<D> && narrows<D, S>)) form.reject("no .relu here");
  if constexpr (std::is_same_v<D, S>) {
    if (is_integral) return lane_by_lane<integral_from<D, ftz>>(how);
  }
  if (is_integral) form.reject("integral rounding keeps the type");
  if (narrows<D, S> && !is_rounded) form.reject(".rn, .rz, .rm or .rp is missing");
  if (!narrows<D, S> && is_rounded) form.reject("this conversion rounds nothing");
  if constexpr (is_real<D> && !std::is_same_v<D, S>) {
    if (Row(how) == Row(How(Rounding::nearest, Clamp::none))) return vectorised<plain_real_from<D, S, ftz>>();
  }
  return lane_by_lane<real_from<D, S, ftz>>(how);
}

Clamp take_clamp(Form& form) {
  if (form.take("sat")) return Clamp::sat;
  return form.take("relu") ? Clamp::relu : Clamp::none;
}

}  // namespace

LaneOperation find_float_to_float(Form& form, Type to, Type from) {
  Rounding rounding{};
  const bool is_integral = form.take_integer_rounding_into(rounding);
  const bool is_rounded = !is_integral && form.take_rounding_into(rounding);
  const bool ftz = form.take("ftz");
  if (ftz && to != Type::f32 && from != Type::f32) form.reject(".ftz needs f32");
  const How how(rounding, take_clamp(form));
  return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, to, [&]<class D>() {
    return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, from, [&]<class S>() -> LaneOperation {
      if constexpr (is_float<D> || is_float<S>) {
        if (ftz) return find_pair_of_types<D, S, true>(form, how, is_integral, is_rounded);
      }
      return find_pair_of_types<D, S, false>(form, how, is_integral, is_rounded);
    });
  });
}

LaneOperation find_packed_conversion(Form& form, Type to, Type from) {
  Rounding rounding{};
  if (from != Type::f32) form.reject("sources are f32");
  if (!form.take_rounding_into(rounding) || rounding == Rounding::down || rounding == Rounding::up) {
    form.reject(".rn or .rz is missing");
  }
  const How how(rounding, form.take("relu") ? Clamp::relu : Clamp::none);
  return by_type<Type::f16x2, Type::bf16x2>(
      form, to, [&]<class Pair>() { return lane_by_lane<two_from<decltype(Pair::low)>>(how); });
}

}  // namespace warpwise::simulator::decode::instructions
