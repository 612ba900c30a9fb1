#include "operations.hpp"

#include "integer_math.hpp"
#include "real_math.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

/// f on values of T, between 64-bit words.
template <class T, T (*f)(T, T)>
std::uint64_t on(std::uint64_t old, std::uint64_t operand, std::uint64_t) {
  const auto read = [](std::uint64_t word) { return std::bit_cast<T>(static_cast<BitsOf<T>>(word)); };
  return std::bit_cast<BitsOf<T>>(f(read(old), read(operand)));
}
template <class T>
std::uint64_t compare_and_swap(std::uint64_t old, std::uint64_t operand, std::uint64_t compare) {
  return static_cast<T>(old) == static_cast<T>(compare) ? static_cast<T>(operand) : static_cast<T>(old);
}

template <class T>
T second(T, T b) {
  return b;
}
/// Counts up to b, then starts at 0 again; counts down from b.
std::uint32_t increment(std::uint32_t a, std::uint32_t b) { return a >= b ? 0 : a + 1; }
std::uint32_t decrement(std::uint32_t a, std::uint32_t b) { return a == 0 || a > b ? b : a - 1; }

template <class T, bool ftz>
T real_sum(T a, T b) {
  return finish<ftz, false>(flush<ftz>(a) + flush<ftz>(b));
}
template <class H>
H short_sum(H a, H b) {
  return narrow<H>(sum_to_odd(widen(a), widen(b)));
}
template <class H, bool is_max>
H short_extreme(H a, H b) {
  return narrow<H>(least_or_most<float, is_max, false>(widen(a), widen(b)));
}
template <class H, H (*f)(H, H)>
Two<H> both(Two<H> a, Two<H> b) {
  return {f(a.low, b.low), f(a.high, b.high)};
}

template <class T>
AtomicFunction find_integer(std::string_view op) {
  if (op == "add") return on<T, add<T>>;
  if (op == "min") return on<T, min<T>>;
  if (op == "max") return on<T, max<T>>;
  return nullptr;
}
template <class T>
AtomicFunction find_bits(std::string_view op) {
  if (op == "exch") return on<T, second<T>>;
  if (op == "cas") return compare_and_swap<T>;
  if (sizeof(T) == 2) return nullptr;
  if (op == "and") return on<T, bit_and<T>>;
  if (op == "or") return on<T, bit_or<T>>;
  if (op == "xor") return on<T, bit_xor<T>>;
  return nullptr;
}
template <class H>
AtomicFunction find_short(std::string_view op, bool two) {
  using Pair = Two<H>;
  if (op == "add") return two ? on<Pair, both<H, short_sum<H>>> : on<H, short_sum<H>>;
  if (op == "min") return two ? on<Pair, both<H, short_extreme<H, false>>> : on<H, short_extreme<H, false>>;
  if (op == "max") return two ? on<Pair, both<H, short_extreme<H, true>>> : on<H, short_extreme<H, true>>;
  return nullptr;
}

}  // namespace

AtomicFunction find_atomic(std::string_view op, ptx::Type type) {
  switch (type) {
    case Type::u32:
      if (op == "inc") return on<std::uint32_t, increment>;
      if (op == "dec") return on<std::uint32_t, decrement>;
      return find_integer<std::uint32_t>(op);
    case Type::s32:
      return find_integer<std::int32_t>(op);
    case Type::u64:
      return find_integer<std::uint64_t>(op);
    case Type::s64:
      return find_integer<std::int64_t>(op);
    case Type::b16:
      return find_bits<std::uint16_t>(op);
    case Type::b32:
      return find_bits<std::uint32_t>(op);
    case Type::b64:
      return find_bits<std::uint64_t>(op);
    case Type::f32:
      return op == "add" ? on<float, real_sum<float, false>> : nullptr;
    case Type::f64:
      return op == "add" ? on<double, real_sum<double, false>> : nullptr;
    case Type::f16:
    case Type::f16x2:
      return find_short<Half>(op, type == Type::f16x2);
    case Type::bf16:
    case Type::bf16x2:
      return find_short<BFloat>(op, type == Type::bf16x2);
    default:
      return nullptr;
  }
}

AtomicFunction atomic_add_f32_flushed() { return on<float, real_sum<float, true>>; }

}  // namespace warpwise::simulator::decode::instructions
