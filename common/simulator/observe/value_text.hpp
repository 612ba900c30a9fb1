#pragma once
/// \file Values of a launch's memory and registers, as a reader wants to see them.

#include <cstddef>
#include <cstdint>
#include <string>

#include "../ptx.hpp"

namespace warpwise::simulator::observe {

/// The value of `bytes` (1, 2, 4 or 8) at `from`, of an instruction that calls it `type`. Where that says
/// nothing but its size (.b32), bits that make a number of ordinary size are taken for a float, all others
/// for a whole number: the compiler keeps no more. Of whole numbers without a sign those just below 2^32
/// (2^64) are taken for negative ones.
std::string value_text(const std::byte* from, std::uint32_t bytes, ptx::Type type);

/// What stands for a value that nobody has written.
inline constexpr const char* unwritten_text = "unwritten";

}  // namespace warpwise::simulator::observe
