#pragma once
/// \file The comparisons of setp and set (PTX ISA 9.3.1, tables of operators for integers and floats).

#include <type_traits>

#include "form.hpp"
#include "real_math.hpp"

namespace warpwise::simulator::decode::instructions {

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

/// The operator in the text; rejects what `type` does not have.
Compare take_compare(Form& form, ptx::Type type);

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
  switch (compare) {
    case Compare::eq:
      return find.template operator()<Compare::eq>();
    case Compare::ne:
      return find.template operator()<Compare::ne>();
    case Compare::lt:
      return find.template operator()<Compare::lt>();
    case Compare::le:
      return find.template operator()<Compare::le>();
    case Compare::gt:
      return find.template operator()<Compare::gt>();
    case Compare::ge:
      return find.template operator()<Compare::ge>();
    default:
      break;
  }
  if constexpr (is_float) {
    switch (compare) {
      case Compare::equ:
        return find.template operator()<Compare::equ>();
      case Compare::neu:
        return find.template operator()<Compare::neu>();
      case Compare::ltu:
        return find.template operator()<Compare::ltu>();
      case Compare::leu:
        return find.template operator()<Compare::leu>();
      case Compare::gtu:
        return find.template operator()<Compare::gtu>();
      case Compare::geu:
        return find.template operator()<Compare::geu>();
      case Compare::num:
        return find.template operator()<Compare::num>();
      default:
        return find.template operator()<Compare::nan>();
    }
  }
  return {};
}

}  // namespace warpwise::simulator::decode::instructions
