// Comparison and selection: set, setp, selp, slct (PTX ISA 9.7.6, 9.7.7).
#include <initializer_list>
#include <optional>
#include <string_view>
#include <type_traits>

#include "form.hpp"
#include "real_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

using ptx::Type;

// ---- The operators of setp and set (PTX ISA 9.3.1, tables for integers and floats) ------------------------

/// The float operators that end in u hold for NaN too. lo, ls, hi, hs are lt, le, gt, ge without sign.
enum class Compare { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <class T>
constexpr bool holds(Compare compare, T a, T b) {
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a < b || a > b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::equ:
      return !(a < b || a > b);
    case Compare::neu:
      return a != b;
    case Compare::ltu:
      return !(a >= b);
    case Compare::leu:
      return !(a > b);
    case Compare::gtu:
      return !(a <= b);
    case Compare::geu:
      return !(a < b);
    case Compare::num:
      return a == a && b == b;
    case Compare::nan:
      break;
  }
  return a != a || b != b;
}

/// As holds, for any type of setp: flushed where asked, f16 and bf16 as floats.
template <class T, bool ftz>
constexpr bool compares(Compare compare, T a, T b) {
  if constexpr (is_short_real<T>) {
    return holds(compare, widen(a), widen(b));
  } else if constexpr (is_real<T>) {
    return holds(compare, flush<ftz>(a), flush<ftz>(b));
  } else {
    return compare == Compare::ne ? a != b : holds(compare, a, b);
  }
}

/// Calls `find.operator()<compare>()` for a comparison of integers, or of floats.
template <bool is_float, class Find>
LaneOperation by_compare(Compare compare, Find find) {
  using enum Compare;
  if constexpr (is_float)
    return by_value<eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan>(compare, find);
  else
    return by_value<eq, ne, lt, le, gt, ge>(compare, find);
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

enum class Combine { none, and_, or_, xor_ };

/// How a setp uses what its comparison gave; to and from LaneOperation::modifier.
struct Shape {
  bool has_pair = false;  ///< two destinations
  Combine combine = Combine::none;
  bool is_negated = false;  ///< the combined predicate has a `!`

  Row modifier() const { return Row{has_pair} | Row{is_negated} << 1 | static_cast<Row>(combine) << 2; }
  static Shape of(Row modifier) {
    return {(modifier & 1) != 0, static_cast<Combine>(modifier >> 2), (modifier & 2) != 0};
  }
};

LaneMask combined(Combine combine, LaneMask result, LaneMask with) {
  if (combine == Combine::and_) return result & with;
  if (combine == Combine::or_) return result | with;
  if (combine == Combine::xor_) return result ^ with;
  return result;
}

inline void blend(std::byte* frame, Row row, LaneMask active, LaneMask value) {
  LaneMask& mask = *row_of<LaneMask>(frame, row);
  mask = (mask & ~active) | (value & active);
}

/// The comparison alone, for all lanes.
template <Compare compare, class T, bool ftz>
LaneMask compare_rows(std::byte* frame, Row a, Row b) {
  const Source<T> x(frame, a), y(frame, b);
  Lanes<std::uint8_t> flags;
  for (std::uint32_t i = 0; i < warp_size; ++i) flags[i] = compares<T, ftz>(compare, x[i], y[i]);
  return mask_of(flags);
}

/// `setp p, a, b`: nearly all there are.
template <Compare compare, class T, bool ftz>
void run_plain(std::byte* frame, const Row* rows, LaneMask active) {
  blend(frame, rows[0], active, compare_rows<compare, T, ftz>(frame, rows[1], rows[2]));
}

using CompareRows = LaneMask (*)(std::byte* frame, Row a, Row b);

void run_shaped(std::byte* frame, const Row* rows, LaneMask active, CompareRows compare) {
  const Shape shape = Shape::of(rows[modifier_row]);
  const Row* sources = rows + (shape.has_pair ? 2 : 1);
  const LaneMask result = compare(frame, sources[0], sources[1]);
  LaneMask with = 0;
  if (shape.combine != Combine::none) with = *row_of<LaneMask>(frame, sources[2]);
  if (shape.is_negated) with = ~with;
  blend(frame, rows[0], active, combined(shape.combine, result, with));
  if (shape.has_pair) blend(frame, rows[1], active, combined(shape.combine, ~result, with));
}

template <Compare compare, class T, bool ftz>
void run_any(std::byte* frame, const Row* rows, LaneMask active) {
  run_shaped(frame, rows, active, compare_rows<compare, T, ftz>);
}

template <class T>
LaneOperation operation_of(const Shape& shape, LaneFunction plain, LaneFunction any) {
  LaneOperation result;
  if (shape.modifier() != 0) result.modifier = shape.modifier();
  result.run = result.modifier ? any : plain;
  std::size_t k = 1;
  result.widths[0] = result.widths[1] = Width::pred;
  if (shape.has_pair) ++k;
  for (int source = 0; source < 2; ++source, ++k) {
    result.widths[k] = width_of<T>();
    result.immediate_types[k] = immediate_type_of<T>();
  }
  if (shape.combine != Combine::none) {
    result.widths[k] = Width::pred;
    result.immediate_types[k++] = Type::pred;
  }
  result.operands = static_cast<std::uint8_t>(k);
  return result;
}

template <Compare compare, class T, bool ftz>
LaneOperation setp_operation(const Shape& shape) {
  return operation_of<T>(shape, run_plain<compare, T, ftz>, run_any<compare, T, ftz>);
}

template <class T>
LaneOperation find_typed_setp(Compare compare, bool ftz, const Shape& shape) {
  constexpr bool is_float = is_real<T> || is_short_real<T>;
  return by_compare<is_float>(compare, [&]<Compare c>() -> LaneOperation {
    if constexpr (std::is_same_v<T, float>) {
      if (ftz) return setp_operation<c, T, true>(shape);
    }
    return setp_operation<c, T, false>(shape);
  });
}

}  // namespace

LaneOperation find_setp(Form& form) {
  const Type type = form.take_type();
  const Compare compare = take_compare(form, type);
  const bool ftz = type == Type::f32 && form.take("ftz");
  Shape shape;
  shape.has_pair = form.is_pair(0);
  const auto combine = form.take_one_of({"and", "or", "xor"});
  if (!combine.empty()) {
    shape.combine = combine == "and" ? Combine::and_ : combine == "or" ? Combine::or_ : Combine::xor_;
    shape.is_negated = form.take_negation(shape.has_pair ? 4 : 3);
  }
  return by_type<Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64, Type::u16, Type::s16,
                 Type::b16, Type::f32, Type::f64, Type::f16, Type::bf16>(
      form, type, [&]<class T>() { return find_typed_setp<T>(compare, ftz, shape); });
}

// ---- set, selp, slct --------------------------------------------------------------------------------------

namespace {

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
