#pragma once
/// \file Random expressions over the variables u32_0, u32_1, f64_0 ... of a random kernel.

#include <string>
#include <string_view>

#include "productions.hpp"
#include "shape.hpp"

namespace warpwise::simulator::tests {

/// How many variables of each type a kernel has.
inline constexpr std::uint32_t variables_per_type = 2;

inline std::string_view random_type(Random& random) { return value_types[random.below(10)]; }

/// Fills the places of a production (see productions.hpp) from left to right; besides, `@u32` stands for a
/// variable of that type. Expressions have at most `depth` productions one inside the other.
/// All that is random about a text is drawn here, place by place: the operands of C++'s `+` are evaluated in
/// an order of the compiler's choice, and a seed must give the same kernel everywhere.
std::string random_text(Random& random, std::string_view text, std::uint32_t depth);

}  // namespace warpwise::simulator::tests
