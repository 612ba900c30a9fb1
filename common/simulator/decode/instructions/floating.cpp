/// \file Arithmetic on f32 and f64 (PTX ISA 9.7.3).

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

template <class T, Rounding r, bool ftz, bool sat>
T sum(T a, T b) {
  const T x = flush<ftz>(a), y = flush<ftz>(b);
  return finish<ftz, sat>(r == Rounding::nearest ? x + y : add_rounded(x, y, r));
}
template <class T, Rounding r, bool ftz, bool sat>
T difference(T a, T b) {
  const T x = flush<ftz>(a), y = flush<ftz>(b);
  return finish<ftz, sat>(r == Rounding::nearest ? x - y : add_rounded(x, -y, r));
}
template <class T, Rounding r, bool ftz, bool sat>
T product(T a, T b) {
  const T x = flush<ftz>(a), y = flush<ftz>(b);
  return finish<ftz, sat>(r == Rounding::nearest ? x * y : multiply_rounded(x, y, r));
}
template <class T, Rounding r, bool ftz, bool sat>
T product_sum(T a, T b, T c) {
  const T x = flush<ftz>(a), y = flush<ftz>(b), z = flush<ftz>(c);
  return finish<ftz, sat>(r == Rounding::nearest ? fused(x, y, z) : fma_rounded(x, y, z, r));
}
template <class T, Rounding r, bool ftz, bool sat>
T quotient(T a, T b) {
  const T x = flush<ftz>(a), y = flush<ftz>(b);
  return finish<ftz, sat>(r == Rounding::nearest ? x / y : divide_rounded(x, y, r));
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
template <bool ftz>
float quotient_full(float a, float b) {
  return finish<ftz, false>(flush<ftz>(a) / flush<ftz>(b));
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

template <class T, bool is_max, bool ftz, bool nan>
T extreme(T a, T b) {
  return least_or_most<T, is_max, nan>(flush<ftz>(a), flush<ftz>(b));
}
/// .xorsign.abs: of the magnitudes; the sign is the product's.
template <bool is_max, bool ftz, bool nan>
float extreme_xorsign(float a, float b) {
  const float r = least_or_most<float, is_max, nan>(without_sign(flush<ftz>(a)), without_sign(flush<ftz>(b)));
  const auto sign = std::bit_cast<std::uint32_t>(a) ^ std::bit_cast<std::uint32_t>(b);
  return is_nan(r) ? canonical(r) : with_sign(r, sign);
}
template <bool is_max, bool ftz, bool nan, bool abs>
float extreme3(float a, float b, float c) {
  const auto value = [](float x) { return abs ? without_sign(flush<ftz>(x)) : flush<ftz>(x); };
  return least_or_most<float, is_max, nan>(least_or_most<float, is_max, nan>(value(a), value(b)), value(c));
}

/// add, sub, mul, fma: `.rn .rz .rm .rp`, and for f32 `.ftz` and `.sat`.
#define WARPWISE_FIND_ROUNDED(f)                                                                            \
  [](Form& text, Type kind) {                                                                               \
    const Rounding rounding = text.take_rounding();                                                         \
    if (kind == Type::f64) {                                                                                \
      return by_rounding(rounding, []<Rounding r>() { return rows_for<f<double, r, false, false>, r>(); }); \
    }                                                                                                       \
    const bool ftz = text.take("ftz"), sat = text.take("sat");                                              \
    return by_rounding(rounding, [&]<Rounding r>() {                                                        \
      return by_flag(ftz, [&]<bool flushes>() {                                                             \
        return by_flag(sat, [&]<bool clamps>() { return rows_for<f<float, r, flushes, clamps>, r>(); });    \
      });                                                                                                   \
    });                                                                                                     \
  }

template <auto f, Rounding r>
LaneOperation rows_for() {
  if constexpr (r == Rounding::nearest) return vectorised<f>();
  return lane_by_lane<f>();
}

LaneOperation find_extreme3(Form& form, bool ftz, bool nan, bool is_max) {
  const bool abs = form.take("abs");
  return by_flag(is_max, [&]<bool max>() {
    return by_flag(ftz, [&]<bool flushes>() {
      return by_flag(nan, [&]<bool n>() {
        return abs ? vectorised<extreme3<max, flushes, n, true>>()
                   : vectorised<extreme3<max, flushes, n, false>>();
      });
    });
  });
}

LaneOperation find_extreme(Form& form, Type type, bool is_max) {
  if (type == Type::f64) {
    return is_max ? vectorised<extreme<double, true, false, false>>()
                  : vectorised<extreme<double, false, false, false>>();
  }
  const bool ftz = form.take("ftz"), nan = form.take("NaN"), xorsign = form.take("xorsign");
  if (form.operands() == 4 && !xorsign) return find_extreme3(form, ftz, nan, is_max);
  if (xorsign && !form.take("abs")) form.reject(".xorsign needs .abs");
  return by_flag(is_max, [&]<bool max>() {
    return by_flag(ftz, [&]<bool flushes>() {
      return by_flag(nan, [&]<bool n>() {
        return xorsign ? vectorised<extreme_xorsign<max, flushes, n>>()
                       : vectorised<extreme<float, max, flushes, n>>();
      });
    });
  });
}

template <class T>
T with_sign_of(T a, T b) {
  return with_sign(b, std::bit_cast<BitsOf<T>>(a));
}

enum class Property { finite, infinite, number, notanumber, normal, subnormal };
template <class T, Property property>
bool has_property(T a) {
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

LaneOperation find_float_add(Form& form, Type type) { return WARPWISE_FIND_ROUNDED(sum)(form, type); }
LaneOperation find_float_sub(Form& form, Type type) { return WARPWISE_FIND_ROUNDED(difference)(form, type); }
LaneOperation find_float_mul(Form& form, Type type) { return WARPWISE_FIND_ROUNDED(product)(form, type); }
LaneOperation find_float_fma(Form& form, Type type) { return WARPWISE_FIND_ROUNDED(product_sum)(form, type); }
#undef WARPWISE_FIND_ROUNDED

LaneOperation find_float_div(Form& form, Type type) {
  if (type == Type::f64) {
    return by_rounding(form.take_rounding(),
                       []<Rounding r>() { return rows_for<quotient<double, r, false, false>, r>(); });
  }
  const bool ftz = form.take("ftz");
  if (form.take("approx"))
    return ftz ? vectorised<quotient_approx<true>>() : vectorised<quotient_approx<false>>();
  if (form.take("full")) return ftz ? vectorised<quotient_full<true>>() : vectorised<quotient_full<false>>();
  Rounding rounding{};
  if (!form.take_rounding_into(rounding)) form.reject(".approx, .full or a rounding is missing");
  return by_rounding(rounding, [&]<Rounding r>() {
    return ftz ? rows_for<quotient<float, r, true, false>, r>()
               : rows_for<quotient<float, r, false, false>, r>();
  });
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
  const auto name = form.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  return by_type<Type::f32, Type::f64>(form, form.take_type(), [&]<class T>() -> LaneOperation {
    if (name == "finite") return vectorised<has_property<T, Property::finite>>();
    if (name == "infinite") return vectorised<has_property<T, Property::infinite>>();
    if (name == "number") return vectorised<has_property<T, Property::number>>();
    if (name == "notanumber") return vectorised<has_property<T, Property::notanumber>>();
    if (name == "normal") return vectorised<has_property<T, Property::normal>>();
    if (name == "subnormal") return vectorised<has_property<T, Property::subnormal>>();
    form.reject("the property is missing");
  });
}

// ---- rcp, sqrt, rsqrt, sin, cos, lg2, ex2, tanh (PTX ISA 9.7.3.13 to 9.7.3.22)
//
// The rounded forms are exact. The `.approx` forms are computed in double and rounded once: special values
// are those of the manual's tables, but other results may differ from a GPU's in the last bits, whose tables
// no manual gives.

namespace {

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
