#pragma once
/// \file Constant expressions (PTX ISA 4.5.4): `4`, `-1`, `(1 << 4) | 3`, `0f3F800000`, `(.s64)8`.

#include <cstdint>

#include "lexer.hpp"

namespace warpwise::simulator::ptx {

struct Constant {
  std::uint64_t bits = 0;  ///< of a 64-bit integer or of a double
  bool is_real = false;
  bool is_unsigned = false;  ///< integers: .u64 rather than .s64
};

/// Whether the token at the cursor can begin a constant expression.
bool starts_constant(const Lexer& lexer);
/// Reads one expression. Throws Error.
Constant read_constant(Lexer& lexer);
/// A primary with its signs only: `-4`, `(1+2)`. For `[base+offset]`, where what follows is not ours.
Constant read_unary_constant(Lexer& lexer);

}  // namespace warpwise::simulator::ptx
