/// \file Logic and shifts (PTX ISA 9.7.8); single bits, fields and bytes of a word (9.7.1.14
/// to 9.7.1.22, 9.7.9.7).

#include <bit>

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
                                                  []<class T>() { return lane_by_lane<is_zero<T>>(); });
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

// ---- Fields and bytes

namespace {

template <class T>
constexpr std::uint32_t popc(T a) {
  return static_cast<std::uint32_t>(std::popcount(a));
}
template <class T>
constexpr std::uint32_t clz(T a) {
  return static_cast<std::uint32_t>(std::countl_zero(a));
}
/// The highest bit that differs from the sign; with `.shiftamt` the shift that brings it to the top.
template <class T, bool shift_amount>
constexpr std::uint32_t bfind(T a) {
  using U = std::make_unsigned_t<T>;
  const U value = std::is_signed_v<T> && a < T{0} ? ~static_cast<U>(a) : static_cast<U>(a);
  if (value == 0) return ~0u;
  return shift_amount ? clz(value) : 8 * sizeof(T) - 1 - clz(value);
}

/// The n-th set bit of `mask` from `base` on (offset n > 0), downwards (n < 0), or `base` itself (0).
constexpr std::uint32_t fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (base > 31) return ~0u;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0u;
  const std::int32_t step = offset < 0 ? -1 : 1;
  std::int64_t wanted = offset < 0 ? -std::int64_t{offset} : offset;
  for (auto i = static_cast<std::int32_t>(base); i >= 0 && i < 32; i += step) {
    if ((mask >> i & 1) != 0 && --wanted == 0) return static_cast<std::uint32_t>(i);
  }
  return ~0u;
}

template <class T>
constexpr T brev(T a) {
  constexpr std::uint64_t pattern[] = {0x5555555555555555u, 0x3333333333333333u, 0x0f0f0f0f0f0f0f0fu,
                                       0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu, 0x00000000ffffffffu};
  for (std::uint32_t k = 0, shift = 1; shift < 8 * sizeof(T); ++k, shift *= 2) {
    const T mask = static_cast<T>(pattern[k]);
    a = static_cast<T>((a >> shift & mask) | (a & mask) << shift);
  }
  return a;
}

/// `length` ones from bit 0 on.
template <class U>
constexpr U ones(std::uint32_t length) {
  return length >= 8 * sizeof(U) ? static_cast<U>(-1) : static_cast<U>((U{1} << length) - 1);
}
template <class T>
constexpr T bfe(T a, std::uint32_t position, std::uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t last = 8 * sizeof(T) - 1;
  const std::uint32_t pos = position & 255, len = length & 255;
  if (len == 0) return 0;
  const U field = pos > last ? U{0} : static_cast<U>(static_cast<U>(a) >> pos);
  const U inside = ones<U>(len);
  if constexpr (!std::is_signed_v<T>) return field & inside;
  const std::uint32_t sign_at = pos + len - 1 < last ? pos + len - 1 : last;
  const bool is_negative = (static_cast<U>(a) >> sign_at & 1) != 0;
  const U here = pos > last ? U{0} : inside & (static_cast<U>(-1) >> pos);  // bits that come from a
  return static_cast<T>((field & here) | (is_negative ? static_cast<U>(~here) : U{0}));
}
template <class T>
constexpr T bfi(T a, T b, std::uint32_t position, std::uint32_t length) {
  const std::uint32_t pos = position & 255, len = length & 255;
  if (pos >= 8 * sizeof(T)) return b;
  const T field = static_cast<T>(ones<T>(len) << pos);
  return static_cast<T>((b & ~field) | (static_cast<T>(a << pos) & field));
}

/// a as an integer of `bits` bits, extended to 32.
template <class T, bool is_wrapped>
constexpr T szext(T a, std::uint32_t bits) {
  const std::uint32_t n = is_wrapped ? bits & 31 : bits < 32 ? bits : 32;
  if (n == 0) return 0;
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - n)) >> (32 - n));
}
/// Ones from bit a on, b of them.
template <bool is_wrapped>
constexpr std::uint32_t bmsk(std::uint32_t a, std::uint32_t b) {
  if (is_wrapped) return ones<std::uint32_t>(b & 31) << (a & 31);
  return a > 31 ? 0 : ones<std::uint32_t>(b) << a;
}

enum class Permute { bytes, f4e, b4e, rc8, ecl, ecr, rc16 };
/// Which of the eight bytes b:a byte i of the result is (PTX ISA 9.7.9.7, tables).
constexpr std::uint32_t chosen_byte(Permute mode, std::uint32_t control, std::uint32_t i) {
  const std::uint32_t c = control & 3;
  switch (mode) {
    case Permute::bytes:
      return control >> (4 * i) & 7;
    case Permute::f4e:
      return c + i;
    case Permute::b4e:
      return (c - i) & 7;
    case Permute::rc8:
      return c;
    case Permute::ecl:
      return c > i ? c : i;
    case Permute::ecr:
      return c < i ? c : i;
    case Permute::rc16:
      break;
  }
  return (c & 1) * 2 + (i & 1);
}
constexpr std::uint32_t prmt(Permute mode, std::uint32_t a, std::uint32_t b, std::uint32_t control) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    auto byte = static_cast<std::uint32_t>(both >> (8 * chosen_byte(mode, control, i)) & 255);
    // Bit 3 of a selector asks for the byte's sign in all its bits.
    if (mode == Permute::bytes && (control >> (4 * i) & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

constexpr std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t control) {
  return prmt(Permute::bytes, a, b, control);
}

bool take_wrap(Form& form) {
  const auto mode = form.take_one_of({"wrap", "clamp"});
  if (mode.empty()) form.reject(".wrap or .clamp is missing");
  return mode == "wrap";
}

}  // namespace

LaneOperation find_popc(Form& form) {
  return by_type<Type::b32, Type::b64>(form, form.take_type(),
                                       []<class T>() { return vectorised<popc<T>>(); });
}
LaneOperation find_clz(Form& form) {
  return by_type<Type::b32, Type::b64>(form, form.take_type(),
                                       []<class T>() { return vectorised<clz<T>>(); });
}
LaneOperation find_bfind(Form& form) {
  const bool shift_amount = form.take("shiftamt");
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64>(form, form.take_type(), [&]<class T>() {
    return shift_amount ? lane_by_lane<bfind<T, true>>() : lane_by_lane<bfind<T, false>>();
  });
}
LaneOperation find_fns(Form& form) {
  if (form.take_type() != Type::b32) form.reject("fns needs b32");
  return lane_by_lane<fns>();
}
LaneOperation find_brev(Form& form) {
  return by_type<Type::b32, Type::b64>(form, form.take_type(),
                                       []<class T>() { return vectorised<brev<T>>(); });
}
LaneOperation find_bfe(Form& form) {
  return by_type<Type::u32, Type::s32, Type::u64, Type::s64>(form, form.take_type(),
                                                             []<class T>() { return vectorised<bfe<T>>(); });
}
LaneOperation find_bfi(Form& form) {
  return by_type<Type::b32, Type::b64>(form, form.take_type(),
                                       []<class T>() { return vectorised<bfi<T>>(); });
}
LaneOperation find_szext(Form& form) {
  const bool wraps = take_wrap(form);
  return by_type<Type::u32, Type::s32>(form, form.take_type(), [&]<class T>() {
    return wraps ? lane_by_lane<szext<T, true>>() : lane_by_lane<szext<T, false>>();
  });
}
LaneOperation find_bmsk(Form& form) {
  const bool wraps = take_wrap(form);
  if (form.take_type() != Type::b32) form.reject("bmsk needs b32");
  return wraps ? lane_by_lane<bmsk<true>>() : lane_by_lane<bmsk<false>>();
}

LaneOperation find_prmt(Form& form) {
  if (form.take_type() != Type::b32) form.reject("prmt needs b32");
  Permute mode = Permute::bytes;
  for (const std::string_view name : {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}) {
    mode = static_cast<Permute>(static_cast<int>(mode) + 1);
    if (form.take(name)) return lane_by_lane<prmt>(mode);
  }
  return vectorised<permute_bytes>();
}

}  // namespace warpwise::simulator::decode::instructions
