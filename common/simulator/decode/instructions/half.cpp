// Arithmetic on f16, bf16 and pairs of them (PTX ISA 9.7.4). Computed in double (exactly, or rounded to odd)
// and rounded once.
#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

/// By the number of their operands.
enum class Op : std::uint8_t { abs, neg, ex2, tanh, add, sub, mul, min, max, min_xorsign, max_xorsign, fma };
struct How {
  Op op;
  Clamp clamp = Clamp::none;
  bool ftz = false, nan = false;
};

template <class H>
H flushed(How how, H a) {
  constexpr auto exponent = static_cast<std::uint16_t>(0x7fff & ~((1 << ShortFormat<H>::fraction) - 1));
  return how.ftz && (a.bits & exponent) == 0 ? H{static_cast<std::uint16_t>(a.bits & 0x8000)} : a;
}
template <class H>
H rounded(How how, double a) {
  a = clamped_by(how.clamp, a);
  return flushed(how, narrow<H>(a));
}
template <class H>
H magnitude(How how, H a) {
  return is_nan(widen(a)) ? H{short_nan_bits} : H{static_cast<std::uint16_t>(flushed(how, a).bits & 0x7fff)};
}
template <class H>
H extreme(How how, bool is_max, float a, float b) {
  if (how.nan)
    return narrow<H>(is_max ? least_or_most<float, true, true>(a, b)
                            : least_or_most<float, false, true>(a, b));
  return narrow<H>(is_max ? least_or_most<float, true, false>(a, b)
                          : least_or_most<float, false, false>(a, b));
}

/// The operands that `how.op` has not are not looked at.
template <class H>
H compute(How how, H a, H b, H c) {
  const double x = widen(flushed(how, a)), y = widen(flushed(how, b)), z = widen(flushed(how, c));
  switch (how.op) {
    case Op::abs:
      return magnitude(how, a);
    case Op::neg:
      return is_nan(x) ? H{short_nan_bits} : H{static_cast<std::uint16_t>(flushed(how, a).bits ^ 0x8000)};
    case Op::ex2:  // as in floating.cpp: may differ from a GPU in the last bit, and so may tanh
      return rounded<H>(how, std::exp2(x));
    case Op::tanh:
      return rounded<H>(how, std::tanh(x));
    case Op::add:
      return rounded<H>(how, sum_to_odd(x, y));
    case Op::sub:
      return rounded<H>(how, sum_to_odd(x, -y));
    case Op::mul:
      return rounded<H>(how, x * y);
    case Op::fma:
      return rounded<H>(how, sum_to_odd(x * y, z));
    case Op::min:
    case Op::max:
      return extreme<H>(how, how.op == Op::max, widen(flushed(how, a)), widen(flushed(how, b)));
    case Op::min_xorsign:
    case Op::max_xorsign:
      break;
  }
  const H r = extreme<H>(how, how.op == Op::max_xorsign, widen(magnitude(how, a)), widen(magnitude(how, b)));
  const int sign = r.bits == short_nan_bits ? 0 : (a.bits ^ b.bits) & 0x8000;
  return {static_cast<std::uint16_t>(r.bits | sign)};
}
template <class H>
Two<H> compute(How how, Two<H> a, Two<H> b, Two<H> c) {
  return {compute(how, a.low, b.low, c.low), compute(how, a.high, b.high, c.high)};
}

template <class T>
T of_one(How how, T a) {
  return compute(how, a, a, a);
}
template <class T>
T of_two(How how, T a, T b) {
  return compute(how, a, b, b);
}
template <class T>
T of_three(How how, T a, T b, T c) {
  return compute(how, a, b, c);
}

LaneOperation find(Form& form, Type type, How how) {
  how.ftz = form.take("ftz");
  return by_type<Type::f16, Type::bf16, Type::f16x2, Type::bf16x2>(form, type, [&]<class T>() {
    if (how.op == Op::fma) return lane_by_lane<of_three<T>>(how);
    return how.op < Op::add ? lane_by_lane<of_one<T>>(how) : lane_by_lane<of_two<T>>(how);
  });
}

/// Only `.rn` exists; f16 has `.sat`, fma has `.relu`.
LaneOperation find_rounded(Form& form, Type type, Op op) {
  form.take("rn");
  How how{op};
  if (form.take("sat")) how.clamp = Clamp::sat;
  if (op == Op::fma && how.clamp == Clamp::none && form.take("relu")) how.clamp = Clamp::relu;
  return find(form, type, how);
}

LaneOperation find_extreme(Form& form, Type type, Op plain, Op with_xorsign) {
  const bool xorsign = form.take("xorsign");
  if (xorsign && !form.take("abs")) form.reject(".xorsign needs .abs");
  return find(form, type, {.op = xorsign ? with_xorsign : plain, .nan = form.take("NaN")});
}

LaneOperation find_approximate(Form& form, Type type, Op op) {
  if (!form.take("approx")) form.reject(".approx is missing");
  return find(form, type, {op});
}

}  // namespace

LaneOperation find_half_add(Form& form, Type type) { return find_rounded(form, type, Op::add); }
LaneOperation find_half_sub(Form& form, Type type) { return find_rounded(form, type, Op::sub); }
LaneOperation find_half_mul(Form& form, Type type) { return find_rounded(form, type, Op::mul); }
LaneOperation find_half_fma(Form& form, Type type) { return find_rounded(form, type, Op::fma); }
LaneOperation find_half_abs(Form& form, Type type) { return find(form, type, {Op::abs}); }
LaneOperation find_half_neg(Form& form, Type type) { return find(form, type, {Op::neg}); }
LaneOperation find_half_min(Form& form, Type type) {
  return find_extreme(form, type, Op::min, Op::min_xorsign);
}
LaneOperation find_half_max(Form& form, Type type) {
  return find_extreme(form, type, Op::max, Op::max_xorsign);
}
LaneOperation find_half_tanh(Form& form, Type type) { return find_approximate(form, type, Op::tanh); }
LaneOperation find_half_ex2(Form& form, Type type) { return find_approximate(form, type, Op::ex2); }

}  // namespace warpwise::simulator::decode::instructions
