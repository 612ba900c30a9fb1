// Opcodes that several families share: the type decides. Sections: see the table of instructions.
#include "form.hpp"

namespace warpwise::simulator::decode::instructions {
namespace {

using ptx::Type;

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }
bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2 || type == Type::bf16 || type == Type::bf16x2;
}

LaneOperation pick(Form& form, TypedFinder* integer, TypedFinder* floating, TypedFinder* half,
                   PackedFinder* packed = nullptr) {
  if (const auto two = form.take_one_of({"u16x2", "s16x2"}); !two.empty()) {
    if (packed == nullptr) form.reject("no such type");
    return packed(form, two == "s16x2");
  }
  const Type type = form.take_type();
  TypedFinder* const found = is_float(type) ? floating : is_half(type) ? half : integer;
  if (found == nullptr) form.reject("no such type");
  return found(form, type);
}

}  // namespace

LaneOperation find_add(Form& form) {
  if (form.take("cc")) return find_add_carry(form, form.take_type());
  return pick(form, find_integer_add, find_float_add, find_half_add, find_packed_add);
}
LaneOperation find_sub(Form& form) {
  if (form.take("cc")) return find_sub_carry(form, form.take_type());
  return pick(form, find_integer_sub, find_float_sub, find_half_sub);
}
LaneOperation find_mul(Form& form) { return pick(form, find_integer_mul, find_float_mul, find_half_mul); }
LaneOperation find_mad(Form& form) {
  if (form.take("cc")) return find_mad_carry(form, form.take_type());
  // On sm_20 and later mad.f32 and mad.f64 are fma (PTX ISA 9.7.3.7).
  return pick(form, find_integer_mad, find_float_fma, nullptr);
}
LaneOperation find_div(Form& form) { return pick(form, find_integer_div, find_float_div, nullptr); }
LaneOperation find_abs(Form& form) { return pick(form, find_integer_abs, find_float_abs, find_half_abs); }
LaneOperation find_neg(Form& form) { return pick(form, find_integer_neg, find_float_neg, find_half_neg); }
LaneOperation find_min(Form& form) {
  return pick(form, find_integer_min, find_float_min, find_half_min, find_packed_min);
}
LaneOperation find_max(Form& form) {
  return pick(form, find_integer_max, find_float_max, find_half_max, find_packed_max);
}
LaneOperation find_fma(Form& form) { return pick(form, nullptr, find_float_fma, find_half_fma); }
LaneOperation find_tanh(Form& form) { return pick(form, nullptr, find_float_tanh, find_half_tanh); }
LaneOperation find_ex2(Form& form) { return pick(form, nullptr, find_float_ex2, find_half_ex2); }

}  // namespace warpwise::simulator::decode::instructions
