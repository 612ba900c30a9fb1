// rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA 9.7.3.13 to 9.7.3.22).
//
// The rounded forms are exact. The `.approx` forms are computed in double and rounded once: special values
// are those of the manual's tables, but other results may differ from a GPU's in the last bits, whose tables
// no manual gives.
#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

template <class T, Rounding r, bool ftz>
T reciprocal(T a) {
  const T x = flush<ftz>(a);
  return finish<ftz, false>(r == Rounding::nearest ? T{1} / x : divide_rounded(T{1}, x, r));
}
template <class T, Rounding r, bool ftz>
T square_root(T a) {
  const T x = flush<ftz>(a);
  return finish<ftz, false>(r == Rounding::nearest ? std::sqrt(x) : sqrt_rounded(x, r));
}

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

/// Calls `find.operator()<T, rounding, ftz>()` for f32 or f64, which has no ftz.
template <class Find>
LaneOperation by_rounding_and_type(const Form& form, Rounding rounding, Type type, bool ftz, Find find) {
  return by_rounding(rounding, [&]<Rounding r>() -> LaneOperation {
    if (type == Type::f64) return find.template operator()<double, r, false>();
    if (type != Type::f32) form.reject("no such type");
    return ftz ? find.template operator()<float, r, true>() : find.template operator()<float, r, false>();
  });
}

}  // namespace

LaneOperation find_rcp(Form& form) {
  const Type type = form.take_type();
  const bool ftz = form.take("ftz"), approx = form.take("approx");
  Rounding rounding = Rounding::nearest;
  if (!form.take_rounding_into(rounding) && !approx) form.reject(".approx or a rounding is missing");
  if (type == Type::f64 && approx) {
    if (!ftz) form.reject("rcp.approx.ftz.f64 expected");
    return lane_by_lane<reciprocal_upper>();
  }
  if (type == Type::f64 && ftz) form.reject("f64 has no .ftz");
  return by_rounding_and_type(form, rounding, type, ftz, []<class T, Rounding r, bool is_flushed>() {
    return lane_by_lane<reciprocal<T, r, is_flushed>>();
  });
}

LaneOperation find_sqrt(Form& form) {
  const Type type = form.take_type();
  const bool ftz = form.take("ftz"), approx = form.take("approx");
  Rounding rounding = Rounding::nearest;
  if (!form.take_rounding_into(rounding) && !approx) form.reject(".approx or a rounding is missing");
  if (type == Type::f64 && (ftz || approx)) form.reject("f64 has neither .ftz nor .approx");
  return by_rounding_and_type(form, rounding, type, ftz, []<class T, Rounding r, bool is_flushed>() {
    return lane_by_lane<square_root<T, r, is_flushed>>();
  });
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
