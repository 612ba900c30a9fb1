#pragma once
/// \file One instruction's text while its lane function is looked for: modifiers are taken one after the
/// other, and what nobody takes is a form that does not exist.

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../ptx/instruction_rows.hpp"
#include "lane_operations.hpp"
#include "real_math.hpp"
#include "values.hpp"

namespace warpwise::simulator::decode::instructions {

class Form {
 public:
  Form(const ptx::Instruction& instruction, const ptx::Function& function);

  /// True, and used up, if the modifier stands in the text.
  bool take(std::string_view modifier);
  /// The first of `names` that stands in the text, used up; empty if none does.
  std::string_view take_one_of(std::initializer_list<std::string_view> names);
  /// The first type not yet taken; throws where there is none.
  ptx::Type take_type();
  /// .rn .rz .rm .rp; `absent` where none is written.
  Rounding take_rounding(Rounding absent = Rounding::nearest);
  /// Like take_rounding: also says whether one was written.
  bool take_rounding_into(Rounding& rounding);
  /// .rni .rzi .rmi .rpi
  bool take_integer_rounding_into(Rounding& rounding);

  /// Operands after flattening vectors and pairs.
  std::size_t operands() const { return operands_.size(); }
  const ptx::Operand& operand(std::size_t i) const;
  /// Number of elements of the i-th operand before flattening; 1 for scalars.
  std::size_t elements(std::size_t i) const;
  bool is_pair(std::size_t i) const;
  /// True if the i-th operand (flattened) has a `!`; whoever does not ask does not accept one.
  bool take_negation(std::size_t i);
  /// Type of the register that is the i-th operand (flattened); none for anything else.
  ptx::Type register_type(std::size_t i) const;

  /// Throws std::invalid_argument: "mad.lo.q32: WHY".
  [[noreturn]] void reject(std::string_view why) const;
  /// Throws unless every modifier was taken, and the operands are as many and as wide as `operation` wants.
  void check(const LaneOperation& operation) const;

 private:
  const ptx::Instruction& instruction_;
  const ptx::Function& function_;
  std::vector<bool> taken_;
  std::vector<bool> negation_taken_;
  std::vector<const ptx::Operand*> operands_;
};

/// Calls `find.operator()<Value>()` with the host type of `type`, which must be one of `allowed`.
template <ptx::Type... allowed, class Find>
LaneOperation by_type(const Form& form, ptx::Type type, Find find) {
  LaneOperation result;
  const bool found =
      ((type == allowed && (result = find.template operator()<typename HostOf<allowed>::Value>(), true)) ||
       ...);
  if (!found) form.reject("no such type");
  return result;
}

/// Calls `find.operator()<flag>()`.
template <class Find>
LaneOperation by_flag(bool flag, Find find) {
  return flag ? find.template operator()<true>() : find.template operator()<false>();
}

// ---- The finders, by family. Each takes the modifiers of one opcode from the form and returns its
// operation, or rejects the form.

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
