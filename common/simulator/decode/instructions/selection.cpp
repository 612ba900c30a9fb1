// set, selp and slct (PTX ISA 9.7.6.1, 9.7.6.3, 9.7.6.4, 9.7.7.1).
#include "comparison.hpp"
#include "families.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

/// "True" of set: 1.0 for floating-point destinations, all ones for integers.
template <class D>
constexpr D true_value() {
  if constexpr (std::is_same_v<D, Half>) return {0x3c00};
  if constexpr (std::is_same_v<D, BFloat>) return {0x3f80};
  if constexpr (is_real<D>) {
    return D{1};
  } else if constexpr (std::is_integral_v<D>) {
    return static_cast<D>(-1);
  }
}

template <class D, class S, bool ftz>
constexpr D set_value(Compare compare, S a, S b) {
  return compares<S, ftz>(compare, a, b) ? true_value<D>() : D{};
}
template <class H>
constexpr Two<H> set_both(Compare compare, Two<H> a, Two<H> b) {
  return {set_value<H, H, false>(compare, a.low, b.low), set_value<H, H, false>(compare, a.high, b.high)};
}

/// set.lt.u32.f16x2: each half all ones or zero.
template <class H>
constexpr std::uint32_t set_both_bits(Compare compare, Two<H> a, Two<H> b) {
  return set_value<std::uint32_t, H, false>(compare, a.low, b.low) >> 16 |
         set_value<std::uint32_t, H, false>(compare, a.high, b.high) << 16;
}

LaneOperation find_short_set(Form& form, Type to, Type from, Compare compare) {
  if (to == Type::f16x2 || to == Type::bf16x2) {
    if (to != from) form.reject("no such pair of types");
    return to == Type::f16x2 ? lane_by_lane<set_both<Half>>(compare)
                             : lane_by_lane<set_both<BFloat>>(compare);
  }
  if (from == Type::f16x2 || from == Type::bf16x2) {
    if (to != Type::u32 && to != Type::s32) form.reject("no such pair of types");
    return from == Type::f16x2 ? lane_by_lane<set_both_bits<Half>>(compare)
                               : lane_by_lane<set_both_bits<BFloat>>(compare);
  }
  return by_type<Type::f16, Type::bf16>(form, from, [&]<class S>() -> LaneOperation {
    if (to == from) return lane_by_lane<set_value<S, S, false>>(compare);
    return by_type<Type::u32, Type::s32, Type::u16, Type::s16>(form, to, [&]<class D>() {
      return lane_by_lane<set_value<std::make_unsigned_t<D>, S, false>>(compare);
    });
  });
}

template <class T>
constexpr T select(T a, T b, bool first) {
  return first ? a : b;
}
template <class T, class C, bool ftz>
constexpr T select_by_sign(T a, T b, C c) {
  if constexpr (is_real<C>) return flush<ftz>(c) >= 0 ? a : b;
  return c >= 0 ? a : b;
}

}  // namespace

LaneOperation find_set(Form& form) {
  const Type to = form.take_type();
  const Type from = form.take_type();
  const Compare compare = take_compare(form, from);
  const bool ftz = from == Type::f32 && form.take("ftz");
  if (from == Type::f16 || from == Type::bf16 || from == Type::f16x2 || from == Type::bf16x2) {
    return find_short_set(form, to, from, compare);
  }
  return by_type<Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64, Type::u16, Type::s16,
                 Type::b16, Type::f32, Type::f64>(form, from, [&]<class S>() {
    return by_type<Type::u32, Type::s32, Type::f32>(form, to, [&]<class D>() -> LaneOperation {
      using Result = std::conditional_t<is_real<D>, float, std::uint32_t>;
      if constexpr (std::is_same_v<S, float>) {
        if (ftz) return lane_by_lane<set_value<Result, S, true>>(compare);
      }
      return lane_by_lane<set_value<Result, S, false>>(compare);
    });
  });
}

LaneOperation find_selp(Form& form) {
  return by_type<Type::b32, Type::b64, Type::b16, Type::u32, Type::s32, Type::f32, Type::u64, Type::s64,
                 Type::f64, Type::u16, Type::s16>(form, form.take_type(),
                                                  []<class T>() { return vectorised<select<T>>(); });
}

LaneOperation find_slct(Form& form) {
  const Type type = form.take_type();
  const Type by = form.take_type();
  const bool ftz = by == Type::f32 && form.take("ftz");
  return by_type<Type::b32, Type::b64, Type::b16, Type::u32, Type::s32, Type::f32, Type::u64, Type::s64,
                 Type::f64, Type::u16, Type::s16>(form, type, [&]<class T>() -> LaneOperation {
    if (by == Type::s32) return vectorised<select_by_sign<T, std::int32_t, false>>();
    if (by != Type::f32) form.reject("the third operand is s32 or f32");
    return ftz ? vectorised<select_by_sign<T, float, true>>() : vectorised<select_by_sign<T, float, false>>();
  });
}

}  // namespace warpwise::simulator::decode::instructions
