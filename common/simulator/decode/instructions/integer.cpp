/// \file Integer arithmetic (PTX ISA 9.7.1, 9.7.2). Sums and products wrap: they are computed without a sign.

#include <limits>

#include "form.hpp"
#include "integer_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

template <class Find>
LaneOperation any_integer(const Form& form, Type type, Find find) {
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64, Type::u16, Type::s16>(form, type, find);
}

/// Which part of a product `part` names.
template <class Low, class High, class Wide>
LaneOperation by_part(const Form& form, Type type, std::string_view part, Low low, High high, Wide wide) {
  if (part == "hi") return any_integer(form, type, high);
  if (part == "wide") return by_type<Type::u32, Type::s32, Type::u16, Type::s16>(form, type, wide);
  if (part.empty()) form.reject(".lo, .hi or .wide is missing");
  return any_integer(form, type, low);
}

/// Applies f to both halves (u16x2, s16x2).
template <class T, T (*f)(T, T)>
constexpr Two<T> both(Two<T> a, Two<T> b) {
  return {f(a.low, b.low), f(a.high, b.high)};
}

/// Of the two factors of a dot product.
Signs take_signs(Form& form) {
  const bool a = form.take_type() == Type::s32, b = form.take_type() == Type::s32;
  return a ? b ? Signs::both : Signs::first : b ? Signs::second : Signs::none;
}

}  // namespace

LaneOperation find_integer_add(Form& form, Type type) {
  if (form.take("sat")) {
    if (type != Type::s32) form.reject(".sat needs s32");
    return lane_by_lane<add_saturated>();
  }
  return any_integer(form, type, []<class T>() { return vectorised<add<T>>(); });
}

LaneOperation find_integer_sub(Form& form, Type type) {
  if (form.take("sat")) {
    if (type != Type::s32) form.reject(".sat needs s32");
    return lane_by_lane<sub_saturated>();
  }
  return any_integer(form, type, []<class T>() { return vectorised<sub<T>>(); });
}

LaneOperation find_integer_mul(Form& form, Type type) {
  return by_part(
      form, type, form.take_one_of({"lo", "hi", "wide"}), []<class T>() { return vectorised<mul_lo<T>>(); },
      []<class T>() { return vectorised<mul_hi<T>>(); }, []<class T>() { return vectorised<mul_wide<T>>(); });
}

LaneOperation find_integer_mad(Form& form, Type type) {
  const auto part = form.take_one_of({"lo", "hi", "wide"});
  if (part == "hi" && form.take("sat")) {
    if (type != Type::s32) form.reject(".sat needs s32");
    return lane_by_lane<mad_hi_saturated>();
  }
  return by_part(
      form, type, part, []<class T>() { return vectorised<mad_lo<T>>(); },
      []<class T>() { return vectorised<mad_hi<T>>(); }, []<class T>() { return vectorised<mad_wide<T>>(); });
}

LaneOperation find_integer_div(Form& form, Type type) {
  return any_integer(form, type, []<class T>() {
    if constexpr (sizeof(T) == 4)
      return vectorised<narrow_div<T>>();
    else
      return lane_by_lane<div<T>>();
  });
}

LaneOperation find_rem(Form& form) {
  return any_integer(form, form.take_type(), []<class T>() {
    if constexpr (sizeof(T) == 4)
      return vectorised<narrow_rem<T>>();
    else
      return lane_by_lane<rem<T>>();
  });
}

LaneOperation find_integer_abs(Form& form, Type type) {
  return by_type<Type::s32, Type::s64, Type::s16>(form, type, []<class T>() { return vectorised<abs<T>>(); });
}

LaneOperation find_integer_neg(Form& form, Type type) {
  return by_type<Type::s32, Type::s64, Type::s16>(form, type, []<class T>() { return vectorised<neg<T>>(); });
}

LaneOperation find_integer_min(Form& form, Type type) {
  if (form.take("relu")) {
    if (type != Type::s32) form.reject(".relu needs s32 or s16x2");
    return lane_by_lane<min_relu<std::int32_t>>();
  }
  return any_integer(form, type, []<class T>() { return vectorised<min<T>>(); });
}

LaneOperation find_integer_max(Form& form, Type type) {
  if (form.take("relu")) {
    if (type != Type::s32) form.reject(".relu needs s32 or s16x2");
    return lane_by_lane<max_relu<std::int32_t>>();
  }
  return any_integer(form, type, []<class T>() { return vectorised<max<T>>(); });
}

LaneOperation find_packed_add(Form& form, bool) {
  if (form.take("relu")) form.reject(".relu needs min or max of s16x2");
  return lane_by_lane<both<std::uint16_t, add<std::uint16_t>>>();
}

namespace {

/// min and max: `relu` is for signed values alone.
template <auto of_signed, auto of_signed_relu, auto of_unsigned>
LaneOperation find_packed_extreme(Form& form, bool is_signed) {
  const bool relu = form.take("relu");
  if (relu && !is_signed) form.reject(".relu needs min or max of s16x2");
  if (relu) return lane_by_lane<both<std::int16_t, of_signed_relu>>();
  return is_signed ? lane_by_lane<both<std::int16_t, of_signed>>()
                   : lane_by_lane<both<std::uint16_t, of_unsigned>>();
}

}  // namespace

LaneOperation find_packed_min(Form& form, bool is_signed) {
  return find_packed_extreme<min<std::int16_t>, min_relu<std::int16_t>, min<std::uint16_t>>(form, is_signed);
}

LaneOperation find_packed_max(Form& form, bool is_signed) {
  return find_packed_extreme<max<std::int16_t>, max_relu<std::int16_t>, max<std::uint16_t>>(form, is_signed);
}

LaneOperation find_mul24(Form& form) {
  const auto part = form.take_one_of({"lo", "hi"});
  const bool hi = part == "hi";
  if (part.empty()) form.reject(".lo or .hi is missing");
  return by_type<Type::u32, Type::s32>(form, form.take_type(), [&]<class T>() {
    return hi ? lane_by_lane<mul24_hi<T>>() : lane_by_lane<mul24_lo<T>>();
  });
}

LaneOperation find_mad24(Form& form) {
  const auto part = form.take_one_of({"lo", "hi"});
  const bool hi = part == "hi";
  if (part.empty()) form.reject(".lo or .hi is missing");
  if (hi && form.take("sat")) {
    if (form.take_type() != Type::s32) form.reject(".sat needs s32");
    return lane_by_lane<mad24_hi_saturated>();
  }
  return by_type<Type::u32, Type::s32>(form, form.take_type(), [&]<class T>() {
    return hi ? lane_by_lane<mad24_hi<T>>() : lane_by_lane<mad24_lo<T>>();
  });
}

LaneOperation find_sad(Form& form) {
  return any_integer(form, form.take_type(), []<class T>() { return lane_by_lane<sad<T>>(); });
}

LaneOperation find_dp4a(Form& form) {
  const Signs signs = take_signs(form);
  return lane_by_lane<dp4a>(signs);
}

LaneOperation find_dp2a(Form& form) {
  const auto part = form.take_one_of({"lo", "hi"});
  if (part.empty()) form.reject(".lo or .hi is missing");
  const Signs signs = take_signs(form);
  return part == "hi" ? lane_by_lane<dp2a<16>>(signs) : lane_by_lane<dp2a<0>>(signs);
}

LaneOperation find_vabsdiff4(Form& form) {
  // What the compiler writes for __vabsdiffu4 and __vsadu4; c is the value merged or added to.
  for (int i = 0; i < 3; ++i) {
    if (form.take_type() != Type::u32) form.reject("only .u32.u32.u32 is known");
  }
  return form.take("add") ? lane_by_lane<abs_difference4_sum>() : lane_by_lane<abs_difference4>();
}

// ---- Sums and products of more than one word (PTX ISA 9.7.2): the condition code register CC.CF is a hidden
// predicate row behind the operands. The manual calls it the borrow after a subtraction; on hardware it is
// the carry of a + ~b + 1, set where nothing is borrowed, and the compiler's division of 128 bits reads it so
// with addc (measured on an H100: common/runtime/tests/programs/wide_integers.cu).

namespace {

template <class T>
struct Carried {
  T value;
  bool carry;
};

template <class T>
constexpr Carried<T> add_with_carry(T a, T b, bool carry) {
  const T sum = a + b;
  const T all = sum + T{carry};
  return {all, sum < a || all < sum};
}
template <class T>
constexpr Carried<T> sub_with_carry(T a, T b, bool carry) {
  return add_with_carry(a, static_cast<T>(~b), carry);
}
/// S is the type whose sign the product has; values travel unsigned.
template <class S, bool hi, class T = std::make_unsigned_t<S>>
constexpr Carried<T> mad_with_carry(T a, T b, T c, bool carry) {
  const S x = static_cast<S>(a), y = static_cast<S>(b);
  return add_with_carry(static_cast<T>(hi ? mul_hi(x, y) : mul_lo(x, y)), c, carry);
}

/// The three that read and write the flag: x.cc writes, xc reads, xc.cc does both.
enum class Flow { writes, reads, both };

/// `first`: the carry of an instruction that does not read it.
template <auto f, bool first>
struct CarryLoop;
template <class T, class... S, Carried<T> (*f)(S...), bool first>
struct CarryLoop<f, first> {
  static constexpr std::size_t sources = sizeof...(S) - 1;  // the last one is the carry

  static void run(std::byte* frame, const Row* rows, LaneMask active) {
    const auto flow = modifier_in<Flow>(rows);
    LaneMask& flags = *row_of<LaneMask>(frame, rows[1 + sources]);
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = lowest_lane(rest);
      const auto cell = [&](std::size_t k) -> T& { return row_of<T>(frame, rows[k])[i]; };
      const bool carry = flow == Flow::writes ? first : (flags & lane_bit(i)) != 0;
      Carried<T> result;
      if constexpr (sources == 2) {
        result = f(cell(1), cell(2), carry);
      } else {
        result = f(cell(1), cell(2), cell(3), carry);
      }
      cell(0) = result.value;
      if (flow != Flow::reads) flags = (flags & ~lane_bit(i)) | (result.carry ? lane_bit(i) : 0);
    }
  }
};

template <auto f, bool first = false, class T, class... S>
LaneOperation carry_operation(Carried<T> (*)(S...), Flow flow) {
  LaneOperation result;
  result.run = CarryLoop<f, first>::run;
  result.operands = sizeof...(S);  // the destination, and not the carry
  result.widths.fill(width_of<T>());
  for (std::size_t k = 1; k < sizeof...(S); ++k) result.immediate_types[k] = immediate_type_of<T>();
  result.uses_carry = true;
  result.modifier = row_from(flow);
  return result;
}
template <auto f, bool first = false>
LaneOperation with_carry(Flow flow) {
  return carry_operation<f, first>(f, flow);
}

LaneOperation sum(Form& form, Type type, Flow flow) {
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64>(
      form, type, [&]<class T>() { return with_carry<add_with_carry<std::make_unsigned_t<T>>>(flow); });
}
LaneOperation difference(Form& form, Type type, Flow flow) {
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64>(
      form, type, [&]<class T>() { return with_carry<sub_with_carry<std::make_unsigned_t<T>>, true>(flow); });
}
LaneOperation product_sum(Form& form, Type type, Flow flow) {
  const auto part = form.take_one_of({"lo", "hi"});
  if (part.empty()) form.reject(".lo or .hi is missing");
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64>(form, type, [&]<class T>() {
    using U = std::make_unsigned_t<T>;
    return part == "hi" ? with_carry<mad_with_carry<T, true, U>>(flow)
                        : with_carry<mad_with_carry<T, false, U>>(flow);
  });
}
Flow reading(Form& form) { return form.take("cc") ? Flow::both : Flow::reads; }

}  // namespace

LaneOperation find_add_carry(Form& form, Type type) { return sum(form, type, Flow::writes); }
LaneOperation find_sub_carry(Form& form, Type type) { return difference(form, type, Flow::writes); }
LaneOperation find_mad_carry(Form& form, Type type) { return product_sum(form, type, Flow::writes); }
LaneOperation find_addc(Form& form) {
  const Flow flow = reading(form);
  return sum(form, form.take_type(), flow);
}
LaneOperation find_subc(Form& form) {
  const Flow flow = reading(form);
  return difference(form, form.take_type(), flow);
}
LaneOperation find_madc(Form& form) {
  const Flow flow = reading(form);
  return product_sum(form, form.take_type(), flow);
}

}  // namespace warpwise::simulator::decode::instructions
