// cvt between floating-point formats, and of two f32 into one register (PTX ISA 9.7.9.21).
#include "families.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::machine::instructions {
namespace {

using ptx::Type;

enum class Clamp { none, sat, relu };

/// Every source is exact in double.
template <class S, bool ftz>
constexpr double read(S a) {
  if constexpr (is_short_real<S>) {
    return widen(a);
  } else {
    return flush<ftz>(a);
  }
}

template <class D, Rounding r, bool ftz, Clamp clamp>
D write(double a) {
  if (clamp == Clamp::sat) a = clamp01(a);
  if (clamp == Clamp::relu && a <= 0) a = 0;
  if constexpr (is_short_real<D>) {
    return narrow<D>(a, r);
  } else if constexpr (std::is_same_v<D, float>) {
    return finish<ftz, false>(r == Rounding::nearest ? static_cast<float>(a) : narrow_rounded(a, r));
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

template <class D, class S, Rounding r, bool ftz, Clamp clamp>
D real_from(S a) {
  if constexpr (std::is_same_v<S, BFloat> && std::is_same_v<D, float> && clamp == Clamp::none) {
    return flush<ftz>(widen(a));  // NaN too: the bits only move
  } else if constexpr (keeps_payload<D, S> && clamp == Clamp::none) {
    if (is_nan(a)) return converted_nan<D>(a);
  }
  return write<D, r, ftz, clamp>(read<S, ftz>(a));
}
/// .rni, .rzi, .rmi, .rpi: to an integral value of the same type.
template <class T, Rounding r, bool ftz, Clamp clamp>
T integral_from(T a) {
  return write<T, Rounding::nearest, ftz, clamp>(to_integral(read<T, ftz>(a), r));
}

/// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half, b the lower one.
template <class H, Rounding r, Clamp clamp>
Two<H> two_from(float a, float b) {
  return {write<H, r, false, clamp>(b), write<H, r, false, clamp>(a)};
}

template <class T>
inline constexpr bool is_float = std::is_same_v<T, float>;
/// What D cannot hold of S: only then has the rounding a meaning, and a modifier.
template <class D, class S>
inline constexpr bool narrows = sizeof(D) < sizeof(S) || (sizeof(D) == 2 && !std::is_same_v<D, S>);

template <class D, class S, bool ftz, Clamp clamp>
LaneOperation find_pair_of_types(Form& form, bool is_integral, bool is_rounded, Rounding rounding) {
  if constexpr (std::is_same_v<D, S>) {
    if (is_integral) {
      return by_rounding(rounding,
                         []<Rounding r>() { return lane_by_lane<integral_from<D, r, ftz, clamp>>(); });
    }
    if (is_rounded) form.reject("this conversion rounds nothing");
    return lane_by_lane<real_from<D, S, Rounding::nearest, ftz, clamp>>();
  }
  if (is_integral) form.reject("integral rounding keeps the type");
  if constexpr (narrows<D, S>) {
    if (!is_rounded) form.reject(".rn, .rz, .rm or .rp missing");
    return by_rounding(rounding, []<Rounding r>() -> LaneOperation {
      if constexpr (is_float<D> && r == Rounding::nearest)
        return vectorised<real_from<D, S, r, ftz, clamp>>();
      return lane_by_lane<real_from<D, S, r, ftz, clamp>>();
    });
  }
  if (is_rounded) form.reject("this conversion rounds nothing");
  return vectorised<real_from<D, S, Rounding::nearest, ftz, clamp>>();
}

template <class D, class S, bool ftz>
LaneOperation find_clamped(Form& form, Clamp clamp, bool is_integral, bool is_rounded, Rounding rounding) {
  if (clamp == Clamp::sat) {
    return find_pair_of_types<D, S, ftz, Clamp::sat>(form, is_integral, is_rounded, rounding);
  }
  if constexpr (is_short_real<D> && narrows<D, S>) {
    if (clamp == Clamp::relu) {
      return find_pair_of_types<D, S, ftz, Clamp::relu>(form, is_integral, is_rounded, rounding);
    }
  }
  if (clamp != Clamp::none) form.reject("no .relu here");
  return find_pair_of_types<D, S, ftz, Clamp::none>(form, is_integral, is_rounded, rounding);
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
  const Clamp clamp = take_clamp(form);
  return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, to, [&]<class D>() {
    return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, from, [&]<class S>() -> LaneOperation {
      if constexpr (is_float<D> || is_float<S>) {
        if (ftz) return find_clamped<D, S, true>(form, clamp, is_integral, is_rounded, rounding);
      }
      return find_clamped<D, S, false>(form, clamp, is_integral, is_rounded, rounding);
    });
  });
}

LaneOperation find_packed_conversion(Form& form, Type to, Type from) {
  Rounding rounding{};
  if (from != Type::f32) form.reject("sources are f32");
  if (!form.take_rounding_into(rounding) || rounding == Rounding::down || rounding == Rounding::up) {
    form.reject(".rn or .rz missing");
  }
  const bool relu = form.take("relu"), zero = rounding == Rounding::zero;
  return by_type<Type::f16x2, Type::bf16x2>(form, to, [&]<class Pair>() {
    using H = decltype(Pair::low);
    constexpr auto rn = Rounding::nearest, rz = Rounding::zero;
    if (relu) {
      return zero ? lane_by_lane<two_from<H, rz, Clamp::relu>>()
                  : lane_by_lane<two_from<H, rn, Clamp::relu>>();
    }
    return zero ? lane_by_lane<two_from<H, rz, Clamp::none>>() : lane_by_lane<two_from<H, rn, Clamp::none>>();
  });
}

}  // namespace warpwise::simulator::machine::instructions
