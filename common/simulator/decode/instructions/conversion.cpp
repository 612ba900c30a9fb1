// cvt (PTX ISA 9.7.9.21): which of the conversions, those between integers, and those between integers and
// floats.
#include <algorithm>
#include <limits>
#include <utility>

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

bool is_integer(Type type) { return type >= Type::u8 && type <= Type::s64; }
bool is_pair_type(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

/// The low bits of `a` as an S, then as a D; In and Out are as wide as the registers, which may be wider.
template <class Out, class D, class S, class In>
constexpr Out truncated(In a) {
  return static_cast<Out>(static_cast<D>(static_cast<S>(a)));
}
/// `.sat`: clamped to what D can hold.
template <class D, class S>
constexpr D saturated(S a) {
  if (std::cmp_less(a, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  if (std::cmp_greater(a, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  return static_cast<D>(a);
}

template <class T>
using Full = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

template <class D, class S>
LaneOperation find_truncation(bool wide_destination, bool wide_source) {
  if constexpr (sizeof(D) < 8) {
    if (wide_destination) {
      return wide_source ? lane_by_lane<truncated<Full<D>, D, S, std::uint64_t>>()
                         : lane_by_lane<truncated<Full<D>, D, S, S>>();
    }
  }
  if constexpr (sizeof(S) < 8) {
    if (wide_source) return lane_by_lane<truncated<D, D, S, std::uint64_t>>();
  }
  return vectorised<truncated<D, D, S, S>>();
}

template <class Find>
LaneOperation by_integer(const Form& form, Type type, Find find) {
  return by_type<Type::u8, Type::s8, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64>(
      form, type, find);
}

/// `a` clamped to `bits` bits, signed or not.
template <int bits, bool is_signed>
constexpr std::uint32_t clamped(std::int32_t a) {
  constexpr std::int32_t most = (1 << (is_signed ? bits - 1 : bits)) - 1, least = is_signed ? -most - 1 : 0;
  return static_cast<std::uint32_t>(std::clamp(a, least, most)) & ((1u << bits) - 1);
}
template <int bits, bool is_signed>
constexpr std::uint32_t pack(std::int32_t a, std::int32_t b) {
  return clamped<bits, is_signed>(a) << bits | clamped<bits, is_signed>(b);
}
template <int bits, bool is_signed>
constexpr std::uint32_t pack_below(std::int32_t a, std::int32_t b, std::uint32_t c) {
  return pack<bits, is_signed>(a, b) | c << 2 * bits;
}
template <int bits>
LaneOperation find_pack_below(bool is_signed) {
  return is_signed ? vectorised<pack_below<bits, true>>() : vectorised<pack_below<bits, false>>();
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: b lies lowest, a above it, then what of c still fits (PTX
/// ISA 9.7.9.22).
LaneOperation find_pack(Form& form) {
  if (!form.take("sat")) form.reject(".sat is missing");
  const std::string_view to = form.take_one_of({"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"});
  if (to.empty() || !form.take("s32")) form.reject("no such pair of types");
  const bool is_signed = to.front() == 's';
  if (to.ends_with("16")) return is_signed ? vectorised<pack<16, true>>() : vectorised<pack<16, false>>();
  if (!form.take("b32")) form.reject(".b32 missing");
  if (to.ends_with('8')) return find_pack_below<8>(is_signed);
  return to.ends_with('4') ? find_pack_below<4>(is_signed) : find_pack_below<2>(is_signed);
}

}  // namespace

LaneOperation find_integer_to_integer(Form& form, Type to, Type from) {
  const bool sat = form.take("sat");
  const bool wide_destination = width_of(form.register_type(0)) == Width::b64;
  const bool wide_source = width_of(form.register_type(1)) == Width::b64;
  return by_integer(form, to, [&]<class D>() {
    return by_integer(form, from, [&]<class S>() {
      return sat ? lane_by_lane<saturated<D, S>>() : find_truncation<D, S>(wide_destination, wide_source);
    });
  });
}

LaneOperation find_cvt(Form& form) {
  if (form.take("pack")) return find_pack(form);
  const Type to = form.take_type();
  const Type from = form.take_type();
  if (is_pair_type(to)) return find_packed_conversion(form, to, from);
  if (is_integer(to)) {
    return is_integer(from) ? find_integer_to_integer(form, to, from) : find_float_to_integer(form, to, from);
  }
  return is_integer(from) ? find_integer_to_float(form, to, from) : find_float_to_float(form, to, from);
}

// ---- Between integers and floats --------------------------------------------------------------------------

namespace {

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

}  // namespace

LaneOperation find_float_to_integer(Form& form, Type to, Type from) {
  Rounding rounding{};
  if (!form.take_integer_rounding_into(rounding)) form.reject(".rni, .rzi, .rmi or .rpi is missing");
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
  if (!form.take_rounding_into(rounding)) form.reject(".rn, .rz, .rm or .rp is missing");
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
