// cvt between floating-point formats, and of two f32 into one register (PTX ISA 9.7.9.21).
#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

struct FloatCast {
  Rounding rounding = Rounding::nearest;
  Clamp clamp = Clamp::none;
  bool ftz = false, is_integral = false;  ///< .rni, .rzi, .rmi, .rpi: to an integral value of the same type
};

/// Every source is exact in double.
template <class S>
constexpr double read(FloatCast how, S a) {
  if constexpr (is_short_real<S>) {
    return widen(a);
  } else {
    return how.ftz ? flush<true>(a) : a;
  }
}

template <class D>
D write(FloatCast how, double a) {
  a = clamped_by(how.clamp, a);
  if constexpr (is_short_real<D>) {
    return narrow<D>(a, how.rounding);
  } else if constexpr (std::is_same_v<D, float>) {
    const float b =
        how.rounding == Rounding::nearest ? static_cast<float>(a) : narrow_rounded(a, how.rounding);
    return finish<false, false>(how.ftz ? flush<true>(b) : b);
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

template <class D, class S>
D real_from(FloatCast how, S a) {
  if constexpr (std::is_same_v<D, S>) {
    if (how.is_integral)
      return write<D>({Rounding::nearest, how.clamp, how.ftz}, to_integral(read(how, a), how.rounding));
  }
  if constexpr (std::is_same_v<S, BFloat> && std::is_same_v<D, float>) {
    if (how.clamp == Clamp::none)
      return static_cast<float>(how.ftz ? flush<true>(widen(a)) : widen(a));  // NaN too
  } else if constexpr (keeps_payload<D, S>) {
    if (how.clamp == Clamp::none && is_nan(a)) return converted_nan<D>(a);
  }
  return write<D>(how, read(how, a));
}
/// The conversions that kernels are full of: to f32 and f64, rounded to nearest, nothing clamped or flushed.
template <class D, class S>
D plain_real_from(S a) {
  return real_from<D, S>(FloatCast{}, a);
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower one.
template <class H>
Two<H> two_from(FloatCast how, float a, float b) {
  return {write<H>(how, b), write<H>(how, a)};
}

/// What D cannot hold of S: only then has the rounding a meaning, and a modifier.
template <class D, class S>
inline constexpr bool narrows = sizeof(D) < sizeof(S) || (sizeof(D) == 2 && !std::is_same_v<D, S>);

template <class D, class S>
LaneOperation find_pair_of_types(Form& form, FloatCast how, bool is_rounded) {
  if (how.clamp == Clamp::relu && !(is_short_real<D> && narrows<D, S>)) form.reject("no .relu here");
  if (how.is_integral && !std::is_same_v<D, S>) form.reject("integral rounding keeps the type");
  if (narrows<D, S> && !is_rounded) form.reject(".rn, .rz, .rm or .rp is missing");
  if (!narrows<D, S> && is_rounded) form.reject("this conversion rounds nothing");
  if constexpr (is_real<D> && !std::is_same_v<D, S>) {
    if (row_from(how) == row_from(FloatCast{})) return vectorised<plain_real_from<D, S>>();
  }
  return lane_by_lane<real_from<D, S>>(how);
}

Clamp take_clamp(Form& form) {
  if (form.take("sat")) return Clamp::sat;
  return form.take("relu") ? Clamp::relu : Clamp::none;
}

}  // namespace

LaneOperation find_float_to_float(Form& form, Type to, Type from) {
  FloatCast how;
  how.is_integral = form.take_integer_rounding_into(how.rounding);
  const bool is_rounded = !how.is_integral && form.take_rounding_into(how.rounding);
  how.ftz = form.take("ftz");
  if (how.ftz && to != Type::f32 && from != Type::f32) form.reject(".ftz needs f32");
  how.clamp = take_clamp(form);
  return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, to, [&]<class D>() {
    return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(
        form, from, [&]<class S>() { return find_pair_of_types<D, S>(form, how, is_rounded); });
  });
}

LaneOperation find_packed_conversion(Form& form, Type to, Type from) {
  FloatCast how;
  if (from != Type::f32) form.reject("sources are f32");
  if (!form.take_rounding_into(how.rounding) || how.rounding == Rounding::down ||
      how.rounding == Rounding::up) {
    form.reject(".rn or .rz is missing");
  }
  if (form.take("relu")) how.clamp = Clamp::relu;
  return by_type<Type::f16x2, Type::bf16x2>(
      form, to, [&]<class Pair>() { return lane_by_lane<two_from<decltype(Pair::low)>>(how); });
}

}  // namespace warpwise::simulator::decode::instructions
