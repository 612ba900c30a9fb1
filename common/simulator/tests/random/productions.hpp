#pragma once
/// \file The grammar of the random kernels' expressions: for each type, the texts that make a value of it.

#include <string>
#include <string_view>
#include <vector>

namespace warpwise::simulator::tests {

/// The types of a random kernel's variables, spelled as in prelude.cuh.
inline constexpr std::string_view value_types[] = {"u8",  "u16", "u32", "u64", "s8",
                                                   "s16", "s32", "s64", "f32", "f64"};

inline bool is_float(std::string_view type) { return type[0] == 'f'; }
inline bool is_signed(std::string_view type) { return type[0] == 's'; }

/// `$u32` stands for an expression of that type, `$?` for a condition, `$#` for a number from 0 to 255.
/// `T` alone has been replaced by the type asked for, `W` by the unsigned type in which it is computed.
/// Every text has a defined value for all operands; none is an approximate function.
std::vector<std::string> productions_of(std::string_view type);

/// Conditions, in the same notation.
const std::vector<std::string_view>& conditions();

}  // namespace warpwise::simulator::tests
