// Logic and shifts (PTX ISA 9.7.8).
#include "form.hpp"
#include "integer_math.hpp"
#include "rows.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

template <class T>
constexpr T bit_not(T a) {
  return static_cast<T>(~a);
}
template <class T>
constexpr T is_zero(T a) {
  return a == 0;
}

/// Predicates are masks already: one operation for the whole warp.
template <LaneMask (*f)(LaneMask, LaneMask)>
void run_masks(std::byte* frame, const Row* rows, LaneMask active) {
  LaneMask& d = *row_of<LaneMask>(frame, rows[0]);
  d = (d & ~active) | (f(*row_of<LaneMask>(frame, rows[1]), *row_of<LaneMask>(frame, rows[2])) & active);
}
void run_mask_not(std::byte* frame, const Row* rows, LaneMask active) {
  LaneMask& d = *row_of<LaneMask>(frame, rows[0]);
  d = (d & ~active) | (~*row_of<LaneMask>(frame, rows[1]) & active);
}
LaneOperation mask_operation(LaneFunction run, std::uint8_t operands) {
  LaneOperation result;
  result.run = run;
  result.operands = operands;
  for (std::size_t k = 0; k < operands; ++k) {
    result.widths[k] = Width::pred;
    result.immediate_types[k] = k == 0 ? Type::none : Type::pred;
  }
  return result;
}

/// immLut names one of the 256 functions: bit (a b c) of it is the result.
constexpr std::uint32_t lookup3(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
  std::uint32_t result = 0;
  for (std::uint32_t k = 0; k < 8; ++k) {
    const std::uint32_t chosen = 0u - (table >> k & 1);
    result |= chosen & (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
  }
  return result;
}
/// lop3.BOOL.b32 d|p, a, b, c, table, q: p = (d != 0) BOOL q.
template <bool is_and, bool negated>
void run_lookup3_pred(std::byte* frame, const Row* rows, LaneMask active) {
  const LaneMask with = *row_of<LaneMask>(frame, rows[6]) ^ (negated ? all_lanes : 0);
  const Row inner[] = {rows[0], rows[2], rows[3], rows[4], rows[5]};
  Loop<lookup3>::vectorised(frame, inner, active);
  const Source<std::uint32_t> d(frame, rows[0]);
  LaneMask result = 0;
  for (std::uint32_t i = 0; i < warp_size; ++i) result |= d[i] != 0 ? lane_bit(i) : 0;
  LaneMask& p = *row_of<LaneMask>(frame, rows[1]);
  p = (p & ~active) | ((is_and ? result & with : result | with) & active);
}

/// Amounts beyond the width count as the width.
template <class T>
constexpr T shift_left(T a, std::uint32_t amount) {
  return amount < 8 * sizeof(T) ? static_cast<T>(a << (amount & (8 * sizeof(T) - 1))) : T{0};
}
template <class T>
constexpr T shift_right(T a, std::uint32_t amount) {
  constexpr std::uint32_t last = 8 * sizeof(T) - 1;
  if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(a >> (amount < last ? amount : last));
  } else {
    return amount <= last ? static_cast<T>(a >> (amount & last)) : T{0};
  }
}

/// The 64 bits b:a shifted; left gives the high word, right the low one.
template <bool left, bool is_wrapped>
constexpr std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t amount) {
  const std::uint32_t n = is_wrapped ? amount & 31 : amount < 32 ? amount : 32;
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  return static_cast<std::uint32_t>(left ? both << n >> 32 : both >> n);
}

/// `run_on_masks`, with its operands, where the type is that of predicates, else what `find` gives.
template <class Find>
LaneOperation of_bits(Form& form, LaneFunction run_on_masks, std::uint8_t operands, Find find) {
  const Type type = form.take_type();
  if (type == Type::pred) return mask_operation(run_on_masks, operands);
  return by_type<Type::b32, Type::b64, Type::b16>(form, type, find);
}

}  // namespace

LaneOperation find_and(Form& form) {
  return of_bits(form, run_masks<bit_and<LaneMask>>, 3, []<class T>() { return vectorised<bit_and<T>>(); });
}
LaneOperation find_or(Form& form) {
  return of_bits(form, run_masks<bit_or<LaneMask>>, 3, []<class T>() { return vectorised<bit_or<T>>(); });
}
LaneOperation find_xor(Form& form) {
  return of_bits(form, run_masks<bit_xor<LaneMask>>, 3, []<class T>() { return vectorised<bit_xor<T>>(); });
}
LaneOperation find_not(Form& form) {
  return of_bits(form, run_mask_not, 2, []<class T>() { return vectorised<bit_not<T>>(); });
}
LaneOperation find_cnot(Form& form) {
  return by_type<Type::b32, Type::b64, Type::b16>(form, form.take_type(),
                                                  []<class T>() { return vectorised<is_zero<T>>(); });
}

LaneOperation find_lop3(Form& form) {
  if (form.take_type() != Type::b32) form.reject("lop3 needs b32");
  LaneOperation result = vectorised<lookup3>();
  const auto combine = form.take_one_of({"and", "or"});
  if (combine.empty()) return result;
  if (!form.is_pair(0)) form.reject("a destination d|p is needed");
  const bool negated = form.take_negation(6);
  result.run = combine == "and" ? (negated ? run_lookup3_pred<true, true> : run_lookup3_pred<true, false>)
                                : (negated ? run_lookup3_pred<false, true> : run_lookup3_pred<false, false>);
  result.operands = 7;
  result.widths = {Width::b32, Width::pred, Width::b32, Width::b32, Width::b32, Width::b32, Width::pred};
  result.immediate_types = {Type::none, Type::none, Type::b32, Type::b32, Type::b32, Type::b32, Type::pred};
  return result;
}

LaneOperation find_shl(Form& form) {
  return by_type<Type::b32, Type::b64, Type::b16>(form, form.take_type(),
                                                  []<class T>() { return vectorised<shift_left<T>>(); });
}
LaneOperation find_shr(Form& form) {
  return by_type<Type::u32, Type::s32, Type::b32, Type::u64, Type::s64, Type::b64, Type::u16, Type::s16,
                 Type::b16>(form, form.take_type(), []<class T>() { return vectorised<shift_right<T>>(); });
}
LaneOperation find_shf(Form& form) {
  const auto direction = form.take_one_of({"l", "r"});
  const auto mode = form.take_one_of({"wrap", "clamp"});
  if (direction.empty() || mode.empty() || form.take_type() != Type::b32) {
    form.reject("shf.{l,r}.{wrap,clamp}.b32 expected");
  }
  return by_flag(direction == "l", [&]<bool left>() {
    return mode == "wrap" ? vectorised<funnel<left, true>>() : vectorised<funnel<left, false>>();
  });
}

}  // namespace warpwise::simulator::decode::instructions
