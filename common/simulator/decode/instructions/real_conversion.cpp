// cvt between integers and floats (PTX ISA 9.7.9.21).
#include <limits>

#include "families.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

template <class T>
constexpr T read(T a) {
  return a;
}
constexpr float read(Half a) { return widen(a); }
constexpr float read(BFloat a) { return widen(a); }

/// Clamped to what D can hold. NaN gives 0, but the value 1 << (bits - 1) where one of the two types has
/// 64 bits.
template <class D, class S, bool ftz>
D integer_from(Rounding r, S a) {
  if constexpr (ftz) a = flush<true>(a);
  const double value = read(a);
  if (is_nan(value)) {
    return sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(std::uint64_t{1} << (8 * sizeof(D) - 1)) : D{0};
  }
  const double rounded = r == Rounding::zero ? value : to_integral(value, r);
  constexpr double least = std::numeric_limits<D>::min();
  constexpr double beyond =
      2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<D>::digits - 1));
  if (rounded >= beyond) return std::numeric_limits<D>::max();
  if (rounded <= least) return std::numeric_limits<D>::min();
  return static_cast<D>(rounded);
}

/// `a` as a double that is odd where inexact, so that a second rounding is right (see sum_to_odd).
template <class S>
double to_odd(S a) {
  if constexpr (sizeof(S) < 8) {
    return a;
  } else {
    const double value = convert_rounded<double>(a, Rounding::zero);
    const bool is_exact = static_cast<S>(value) == a;
    return is_exact ? value : std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) | 1);
  }
}

template <class D, class S>
D nearest_real(S a) {
  return static_cast<D>(a);
}
template <class D, class S>
D real_from(Rounding r, S a) {
  if constexpr (is_short_real<D>) {
    return narrow<D>(to_odd(a), r);
  } else {
    using Full = std::conditional_t<std::is_signed_v<S>, std::int64_t, std::uint64_t>;
    return convert_rounded<D>(static_cast<Full>(a), r);
  }
}

template <class Find>
LaneOperation by_integer(const Form& form, Type type, Find find) {
  return by_type<Type::u8, Type::s8, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
      form, type, find);
}

}  // namespace

LaneOperation find_float_to_integer(Form& form, Type to, Type from) {
  Rounding rounding{};
  if (!form.take_integer_rounding_into(rounding)) form.reject(".rni, .rzi, .rmi or .rpi missing");
  const bool ftz = from == Type::f32 && form.take("ftz");
  form.take("sat");  // integers are always clamped
  return by_integer(form, to, [&]<class D>() {
    return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, from, [&]<class S>() -> LaneOperation {
      if constexpr (std::is_same_v<S, float>) {
        if (ftz) return lane_by_lane<integer_from<D, S, true>>(rounding);
      }
      return lane_by_lane<integer_from<D, S, false>>(rounding);
    });
  });
}

LaneOperation find_integer_to_float(Form& form, Type to, Type from) {
  Rounding rounding{};
  if (!form.take_rounding_into(rounding)) form.reject(".rn, .rz, .rm or .rp missing");
  if (to == Type::f32) form.take("ftz");  // no integer becomes a subnormal
  return by_type<Type::f32, Type::f64, Type::f16, Type::bf16>(form, to, [&]<class D>() {
    return by_integer(form, from, [&]<class S>() -> LaneOperation {
      if constexpr (is_real<D>) {
        if (rounding == Rounding::nearest) return vectorised<nearest_real<D, S>>();
      }
      return lane_by_lane<real_from<D, S>>(rounding);
    });
  });
}

}  // namespace warpwise::simulator::decode::instructions
