#pragma once
/// \file What an instruction means to terms, read off its text.

#include "../ptx.hpp"
#include "../terms.hpp"

namespace warpwise::simulator::values {

/// How the terms of an instruction's results come from those of its operands.
enum class TermRule : std::uint8_t {
  apply,      ///< an operation of all operands
  copy,       ///< of the one operand
  take_half,  ///< of 64 bits, the low word (`mov`, `cvt.u32.u64`)
  split,      ///< mov.b64 {a, b}, c
  join,       ///< mov.b64 a, {b, c}
  join_high,  ///< bfi.b64 d, a, b, 32, 32: the low word of b and, above it, that of a (as NVRTC 13.5 writes
              ///< it)
  take_high,  ///< shr.u64 d, a, 32
  widen,      ///< cvt.u64.u32
  choose,     ///< selp
};

/// What the text of an instruction says, found once.
struct TermForm {
  TermRule rule = TermRule::apply;
  TermNode node;  ///< without parts and maker
  std::uint64_t absorbing = 0;
  bool has_absorbing = false;  ///< a constant operand with the bits `absorbing` decides the result
};
TermForm form_of(const ptx::Instruction& text, TermGraph& graph);
/// The same of what `atom`, `red` and `redux` do with two values.
TermForm joining_form_of(const ptx::Instruction& text, TermGraph& graph);

}  // namespace warpwise::simulator::values
