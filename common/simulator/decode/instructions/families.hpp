#pragma once
/// \file The finders behind the table of instructions, by family. Each takes the modifiers of one opcode from
/// the form and returns its operation, or rejects the form.

#include "form.hpp"

namespace warpwise::simulator::decode::instructions {

using Finder = LaneOperation (*)(Form& form);

// arithmetic.cpp: opcodes that exist for integers, floats and halves pick the family by the type.
LaneOperation find_add(Form& form);
LaneOperation find_sub(Form& form);
LaneOperation find_mul(Form& form);
LaneOperation find_mad(Form& form);
LaneOperation find_div(Form& form);
LaneOperation find_abs(Form& form);
LaneOperation find_neg(Form& form);
LaneOperation find_min(Form& form);
LaneOperation find_max(Form& form);
LaneOperation find_fma(Form& form);
LaneOperation find_tanh(Form& form);
LaneOperation find_ex2(Form& form);

// integer.cpp. `type` was taken from the form already.
LaneOperation find_integer_add(Form& form, ptx::Type type);
LaneOperation find_integer_sub(Form& form, ptx::Type type);
LaneOperation find_integer_mul(Form& form, ptx::Type type);
LaneOperation find_integer_mad(Form& form, ptx::Type type);
LaneOperation find_integer_div(Form& form, ptx::Type type);
LaneOperation find_integer_abs(Form& form, ptx::Type type);
LaneOperation find_integer_neg(Form& form, ptx::Type type);
LaneOperation find_integer_min(Form& form, ptx::Type type);
LaneOperation find_integer_max(Form& form, ptx::Type type);
LaneOperation find_packed_integer(Form& form, bool is_signed);  ///< add, min, max of u16x2 or s16x2
LaneOperation find_rem(Form& form);
LaneOperation find_mul24(Form& form);
LaneOperation find_mad24(Form& form);
LaneOperation find_sad(Form& form);
LaneOperation find_dp4a(Form& form);
LaneOperation find_dp2a(Form& form);
LaneOperation find_vabsdiff4(Form& form);

// extended_precision.cpp
LaneOperation find_add_carry(Form& form, ptx::Type type);  ///< add.cc
LaneOperation find_sub_carry(Form& form, ptx::Type type);  ///< sub.cc
LaneOperation find_mad_carry(Form& form, ptx::Type type);  ///< mad.cc
LaneOperation find_addc(Form& form);
LaneOperation find_subc(Form& form);
LaneOperation find_madc(Form& form);

// floating.cpp: f32 and f64
LaneOperation find_float_add(Form& form, ptx::Type type);
LaneOperation find_float_sub(Form& form, ptx::Type type);
LaneOperation find_float_mul(Form& form, ptx::Type type);
LaneOperation find_float_fma(Form& form, ptx::Type type);
LaneOperation find_float_div(Form& form, ptx::Type type);
LaneOperation find_float_abs(Form& form, ptx::Type type);
LaneOperation find_float_neg(Form& form, ptx::Type type);
LaneOperation find_float_min(Form& form, ptx::Type type);
LaneOperation find_float_max(Form& form, ptx::Type type);
LaneOperation find_copysign(Form& form);
LaneOperation find_testp(Form& form);

// special_functions.cpp
LaneOperation find_rcp(Form& form);
LaneOperation find_sqrt(Form& form);
LaneOperation find_rsqrt(Form& form);
LaneOperation find_sin(Form& form);
LaneOperation find_cos(Form& form);
LaneOperation find_lg2(Form& form);
LaneOperation find_float_ex2(Form& form, ptx::Type type);
LaneOperation find_float_tanh(Form& form, ptx::Type type);

// half.cpp: f16, f16x2, bf16, bf16x2
LaneOperation find_half_add(Form& form, ptx::Type type);
LaneOperation find_half_sub(Form& form, ptx::Type type);
LaneOperation find_half_mul(Form& form, ptx::Type type);
LaneOperation find_half_fma(Form& form, ptx::Type type);
LaneOperation find_half_abs(Form& form, ptx::Type type);
LaneOperation find_half_neg(Form& form, ptx::Type type);
LaneOperation find_half_min(Form& form, ptx::Type type);
LaneOperation find_half_max(Form& form, ptx::Type type);
LaneOperation find_half_tanh(Form& form, ptx::Type type);
LaneOperation find_half_ex2(Form& form, ptx::Type type);

// comparison.cpp, selection.cpp
LaneOperation find_setp(Form& form);
LaneOperation find_set(Form& form);
LaneOperation find_selp(Form& form);
LaneOperation find_slct(Form& form);

// logic.cpp
LaneOperation find_and(Form& form);
LaneOperation find_or(Form& form);
LaneOperation find_xor(Form& form);
LaneOperation find_not(Form& form);
LaneOperation find_cnot(Form& form);
LaneOperation find_lop3(Form& form);
LaneOperation find_shl(Form& form);
LaneOperation find_shr(Form& form);
LaneOperation find_shf(Form& form);

// bits.cpp
LaneOperation find_popc(Form& form);
LaneOperation find_clz(Form& form);
LaneOperation find_bfind(Form& form);
LaneOperation find_fns(Form& form);
LaneOperation find_brev(Form& form);
LaneOperation find_bfe(Form& form);
LaneOperation find_bfi(Form& form);
LaneOperation find_szext(Form& form);
LaneOperation find_bmsk(Form& form);
LaneOperation find_prmt(Form& form);

// moves.cpp, addresses.cpp
LaneOperation find_mov(Form& form);
LaneOperation find_cvta(Form& form);
LaneOperation find_isspacep(Form& form);

// conversion.cpp
LaneOperation find_cvt(Form& form);
LaneOperation find_integer_to_integer(Form& form, ptx::Type to, ptx::Type from);
LaneOperation find_integer_to_float(Form& form, ptx::Type to, ptx::Type from);
LaneOperation find_float_to_integer(Form& form, ptx::Type to, ptx::Type from);
LaneOperation find_float_to_float(Form& form, ptx::Type to, ptx::Type from);
LaneOperation find_packed_conversion(Form& form, ptx::Type to, ptx::Type from);

}  // namespace warpwise::simulator::decode::instructions
