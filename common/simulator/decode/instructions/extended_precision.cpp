// Sums and products of more than one word (PTX ISA 9.7.2): the condition code register CC.CF is a hidden
// predicate row behind the operands. The manual calls it the borrow after a subtraction; on hardware it is
// the carry of a + ~b + 1, set where nothing is borrowed, and nvcc's division of 128 bits reads it so with
// addc (measured on an H100: common/runtime/tests/programs/wide_integers.cu).
#include "form.hpp"
#include "integer_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

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

/// `first`: the carry of an instruction that does not read it.
template <auto f, bool reads, bool writes, bool first = false>
struct CarryLoop;
template <class T, class... S, Carried<T> (*f)(S...), bool reads, bool writes, bool first>
struct CarryLoop<f, reads, writes, first> {
  static constexpr std::size_t sources = sizeof...(S) - 1;  // the last one is the carry

  static void run(std::byte* frame, const Row* rows, LaneMask active) {
    LaneMask& flags = *row_of<LaneMask>(frame, rows[1 + sources]);
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const std::uint32_t i = lowest_lane(rest);
      const auto cell = [&](std::size_t k) -> T& { return row_of<T>(frame, rows[k])[i]; };
      const bool carry = reads ? (flags & lane_bit(i)) != 0 : first;
      Carried<T> result;
      if constexpr (sources == 2) {
        result = f(cell(1), cell(2), carry);
      } else {
        result = f(cell(1), cell(2), cell(3), carry);
      }
      cell(0) = result.value;
      if (writes) flags = (flags & ~lane_bit(i)) | (result.carry ? lane_bit(i) : 0);
    }
  }
  static LaneOperation operation() {
    LaneOperation result;
    result.run = run;
    result.operands = 1 + sources;
    result.widths.fill(width_of<T>());
    for (std::size_t k = 1; k <= sources; ++k) result.immediate_types[k] = immediate_type_of<T>();
    result.uses_carry = true;
    return result;
  }
};

/// The three that read and write the flag: x.cc writes, xc reads, xc.cc does both.
enum class Flow { writes, reads, both };
template <auto f, bool first = false>
LaneOperation with_carry(Flow flow) {
  if (flow == Flow::writes) return CarryLoop<f, false, true, first>::operation();
  if (flow == Flow::reads) return CarryLoop<f, true, false>::operation();
  return CarryLoop<f, true, true>::operation();
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
