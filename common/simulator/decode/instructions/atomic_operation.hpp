#pragma once
/// \file What `atom` and `red` do to one place of memory, as a pure function of old value and operands.
/// Making it indivisible is the memory's business. Source: PTX ISA 9.0, sections 9.7.13.5 (atom), 9.7.13.6
/// (red).

#include <cstdint>
#include <string_view>

#include "../../ptx.hpp"

namespace warpwise::simulator::decode::instructions {

/// The new value. Values of fewer than 64 bits lie in the low bits; the rest of the arguments is ignored and
/// the rest of the result is 0. For `cas` the result is `operand` where old == `compare`, else old, where
/// PTX writes `atom.cas d, [a], compare, operand`: its b is `compare` and its c is `operand` here. Other
/// operations ignore `compare`.
using AtomicFunction = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand, std::uint64_t compare);

/// `op`: add min max and or xor inc dec exch cas; `type` as in the text. nullptr where there is no such form.
/// f16 and bf16 never flush (PTX demands .noftz), f16x2 and bf16x2 work on both halves (the hardware makes
/// each half indivisible, not the pair). f32 add keeps subnormals, as the hardware does in shared memory; see
/// atomic_add_f32_flushed for global memory.
AtomicFunction find_atomic(std::string_view op, ptx::Type type);

/// As find_atomic("add", Type::f32), but subnormal inputs and results become zeros of the same sign: what
/// `atom.add.f32` and `red.add.f32` do in global memory (PTX ISA 9.7.13.5, "Semantics").
AtomicFunction atomic_add_f32_flushed();

}  // namespace warpwise::simulator::decode::instructions
