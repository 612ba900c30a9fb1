#pragma once
/// \file Arithmetic in the four rounding modes of PTX (PTX ISA 9.7.3 and 6.6), which the host's C++ offers
/// only through a mode of the processor. Slow; what rounds to nearest need not come here.

#include <cstdint>

namespace warpwise::simulator::decode::instructions {

enum class Rounding : std::uint8_t {
  nearest,  ///< .rn, .rni: to nearest, ties to even
  zero,     ///< .rz
  down,     ///< .rm: towards minus infinity
  up,       ///< .rp
};

/// Correctly rounded; T is float or double. NaN results are the host's.
template <class T>
T add_rounded(T a, T b, Rounding rounding);
template <class T>
T multiply_rounded(T a, T b, Rounding rounding);
template <class T>
T divide_rounded(T a, T b, Rounding rounding);
template <class T>
T fma_rounded(T a, T b, T c, Rounding rounding);
template <class T>
T sqrt_rounded(T a, Rounding rounding);
float narrow_rounded(double a, Rounding rounding);
/// To To = float or double from std::int64_t or std::uint64_t.
template <class To, class From>
To convert_rounded(From a, Rounding rounding);
/// To an integral value of the same type: nearbyint, trunc, floor, ceil.
template <class T>
T to_integral(T a, Rounding rounding);

}  // namespace warpwise::simulator::decode::instructions
