#pragma once
/// \file What a text may ask for: a file of any origin must not exhaust the memory of the reader.

#include <cstddef>
#include <cstdint>

namespace warpwise::simulator::ptx::limits {

inline constexpr std::size_t text_bytes = std::size_t{256} << 20;
inline constexpr std::uint64_t variable_bytes = std::uint64_t{1} << 30;      ///< one variable
inline constexpr std::uint64_t initialised_bytes = std::uint64_t{64} << 20;  ///< all initialisers of a module
inline constexpr std::uint64_t parameter_bytes = std::uint64_t{1} << 20;     ///< all parameters of a function
inline constexpr std::uint64_t registers = std::uint64_t{1} << 21;           ///< all functions of a module
inline constexpr std::uint64_t alignment = std::uint64_t{1} << 20;
inline constexpr std::uint32_t nesting = 64;  ///< of scopes, expressions, initialisers
inline constexpr std::size_t dimensions = 8;

}  // namespace warpwise::simulator::ptx::limits
