#include "form.hpp"

#include "../../ptx/function_text.hpp"

namespace warpwise::simulator::decode::instructions {

namespace {

/// Of "rz", and of "rzi", which rounds to a whole number.
Rounding rounding_named(std::string_view name) {
  switch (name[1]) {
    case 'z':
      return Rounding::zero;
    case 'm':
      return Rounding::down;
    case 'p':
      return Rounding::up;
    default:
      return Rounding::nearest;
  }
}

}  // namespace

Form::Form(const ptx::Instruction& instruction, const ptx::Function& function)
    : instruction_(instruction), function_(function), taken_(instruction.modifiers.size(), false) {
  for (const ptx::Operand& operand : instruction.operands)
    for (const ptx::Operand* part : ptx::parts_of(operand)) operands_.push_back(part);
  negation_taken_.assign(operands_.size(), false);
}

bool Form::take(std::string_view modifier) {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i] && instruction_.modifiers[i] == modifier) return taken_[i] = true;
  }
  return false;
}

std::string_view Form::take_one_of(std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (take(name)) return name;
  }
  return {};
}

ptx::Type Form::take_type() {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (taken_[i]) continue;
    if (const auto type = ptx::type_from(instruction_.modifiers[i])) {
      taken_[i] = true;
      return *type;
    }
  }
  reject("a type is missing");
}

bool Form::take_rounding_into(Rounding& rounding) {
  const std::string_view name = take_one_of({"rn", "rz", "rm", "rp"});
  if (!name.empty()) rounding = rounding_named(name);
  return !name.empty();
}

Rounding Form::take_rounding(Rounding absent) {
  Rounding rounding = absent;
  take_rounding_into(rounding);
  return rounding;
}

bool Form::take_integer_rounding_into(Rounding& rounding) {
  const std::string_view name = take_one_of({"rni", "rzi", "rmi", "rpi"});
  if (!name.empty()) rounding = rounding_named(name);
  return !name.empty();
}

const ptx::Operand& Form::operand(std::size_t i) const {
  if (i >= operands_.size()) reject("too few operands");
  return *operands_[i];
}

std::size_t Form::elements(std::size_t i) const {
  if (i >= instruction_.operands.size()) reject("too few operands");
  const ptx::Operand& operand = instruction_.operands[i];
  return operand.kind == ptx::Operand::Kind::vector ? operand.elements.size() : 1;
}

bool Form::is_pair(std::size_t i) const {
  return i < instruction_.operands.size() && instruction_.operands[i].is_pair;
}

bool Form::take_negation(std::size_t i) {
  if (!operand(i).is_negated) return false;
  return negation_taken_[i] = true;
}

ptx::Type Form::register_type(std::size_t i) const {
  const ptx::Operand& wanted = operand(i);
  if (wanted.kind != ptx::Operand::Kind::reg || wanted.reg >= function_.registers.size()) {
    return ptx::Type::none;
  }
  return function_.registers[wanted.reg].type;
}

void Form::reject(std::string_view why) const {
  throw std::invalid_argument(instruction_.spelled() + ": " + std::string(why));
}

void Form::check(const LaneOperation& operation) const {
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    if (!taken_[i]) reject("modifier ." + instruction_.modifiers[i] + " is not known here");
  }
  if (operands_.size() != operation.operands) {
    reject(std::to_string(operation.operands) + " operands expected, " + std::to_string(operands_.size()) +
           " found");
  }
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    if (operands_[i]->kind != ptx::Operand::Kind::reg) continue;
    if (operands_[i]->is_negated && !negation_taken_[i]) reject("`!` is not allowed here");
    const ptx::Type type = register_type(i);
    if (type != ptx::Type::none && width_of(type) != operation.widths[i]) {
      reject("operand " + std::to_string(i + 1) + " is a register of type ." +
             std::string(ptx::name_of(type)));
    }
  }
}

std::optional<LaneOperation> find_lane_operation(const ptx::Instruction& instruction,
                                                 const ptx::Function& function) {
#define WARPWISE_LANE(opcode, section, result, finder) finder,
#define WARPWISE_OTHER(...) nullptr,
  static constexpr Finder* finders[] = {WARPWISE_INSTRUCTIONS(WARPWISE_LANE, WARPWISE_OTHER) nullptr};
#undef WARPWISE_LANE
#undef WARPWISE_OTHER
  Finder* const find = finders[ptx::index_of(*instruction.row)];
  if (find == nullptr) return std::nullopt;
  Form form(instruction, function);
  const LaneOperation operation = find(form);
  form.check(operation);
  return operation;
}

// ---- Opcodes that several families share: the type decides

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
