#pragma once
/// \file The finders, by family. Each takes the modifiers of one opcode from the form and returns its
/// operation, or rejects the form.

#include "../../ptx/instruction_rows.hpp"
#include "form.hpp"

namespace warpwise::simulator::decode::instructions {

using Finder = LaneOperation(Form& form);

// Those that rows of the table name.
#define WARPWISE_DECLARE(opcode, section, result, finder) Finder finder;
#define WARPWISE_SKIP(...)
WARPWISE_INSTRUCTIONS(WARPWISE_DECLARE, WARPWISE_SKIP)
#undef WARPWISE_DECLARE
#undef WARPWISE_SKIP

// Those behind opcodes that exist for several types. `type` was taken from the form already.
using TypedFinder = LaneOperation(Form& form, ptx::Type type);

TypedFinder find_integer_add, find_integer_sub, find_integer_mul, find_integer_mad, find_integer_div;
TypedFinder find_integer_abs, find_integer_neg, find_integer_min, find_integer_max;
TypedFinder find_add_carry, find_sub_carry, find_mad_carry;  // add.cc, sub.cc, mad.cc
TypedFinder find_float_add, find_float_sub, find_float_mul, find_float_fma, find_float_div;
TypedFinder find_float_abs, find_float_neg, find_float_min, find_float_max;
TypedFinder find_float_ex2, find_float_tanh;
TypedFinder find_half_add, find_half_sub, find_half_mul, find_half_fma;
TypedFinder find_half_abs, find_half_neg, find_half_min, find_half_max, find_half_ex2, find_half_tanh;

/// Of u16x2 or s16x2.
using PackedFinder = LaneOperation(Form& form, bool is_signed);
PackedFinder find_packed_add, find_packed_min, find_packed_max;

/// Between two types, both taken from the form already.
using Conversion = LaneOperation(Form& form, ptx::Type to, ptx::Type from);
Conversion find_integer_to_integer, find_integer_to_float, find_float_to_integer, find_float_to_float;
Conversion find_packed_conversion;  // two f32 into one register

}  // namespace warpwise::simulator::decode::instructions
