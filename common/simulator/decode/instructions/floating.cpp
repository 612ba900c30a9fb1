// Arithmetic on f32 and f64 (PTX ISA 9.7.3.1 to 9.7.3.12).
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

}  // namespace warpwise::simulator::decode::instructions
