// Arithmetic on f16, bf16 and pairs of them (PTX ISA 9.7.4). Computed in double (exactly, or rounded to odd)
// and rounded once.
#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

enum class Clamp { none, sat, relu };

template <bool ftz, class H>
constexpr H flush_short(H a) {
  constexpr auto exponent = static_cast<std::uint16_t>(0x7fff & ~((1 << ShortFormat<H>::fraction) - 1));
  return ftz && (a.bits & exponent) == 0 ? H{static_cast<std::uint16_t>(a.bits & 0x8000)} : a;
}
template <bool ftz, class H>
constexpr double input(H a) {
  return widen(flush_short<ftz>(a));
}
template <class H, bool ftz, Clamp clamp>
constexpr H output(double a) {
  if (clamp == Clamp::sat) a = clamp01(a);
  if (clamp == Clamp::relu && a <= 0) a = 0;
  return flush_short<ftz>(narrow<H>(a));
}

template <class H, bool ftz, Clamp clamp>
H sum(H a, H b) {
  return output<H, ftz, clamp>(sum_to_odd(input<ftz>(a), input<ftz>(b)));
}
template <class H, bool ftz, Clamp clamp>
H difference(H a, H b) {
  return output<H, ftz, clamp>(sum_to_odd(input<ftz>(a), -input<ftz>(b)));
}
template <class H, bool ftz, Clamp clamp>
H product(H a, H b) {
  return output<H, ftz, clamp>(input<ftz>(a) * input<ftz>(b));
}
template <class H, bool ftz, Clamp clamp>
H product_sum(H a, H b, H c) {
  return output<H, ftz, clamp>(sum_to_odd(input<ftz>(a) * input<ftz>(b), input<ftz>(c)));
}

template <class H, bool ftz>
H magnitude(H a) {
  if (is_nan(widen(a))) return {short_nan_bits};
  return {static_cast<std::uint16_t>(flush_short<ftz>(a).bits & 0x7fff)};
}
template <class H, bool ftz>
H opposite(H a) {
  if (is_nan(widen(a))) return {short_nan_bits};
  return {static_cast<std::uint16_t>(flush_short<ftz>(a).bits ^ 0x8000)};
}
template <class H, bool is_max, bool ftz, bool nan, bool xorsign>
H extreme(H a, H b) {
  const std::uint16_t sign = xorsign ? (a.bits ^ b.bits) & 0x8000 : 0;
  const H x = xorsign ? magnitude<H, ftz>(a) : flush_short<ftz>(a);
  const H y = xorsign ? magnitude<H, ftz>(b) : flush_short<ftz>(b);
  const H r = narrow<H>(least_or_most<float, is_max, nan>(widen(x), widen(y)));
  return r.bits == short_nan_bits ? r : H{static_cast<std::uint16_t>(r.bits | sign)};
}

/// As in floating.cpp: may differ from a GPU in the last bit.
template <class H, bool ftz>
H power_of_two(H a) {
  return output<H, ftz, Clamp::none>(std::exp2(input<ftz>(a)));
}
template <class H, bool ftz>
H hyperbolic_tangent(H a) {
  return output<H, ftz, Clamp::none>(std::tanh(input<ftz>(a)));
}

/// f for one value, or for both of a pair.
template <class H, H (*f)(H)>
Two<H> both1(Two<H> a) {
  return {f(a.low), f(a.high)};
}
template <class H, H (*f)(H, H)>
Two<H> both2(Two<H> a, Two<H> b) {
  return {f(a.low, b.low), f(a.high, b.high)};
}
template <class H, H (*f)(H, H, H)>
Two<H> both3(Two<H> a, Two<H> b, Two<H> c) {
  return {f(a.low, b.low, c.low), f(a.high, b.high, c.high)};
}
template <class H, H (*f)(H)>
LaneOperation one_or_two(bool two) {
  return two ? lane_by_lane<both1<H, f>>() : lane_by_lane<f>();
}
template <class H, H (*f)(H, H)>
LaneOperation one_or_two(bool two) {
  return two ? lane_by_lane<both2<H, f>>() : lane_by_lane<f>();
}
template <class H, H (*f)(H, H, H)>
LaneOperation one_or_two(bool two) {
  return two ? lane_by_lane<both3<H, f>>() : lane_by_lane<f>();
}

bool is_pair_type(Type type) { return type == Type::f16x2 || type == Type::bf16x2; }

/// Calls `find.operator()<H, ftz>()`.
template <class Find>
LaneOperation by_format(Form& form, Type type, Find find) {
  const bool ftz = form.take("ftz");
  if (type == Type::bf16 || type == Type::bf16x2) {
    return ftz ? find.template operator()<BFloat, true>() : find.template operator()<BFloat, false>();
  }
  return ftz ? find.template operator()<Half, true>() : find.template operator()<Half, false>();
}

/// Only `.rn` exists; f16 has `.sat`, fma has `.relu`.
Clamp take_clamp(Form& form, bool has_relu) {
  form.take("rn");
  if (form.take("sat")) return Clamp::sat;
  return has_relu && form.take("relu") ? Clamp::relu : Clamp::none;
}

/// Calls `find.operator()<H, ftz, clamp>(two)`, where `.sat` is all the clamping there is.
template <class Find>
LaneOperation by_clamp(Form& form, Type type, Find find) {
  const bool is_saturated = take_clamp(form, false) == Clamp::sat, two = is_pair_type(type);
  return by_format(form, type, [&]<class H, bool ftz>() {
    return is_saturated ? find.template operator()<H, ftz, Clamp::sat>(two)
                        : find.template operator()<H, ftz, Clamp::none>(two);
  });
}

LaneOperation find_extreme(Form& form, Type type, bool is_max) {
  const bool two = is_pair_type(type), nan = form.take("NaN"), xorsign = form.take("xorsign");
  if (xorsign && !form.take("abs")) form.reject(".xorsign needs .abs");
  return by_format(form, type, [&]<class H, bool ftz>() {
    return by_flag(is_max, [&]<bool max>() {
      return by_flag(nan, [&]<bool n>() {
        return xorsign ? one_or_two<H, extreme<H, max, ftz, n, true>>(two)
                       : one_or_two<H, extreme<H, max, ftz, n, false>>(two);
      });
    });
  });
}

}  // namespace

LaneOperation find_half_add(Form& form, Type type) {
  return by_clamp(form, type, []<class H, bool ftz, Clamp clamp>(bool two) {
    return one_or_two<H, sum<H, ftz, clamp>>(two);
  });
}
LaneOperation find_half_sub(Form& form, Type type) {
  return by_clamp(form, type, []<class H, bool ftz, Clamp clamp>(bool two) {
    return one_or_two<H, difference<H, ftz, clamp>>(two);
  });
}
LaneOperation find_half_mul(Form& form, Type type) {
  return by_clamp(form, type, []<class H, bool ftz, Clamp clamp>(bool two) {
    return one_or_two<H, product<H, ftz, clamp>>(two);
  });
}
LaneOperation find_half_fma(Form& form, Type type) {
  const Clamp clamp = take_clamp(form, true);
  const bool two = is_pair_type(type);
  return by_format(form, type, [&]<class H, bool ftz>() {
    if (clamp == Clamp::sat) return one_or_two<H, product_sum<H, ftz, Clamp::sat>>(two);
    if (clamp == Clamp::relu) return one_or_two<H, product_sum<H, ftz, Clamp::relu>>(two);
    return one_or_two<H, product_sum<H, ftz, Clamp::none>>(two);
  });
}
LaneOperation find_half_abs(Form& form, Type type) {
  return by_format(form, type,
                   [&]<class H, bool ftz>() { return one_or_two<H, magnitude<H, ftz>>(is_pair_type(type)); });
}
LaneOperation find_half_neg(Form& form, Type type) {
  return by_format(form, type,
                   [&]<class H, bool ftz>() { return one_or_two<H, opposite<H, ftz>>(is_pair_type(type)); });
}
LaneOperation find_half_min(Form& form, Type type) { return find_extreme(form, type, false); }
LaneOperation find_half_max(Form& form, Type type) { return find_extreme(form, type, true); }
LaneOperation find_half_tanh(Form& form, Type type) {
  if (!form.take("approx")) form.reject(".approx is missing");
  return by_format(form, type, [&]<class H, bool ftz>() {
    return one_or_two<H, hyperbolic_tangent<H, ftz>>(is_pair_type(type));
  });
}
LaneOperation find_half_ex2(Form& form, Type type) {
  if (!form.take("approx")) form.reject(".approx is missing");
  return by_format(form, type, [&]<class H, bool ftz>() {
    return one_or_two<H, power_of_two<H, ftz>>(is_pair_type(type));
  });
}

}  // namespace warpwise::simulator::decode::instructions
