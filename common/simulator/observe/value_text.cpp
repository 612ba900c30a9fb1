#include "value_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace warpwise::simulator::observe {

namespace {

using ptx::Type;

/// The shortest text that is read as the same number.
template <class Number>
std::string shortest(Number value) {
  char text[64];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

/// Numbers that programs hold in floats, and that whole numbers in use are not as bits.
bool is_ordinary(double value) {
  const double size = std::fabs(value);
  return std::isinf(value) || (size > 1e-12 && size < 1e18);
}

/// The compiler writes .u32 for int as well: large bits are taken for a number just below 0.
template <class Unsigned, class Signed>
std::string whole(Unsigned bits, bool is_signed) {
  constexpr Unsigned barely_negative = static_cast<Unsigned>(0) - 65536;
  return is_signed || bits >= barely_negative ? shortest(static_cast<Signed>(bits)) : shortest(bits);
}

}  // namespace

std::string value_text(const std::byte* from, std::uint32_t bytes, Type type) {
  if (bytes == 8) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, from, sizeof bits);
    const auto real = std::bit_cast<double>(bits);
    if (type == Type::f64 || (type == Type::b64 && is_ordinary(real))) return shortest(real);
    return whole<std::uint64_t, std::int64_t>(bits, type == Type::s64);
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, bytes < 4 ? bytes : 4);
  const auto real = std::bit_cast<float>(bits);
  if (type == Type::f32 || (type == Type::b32 && is_ordinary(real))) return shortest(real);
  if (bytes < 4) return shortest(bits);
  return whole<std::uint32_t, std::int32_t>(bits, type == Type::s32);
}

}  // namespace warpwise::simulator::observe
