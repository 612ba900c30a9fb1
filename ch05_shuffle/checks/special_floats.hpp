#pragma once
/// \file Floats that are not finite numbers, for the checks.

#include <limits>

namespace warpwise::ch05 {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace warpwise::ch05
