// Comparison and selection: set, setp, selp, slct (PTX ISA 9.7.6, 9.7.7).
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

// ---- The operators of setp and set (PTX ISA 9.3.1, tables for integers and floats) ------------------------

/// The float operators that end in u hold for NaN too. lo, ls, hi, hs are lt, le, gt, ge without sign.
enum class Compare : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

/// What is computed; every operator is one of these, perhaps with its operands swapped, or with its result
/// inverted.
enum class Test : std::uint8_t { equal, different, less, less_or_equal, numbers };
struct Tested {
  Test test;
  bool is_swapped = false, is_inverted = false;
};
Tested tested(Compare compare, bool is_float) {
  switch (compare) {
    case Compare::eq:
      return {Test::equal};
    case Compare::neu:
      return {Test::equal, false, true};
    case Compare::ne:
      return is_float ? Tested{Test::different} : Tested{Test::equal, false, true};
    case Compare::equ:
      return {Test::different, false, true};
    case Compare::lt:
      return {Test::less};
    case Compare::geu:
      return {Test::less, false, true};
    case Compare::gt:
      return {Test::less, true};
    case Compare::leu:
      return {Test::less, true, true};
    case Compare::le:
      return is_float ? Tested{Test::less_or_equal} : Tested{Test::less, true, true};
    case Compare::gtu:
      return {Test::less_or_equal, false, true};
    case Compare::ge:
      return is_float ? Tested{Test::less_or_equal, true} : Tested{Test::less, false, true};
    case Compare::ltu:
      return {Test::less_or_equal, true, true};
    case Compare::num:
      return {Test::numbers};
    case Compare::nan:
      break;
  }
  return {Test::numbers, false, true};
}

template <class T>
constexpr bool holds(Test test, T a, T b) {
  switch (test) {
    case Test::equal:
      return a == b;
    case Test::different:
      return a < b || a > b;
    case Test::less:
      return a < b;
    case Test::less_or_equal:
      return a <= b;
    case Test::numbers:
      break;
  }
  return a == a && b == b;
}
/// As holds, for any type of setp: flushed where asked, f16 and bf16 as floats.
template <bool ftz, class T>
constexpr bool compares(Test test, T a, T b) {
  if constexpr (is_short_real<T>) {
    return holds(test, widen(a), widen(b));
  } else if constexpr (is_real<T>) {
    return holds(test, flush<ftz>(a), flush<ftz>(b));
  } else {
    return holds(test, a, b);
  }
}

/// The operator in the text; rejects what `type` does not have.
Compare take_compare(Form& form, Type type) {
  const bool is_bits = type == Type::b16 || type == Type::b32 || type == Type::b64;
  const bool is_unsigned = type == Type::u16 || type == Type::u32 || type == Type::u64;
  const bool is_signed = type == Type::s16 || type == Type::s32 || type == Type::s64;
  /// The one of `names` that stands in the text; they are those of `first` and of the operators behind it.
  const auto take = [&](Compare first, std::initializer_list<std::string_view> names) {
    std::optional<Compare> found;
    for (const std::string_view& name : names)
      if (!found && form.take(name))
        found = static_cast<Compare>(static_cast<int>(first) + static_cast<int>(&name - names.begin()));
    return found;
  };
  std::optional<Compare> found = take(Compare::eq, {"eq", "ne"});
  if (!found && is_bits) form.reject("bit types have .eq and .ne only");
  if (!found) found = take(Compare::lt, {"lt", "le", "gt", "ge"});
  if (!found && is_unsigned) found = take(Compare::lt, {"lo", "ls", "hi", "hs"});
  if (!found && !is_unsigned && !is_signed)
    found = take(Compare::equ, {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (!found) form.reject("no such comparison");
  return *found;
}

// ---- setp: a comparison, at will combined with a predicate, into one or two predicates: p = (a op b) BOOL
// c, q = !(a op b) BOOL c
// -----------------------------------------------------------------------------------------

enum class Combine : std::uint8_t { none, and_, or_, xor_, and_not, or_not, xor_not };

/// How a setp uses what the test gave.
struct Shape {
  bool is_swapped, is_inverted;
  bool has_pair = false;  ///< two destinations
  Combine combine = Combine::none;
};

LaneMask combined(Combine combine, LaneMask result, LaneMask with) {
  switch (combine) {
    case Combine::none:
      break;
    case Combine::and_:
      return result & with;
    case Combine::or_:
      return result | with;
    case Combine::xor_:
      return result ^ with;
    case Combine::and_not:
      return result & ~with;
    case Combine::or_not:
      return result | ~with;
    case Combine::xor_not:
      return result ^ ~with;
  }
  return result;
}

inline void blend(std::byte* frame, Row row, LaneMask active, LaneMask value) {
  LaneMask& mask = *row_of<LaneMask>(frame, row);
  mask = (mask & ~active) | (value & active);
}

/// The test alone, for all lanes.
template <Test test, class T, bool ftz>
LaneMask test_rows(std::byte* frame, Row a, Row b) {
  const Source<T> x(frame, a), y(frame, b);
  Lanes<std::uint8_t> flags;
  for (std::uint32_t i = 0; i < warp_size; ++i) flags[i] = compares<ftz>(test, x[i], y[i]);
  return mask_of(flags);
}
using TestRows = LaneMask (*)(std::byte* frame, Row a, Row b);

template <TestRows test>
void run_setp(std::byte* frame, const Row* rows, LaneMask active) {
  const auto shape = modifier_in<Shape>(rows);
  const Row* sources = rows + (shape.has_pair ? 2 : 1);
  const LaneMask result = test(frame, sources[shape.is_swapped], sources[!shape.is_swapped]) ^
                          (shape.is_inverted ? all_lanes : 0);
  if (!shape.has_pair && shape.combine == Combine::none) return blend(frame, rows[0], active, result);
  const LaneMask with = shape.combine == Combine::none ? 0 : *row_of<LaneMask>(frame, sources[2]);
  blend(frame, rows[0], active, combined(shape.combine, result, with));
  if (shape.has_pair) blend(frame, rows[1], active, combined(shape.combine, ~result, with));
}

/// "True" of set: 1.0 for floating-point destinations, all ones for integers.
enum class True : std::uint8_t { ones, one, half_one, bfloat_one };
constexpr std::uint32_t true_values[] = {~0u, 0x3f800000, 0x3c00, 0x3f80};
struct Set {
  bool is_swapped, is_inverted;
  Test test;
  True value;
};
template <TestRows test>
void run_set(std::byte* frame, const Row* rows, LaneMask active) {
  const auto how = modifier_in<Set>(rows);
  const LaneMask result =
      test(frame, rows[1 + how.is_swapped], rows[2 - how.is_swapped]) ^ (how.is_inverted ? all_lanes : 0);
  const std::uint32_t value = true_values[static_cast<std::size_t>(how.value)];
  write_row<std::uint32_t>(frame, rows[0], active,
                           [&](std::uint32_t lane) { return (result & lane_bits[lane]) != 0 ? value : 0; });
}

/// The functions that begin with a test of two rows.
struct Runs {
  LaneFunction setp = nullptr, set = nullptr;
};
template <TestRows test>
constexpr Runs runs{run_setp<test>, run_set<test>};
template <class T, bool ftz>
Runs runs_of(Test test) {
  if (test == Test::equal) return runs<test_rows<Test::equal, T, ftz>>;
  if constexpr (!std::is_integral_v<T>) {
    if (test == Test::different) return runs<test_rows<Test::different, T, ftz>>;
    if (test == Test::less_or_equal) return runs<test_rows<Test::less_or_equal, T, ftz>>;
    if (test == Test::numbers) return runs<test_rows<Test::numbers, T, ftz>>;
  }
  return runs<test_rows<Test::less, T, ftz>>;
}
template <class T>
Runs runs_of(Test test, bool ftz) {
  if constexpr (std::is_same_v<T, float>) {
    if (ftz) return runs_of<T, true>(test);
  }
  return runs_of<T, false>(test);
}

/// Calls `find.operator()<T>()`.
template <class Find>
LaneOperation by_compared_type(const Form& form, Type type, Find find) {
  return by_type<Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64, Type::u16, Type::s16,
                 Type::b16, Type::f32, Type::f64, Type::f16, Type::bf16>(form, type, find);
}

bool is_integer(Type type) { return type <= Type::s64; }

}  // namespace

LaneOperation find_setp(Form& form) {
  const Type type = form.take_type();
  const Tested how = tested(take_compare(form, type), !is_integer(type));
  const bool ftz = type == Type::f32 && form.take("ftz");
  Shape shape{how.is_swapped, how.is_inverted, form.is_pair(0)};
  const auto combine = form.take_one_of({"and", "or", "xor"});
  if (!combine.empty()) {
    const bool is_negated = form.take_negation(shape.has_pair ? 4 : 3);
    shape.combine = combine == "and"  ? is_negated ? Combine::and_not : Combine::and_
                    : combine == "or" ? is_negated ? Combine::or_not : Combine::or_
                    : is_negated      ? Combine::xor_not
                                      : Combine::xor_;
  }
  return by_compared_type(form, type, [&]<class T>() {
    const LaneFunction run = runs_of<T>(how.test, ftz).setp;
    LaneOperation result =
        shape.has_pair ? operation_with<bool, bool, T, T, bool>(run) : operation_with<bool, T, T, bool>(run);
    if (shape.has_pair) result.immediate_types[1] = Type::none;
    if (shape.combine == Combine::none) --result.operands;
    result.modifier = row_from(shape);
    return result;
  });
}

// ---- set, selp, slct --------------------------------------------------------------------------------------

namespace {

/// Of pairs: each half by itself.
template <class H>
std::uint32_t set_both(Set how, Two<H> a, Two<H> b) {
  const std::uint32_t value = true_values[static_cast<std::size_t>(how.value)] & 0xffff;
  if (how.is_swapped) std::swap(a, b);
  const bool low = compares<false>(how.test, a.low, b.low) != how.is_inverted;
  const bool high = compares<false>(how.test, a.high, b.high) != how.is_inverted;
  return (low ? value : 0) | (high ? value << 16 : 0);
}

template <class T>
constexpr T select(T a, T b, bool first) {
  return first ? a : b;
}
template <class T>
constexpr T select_by_integer(T a, T b, std::int32_t c) {
  return c >= 0 ? a : b;
}
enum class Subnormals { kept, flushed };
template <class T>
constexpr T select_by_float(Subnormals c_has, T a, T b, float c) {
  return (c_has == Subnormals::flushed ? flush<true>(c) : c) >= 0 ? a : b;
}

/// Calls `find.operator()<T>()`: values only move, so that those of floats are bits.
template <class Find>
LaneOperation by_moved_type(const Form& form, Type type, Find find) {
  if (type == Type::f32) return find.template operator()<std::uint32_t>();
  if (type == Type::f64) return find.template operator()<std::uint64_t>();
  return by_type<Type::b32, Type::b64, Type::b16, Type::u32, Type::s32, Type::u64, Type::s64, Type::u16,
                 Type::s16>(form, type, find);
}

}  // namespace

LaneOperation find_set(Form& form) {
  const Type to = form.take_type();
  const Type from = form.take_type();
  const Tested tests = tested(take_compare(form, from), !is_integer(from));
  const bool ftz = from == Type::f32 && form.take("ftz");
  const bool is_word = to == Type::u32 || to == Type::s32,
             is_pair = from == Type::f16x2 || from == Type::bf16x2;
  const bool is_short = from == Type::f16 || from == Type::bf16;
  const bool is_known = is_word || (is_pair || is_short ? to == from : to == Type::f32) ||
                        (is_short && (to == Type::u16 || to == Type::s16));
  if (!is_known) form.reject("no such pair of types");
  Set how{tests.is_swapped, tests.is_inverted, tests.test, True::ones};
  if (to == Type::f32) how.value = True::one;
  if (to == Type::f16 || to == Type::f16x2) how.value = True::half_one;
  if (to == Type::bf16 || to == Type::bf16x2) how.value = True::bfloat_one;
  if (from == Type::f16x2) return lane_by_lane<set_both<Half>>(how);
  if (from == Type::bf16x2) return lane_by_lane<set_both<BFloat>>(how);
  return by_compared_type(form, from, [&]<class T>() {
    LaneOperation result = operation_with<std::uint32_t, T, T>(runs_of<T>(how.test, ftz).set);
    result.modifier = row_from(how);
    return result;
  });
}

LaneOperation find_selp(Form& form) {
  return by_moved_type(form, form.take_type(), []<class T>() { return vectorised<select<T>>(); });
}

LaneOperation find_slct(Form& form) {
  const Type type = form.take_type();
  const Type by = form.take_type();
  const bool ftz = by == Type::f32 && form.take("ftz");
  return by_moved_type(form, type, [&]<class T>() -> LaneOperation {
    if (by == Type::s32) return lane_by_lane<select_by_integer<T>>();
    if (by != Type::f32) form.reject("the third operand is s32 or f32");
    return lane_by_lane<select_by_float<T>>(ftz ? Subnormals::flushed : Subnormals::kept);
  });
}

}  // namespace warpwise::simulator::decode::instructions
