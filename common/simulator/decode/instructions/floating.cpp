/// \file Arithmetic on f32 and f64 (PTX ISA 9.7.3).

#include <algorithm>
#include <iterator>
#include <string_view>

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

// To nearest: what kernels are full of, a loop for each form.
template <class T, bool ftz, bool sat>
T sum(T a, T b) {
  return finish<ftz, sat>(flush<ftz>(a) + flush<ftz>(b));
}
template <class T, bool ftz, bool sat>
T difference(T a, T b) {
  return finish<ftz, sat>(flush<ftz>(a) - flush<ftz>(b));
}
template <class T, bool ftz, bool sat>
T product(T a, T b) {
  return finish<ftz, sat>(flush<ftz>(a) * flush<ftz>(b));
}
template <class T, bool ftz, bool sat>
T product_sum(T a, T b, T c) {
  return finish<ftz, sat>(fused(flush<ftz>(a), flush<ftz>(b), flush<ftz>(c)));
}
template <class T, bool ftz>
T quotient(T a, T b) {
  return finish<ftz, false>(flush<ftz>(a) / flush<ftz>(b));
}

// With another rounding: slow anyhow.
enum class Op : std::uint8_t { add, sub, mul, fma, div, sqrt };
struct Rounded {
  Op op;
  Rounding rounding;
  bool ftz = false, sat = false;
};
template <class T>
T rounded(Rounded how, T a, T b, T c) {
  const bool is_nearest = how.rounding == Rounding::nearest;
  if (how.op == Op::add) return add_rounded(a, b, how.rounding);
  if (how.op == Op::sub) return add_rounded(a, -b, how.rounding);
  if (how.op == Op::mul) return multiply_rounded(a, b, how.rounding);
  if (how.op == Op::fma) return fma_rounded(a, b, c, how.rounding);
  if (how.op == Op::div) return is_nearest ? a / b : divide_rounded(a, b, how.rounding);
  return is_nearest ? std::sqrt(a) : sqrt_rounded(a, how.rounding);
}
template <class T>
T of_three(Rounded how, T a, T b, T c) {
  if (!how.ftz) {
    const T all = rounded(how, a, b, c);
    return how.sat ? finish<false, true>(all) : finish<false, false>(all);
  }
  const T all = rounded(how, flush<true>(a), flush<true>(b), flush<true>(c));
  return how.sat ? finish<true, true>(all) : finish<true, false>(all);
}
template <class T>
T of_two(Rounded how, T a, T b) {
  return of_three(how, a, b, b);
}
template <class T>
T reciprocal(Rounded how, T a) {
  return of_three(how, T{1}, a, a);
}
template <class T>
T square_root(Rounded how, T a) {
  return of_three(how, a, a, a);
}

/// div.approx.f32 is a * (1 / b), and 1 / b is flushed for the greatest b (PTX ISA 9.7.3.8). Ours is
/// otherwise rounded correctly; the hardware may differ by 2 units in the last place.
template <bool ftz>
float quotient_approx(float a, float b) {
  const float x = flush<ftz>(a), y = flush<ftz>(b);
  const float magnitude = without_sign(y);
  const bool is_huge = magnitude > 0x1p126f && magnitude <= std::numeric_limits<float>::max();
  const float scaled = is_huge ? x * with_sign(0.0f, std::bit_cast<std::uint32_t>(y)) : x / y;
  return finish<ftz, false>(scaled);
}

template <class T, bool ftz>
T magnitude(T a) {
  const T x = flush<ftz>(a);
  return is_nan(x) ? canonical(x) : without_sign(x);
}
template <class T, bool ftz>
T opposite(T a) {
  const T x = flush<ftz>(a);
  return is_nan(x) ? canonical(x) : negated(x);
}

template <class T, bool is_max, bool ftz>
T extreme(T a, T b) {
  return least_or_most<T, is_max, false>(flush<ftz>(a), flush<ftz>(b));
}
/// The rarer forms of f32.
struct Extreme {
  bool is_max, ftz, nan;
  bool of_magnitudes = false;  ///< .abs of three operands; .xorsign.abs of two, with the product's sign
};
float extreme_of(Extreme how, float a, float b) {
  if (how.ftz) a = flush<true>(a), b = flush<true>(b);
  if (how.of_magnitudes) a = without_sign(a), b = without_sign(b);
  if (how.nan)
    return how.is_max ? least_or_most<float, true, true>(a, b) : least_or_most<float, false, true>(a, b);
  return how.is_max ? least_or_most<float, true, false>(a, b) : least_or_most<float, false, false>(a, b);
}
float extreme2(Extreme how, float a, float b) {
  const float r = extreme_of(how, a, b);
  const auto sign = std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b);
  return !how.of_magnitudes || is_nan(r) ? r : with_sign(r, sign);
}
float extreme3(Extreme how, float a, float b, float c) { return extreme_of(how, extreme_of(how, a, b), c); }

/// add, sub, mul, fma: `.rn .rz .rm .rp`, and for f32 `.ftz` and `.sat`. `to_nearest.operator()<T, ftz,
/// sat>()` is the operation to nearest.
template <class Find>
LaneOperation find_rounded(Form& form, Type type, Op op, Find to_nearest) {
  Rounded how{op, form.take_rounding()};
  const bool is_double = type == Type::f64;
  if (!is_double) how.ftz = form.take("ftz"), how.sat = form.take("sat");
  if (how.rounding != Rounding::nearest && op == Op::fma)
    return is_double ? lane_by_lane<of_three<double>>(how) : lane_by_lane<of_three<float>>(how);
  if (how.rounding != Rounding::nearest)
    return is_double ? lane_by_lane<of_two<double>>(how) : lane_by_lane<of_two<float>>(how);
  if (is_double) return to_nearest.template operator()<double, false, false>();
  return by_flag(how.ftz, [&]<bool ftz>() {
    return by_flag(how.sat, [&]<bool sat>() { return to_nearest.template operator()<float, ftz, sat>(); });
  });
}

LaneOperation find_extreme(Form& form, Type type, bool is_max) {
  if (type == Type::f64)
    return is_max ? vectorised<extreme<double, true, false>>() : vectorised<extreme<double, false, false>>();
  Extreme how{is_max, form.take("ftz"), form.take("NaN")};
  const bool xorsign = form.take("xorsign"), is_of_three = form.operands() == 4 && !xorsign;
  if (is_of_three || xorsign) how.of_magnitudes = form.take("abs");
  if (is_of_three) return lane_by_lane<extreme3>(how);
  if (xorsign && !how.of_magnitudes) form.reject(".xorsign needs .abs");
  if (xorsign || how.nan) return lane_by_lane<extreme2>(how);
  return by_flag(how.ftz, [&]<bool ftz>() {
    return is_max ? vectorised<extreme<float, true, ftz>>() : vectorised<extreme<float, false, ftz>>();
  });
}

template <class T>
T with_sign_of(T a, T b) {
  return with_sign(b, std::bit_cast<BitsOf<T>>(a));
}

enum class Property { finite, infinite, number, notanumber, normal, subnormal };
template <class T>
bool has_property(Property property, T a) {
  const T m = without_sign(a);
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::min();
  switch (property) {
    case Property::finite:
      return m <= most;
    case Property::infinite:
      return m > most;
    case Property::number:
      return m == m;
    case Property::notanumber:
      return m != m;
    case Property::normal:
      return (m >= least || m == 0) && m <= most;  // the hardware counts zero as normal
    case Property::subnormal:
      break;
  }
  return m > 0 && m < least;
}

}  // namespace

LaneOperation find_float_add(Form& form, Type type) {
  return find_rounded(form, type, Op::add,
                      []<class T, bool ftz, bool sat>() { return vectorised<sum<T, ftz, sat>>(); });
}
LaneOperation find_float_sub(Form& form, Type type) {
  return find_rounded(form, type, Op::sub,
                      []<class T, bool ftz, bool sat>() { return vectorised<difference<T, ftz, sat>>(); });
}
LaneOperation find_float_mul(Form& form, Type type) {
  return find_rounded(form, type, Op::mul,
                      []<class T, bool ftz, bool sat>() { return vectorised<product<T, ftz, sat>>(); });
}
LaneOperation find_float_fma(Form& form, Type type) {
  return find_rounded(form, type, Op::fma,
                      []<class T, bool ftz, bool sat>() { return vectorised<product_sum<T, ftz, sat>>(); });
}

LaneOperation find_float_div(Form& form, Type type) {
  const bool is_double = type == Type::f64;
  Rounded how{Op::div, Rounding::nearest};
  how.ftz = !is_double && form.take("ftz");
  if (!is_double && form.take("approx"))
    return how.ftz ? vectorised<quotient_approx<true>>() : vectorised<quotient_approx<false>>();
  const bool is_full = !is_double && form.take("full");
  if (!is_full && !form.take_rounding_into(how.rounding) && !is_double)
    form.reject(".approx, .full or a rounding is missing");
  if (how.rounding != Rounding::nearest)
    return is_double ? lane_by_lane<of_two<double>>(how) : lane_by_lane<of_two<float>>(how);
  if (is_double) return vectorised<quotient<double, false>>();
  return how.ftz ? vectorised<quotient<float, true>>() : vectorised<quotient<float, false>>();
}

LaneOperation find_float_abs(Form& form, Type type) {
  if (type == Type::f64) return vectorised<magnitude<double, false>>();
  return form.take("ftz") ? vectorised<magnitude<float, true>>() : vectorised<magnitude<float, false>>();
}
LaneOperation find_float_neg(Form& form, Type type) {
  if (type == Type::f64) return vectorised<opposite<double, false>>();
  return form.take("ftz") ? vectorised<opposite<float, true>>() : vectorised<opposite<float, false>>();
}
LaneOperation find_float_min(Form& form, Type type) { return find_extreme(form, type, false); }
LaneOperation find_float_max(Form& form, Type type) { return find_extreme(form, type, true); }

LaneOperation find_copysign(Form& form) {
  return by_type<Type::f32, Type::f64>(form, form.take_type(),
                                       []<class T>() { return vectorised<with_sign_of<T>>(); });
}

LaneOperation find_testp(Form& form) {
  constexpr std::string_view names[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
  const auto* name =
      std::find_if(std::begin(names), std::end(names), [&](auto each) { return form.take(each); });
  if (name == std::end(names)) form.reject("the property is missing");
  return by_type<Type::f32, Type::f64>(form, form.take_type(), [&]<class T>() {
    return lane_by_lane<has_property<T>>(static_cast<Property>(name - names));
  });
}

// ---- rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA 9.7.3.13 to 9.7.3.22)
//
// The rounded forms are exact. The `.approx` forms are computed in double and rounded once: special values
// are those of the manual's tables, but other results may differ from a GPU's in the last bits, whose tables
// no manual gives.

namespace {

/// f in double, rounded to f32.
template <double (*f)(double), bool ftz>
float approximate(float a) {
  return finish<ftz, false>(static_cast<float>(f(flush<ftz>(a))));
}
inline double inverse_root(double a) { return 1.0 / std::sqrt(a); }
inline double sine(double a) { return std::sin(a); }
inline double cosine(double a) { return std::cos(a); }
inline double log_two(double a) { return std::log2(a); }
inline double power_of_two(double a) { return std::exp2(a); }
inline double hyperbolic_tangent(double a) { return std::tanh(a); }
inline double rsqrt64(double a) { return inverse_root(a); }

/// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see and give the upper words alone; subnormals are zeros.
double upper_word(double a) {
  if (is_nan(a)) return std::bit_cast<double>(std::uint64_t{nan_bits} << 32);
  const auto bits = std::bit_cast<std::uint64_t>(a) & 0xffffffff00000000u;
  const bool is_subnormal = (bits & 0x7ff0000000000000u) == 0;
  return std::bit_cast<double>(is_subnormal ? bits & 0x8000000000000000u : bits);
}
double reciprocal_upper(double a) { return upper_word(1.0 / upper_word(a)); }
double inverse_root_upper(double a) { return upper_word(inverse_root(upper_word(a))); }

template <double (*f)(double)>
LaneOperation find_approximate(Form& form, Type type) {
  const bool ftz = form.take("ftz");
  if (!form.take("approx") || type != Type::f32) form.reject(".approx.f32 expected");
  return ftz ? lane_by_lane<approximate<f, true>>() : lane_by_lane<approximate<f, false>>();
}

/// What rcp and sqrt have in common.
struct Root {
  Rounded how;
  bool is_approximate;
};
Root take_root(Form& form, Op op) {
  Root root{{op, Rounding::nearest, form.take("ftz")}, form.take("approx")};
  if (!form.take_rounding_into(root.how.rounding) && !root.is_approximate)
    form.reject(".approx or a rounding is missing");
  return root;
}

}  // namespace

LaneOperation find_rcp(Form& form) {
  const Type type = form.take_type();
  const auto [how, is_approximate] = take_root(form, Op::div);
  if (type == Type::f64 && is_approximate) {
    if (!how.ftz) form.reject("rcp.approx.ftz.f64 expected");
    return lane_by_lane<reciprocal_upper>();
  }
  if (type == Type::f64 && how.ftz) form.reject("f64 has no .ftz");
  return by_type<Type::f32, Type::f64>(form, type,
                                       [how = how]<class T>() { return lane_by_lane<reciprocal<T>>(how); });
}

LaneOperation find_sqrt(Form& form) {
  const Type type = form.take_type();
  const auto [how, is_approximate] = take_root(form, Op::sqrt);
  if (type == Type::f64 && (how.ftz || is_approximate)) form.reject("f64 has neither .ftz nor .approx");
  return by_type<Type::f32, Type::f64>(form, type,
                                       [how = how]<class T>() { return lane_by_lane<square_root<T>>(how); });
}

LaneOperation find_rsqrt(Form& form) {
  const Type type = form.take_type();
  if (type != Type::f64) return find_approximate<inverse_root>(form, type);
  if (!form.take("approx")) form.reject(".approx is missing");
  return form.take("ftz") ? lane_by_lane<inverse_root_upper>() : lane_by_lane<rsqrt64>();
}

LaneOperation find_sin(Form& form) { return find_approximate<sine>(form, form.take_type()); }
LaneOperation find_cos(Form& form) { return find_approximate<cosine>(form, form.take_type()); }
LaneOperation find_lg2(Form& form) { return find_approximate<log_two>(form, form.take_type()); }
LaneOperation find_float_ex2(Form& form, Type type) { return find_approximate<power_of_two>(form, type); }
LaneOperation find_float_tanh(Form& form, Type type) {
  if (!form.take("approx") || type != Type::f32) form.reject(".approx.f32 expected");
  return lane_by_lane<approximate<hyperbolic_tangent, false>>();
}

}  // namespace warpwise::simulator::decode::instructions
