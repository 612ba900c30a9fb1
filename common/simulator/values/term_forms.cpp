#include "term_forms.hpp"

#include <algorithm>
#include <string>

namespace warpwise::simulator::values {

namespace {

using ptx::Result;
using ptx::Type;

bool is_float(Type type) { return type >= Type::f16 && type <= Type::f64; }

bool is_number(const ptx::Operand& operand, std::uint64_t bits) {
  return operand.kind == ptx::Operand::Kind::immediate && !operand.is_float && operand.bits == bits;
}

/// Rounds otherwise than to the nearest, flushes, clips, or takes part of a product.
bool is_modified(const ptx::Instruction& text) {
  for (const char* const each : {"ftz", "sat", "rz", "rm", "rp", "approx", "hi", "cc", "satfinite", "relu",
                                 "NaN", "xorsign", "noftz", "f16x2", "bf16x2"})
    if (text.has(each)) return true;
  return false;
}

TermOperation operation_of(const ptx::Instruction& text) {
  switch (text.row->result) {
    case Result::added:
      return TermOperation::sum;
    case Result::subtracted:
      return TermOperation::difference;
    case Result::multiplied:
      return TermOperation::product;
    case Result::multiplied_and_added:
      return TermOperation::product_and_sum;
    case Result::extreme:
      return text.row == &ptx::row_of("min") ? TermOperation::minimum : TermOperation::maximum;
    case Result::conjunction:
      return TermOperation::conjunction;
    case Result::disjunction:
      return TermOperation::disjunction;
    case Result::exclusive_or:
      return TermOperation::exclusive_or;
    case Result::compared:
      return TermOperation::comparison;
    default:
      return TermOperation::other;
  }
}

std::uint64_t ones(Type type) {
  return type == Type::pred ? 1 : ~std::uint64_t{0} >> (64 - 8 * std::min(8u, ptx::bytes_of(type)));
}

/// Signs of operands (`!p`, `-r`) belong to what an instruction is.
std::string identity_of(const ptx::Instruction& text) {
  std::string name = text.spelled();
  for (std::size_t i = 0; i < text.operands.size(); ++i)
    if (text.operands[i].is_negated) name += " !" + std::to_string(i);
  return name;
}

bool is_integer(Type type) { return type != Type::none && type != Type::pred && !is_float(type); }

TermRule rule_of(const ptx::Instruction& text) {
  const auto& operands = text.operands;
  const auto is_vector = [&](std::size_t i) {
    return operands.size() > i && operands[i].kind == ptx::Operand::Kind::vector;
  };
  switch (text.row->result) {
    case Result::copied:
      if (is_vector(0))
        return text.has("b64") && operands[0].elements.size() == 2 ? TermRule::split : TermRule::apply;
      if (is_vector(1))
        return text.has("b64") && operands[1].elements.size() == 2 ? TermRule::join : TermRule::apply;
      return TermRule::copy;
    case Result::converted: {
      const Type to = text.type(1), from = text.type(0);
      if (!is_integer(to) || !is_integer(from) || text.has("sat")) return TermRule::apply;
      if (ptx::bytes_of(to) == ptx::bytes_of(from)) return TermRule::copy;
      if (ptx::bytes_of(to) == 8 && (from == Type::u32 || from == Type::b32)) return TermRule::widen;
      return ptx::bytes_of(from) == 8 && ptx::bytes_of(to) == 4 ? TermRule::take_half : TermRule::apply;
    }
    case Result::shifted:
      return text.row == &ptx::row_of("shr") && text.has("u64") && operands.size() == 3 &&
                     is_number(operands[2], 32)
                 ? TermRule::take_high
                 : TermRule::apply;
    case Result::inserted:
      return text.has("b64") && operands.size() == 5 && is_number(operands[3], 32) &&
                     is_number(operands[4], 32)
                 ? TermRule::join_high
                 : TermRule::apply;
    case Result::selected:
      return TermRule::choose;
    default:
      return TermRule::apply;
  }
}

}  // namespace

TermForm form_of(const ptx::Instruction& text, TermGraph& graph) {
  TermForm form;
  form.rule = rule_of(text);
  form.node.type = text.type();
  form.node.is_modified = is_modified(text);
  form.node.operation = form.rule == TermRule::choose ? TermOperation::selection : operation_of(text);
  form.node.name = graph.name(identity_of(text));
  const bool is_plain_integer = !is_float(form.node.type) && !form.node.is_modified;
  const bool is_zero_decisive = form.node.operation == TermOperation::conjunction ||
                                (form.node.operation == TermOperation::product && is_plain_integer);
  form.has_absorbing = is_zero_decisive || form.node.operation == TermOperation::disjunction;
  if (!is_zero_decisive) form.absorbing = ones(form.node.type);
  return form;
}

TermForm joining_form_of(const ptx::Instruction& text, TermGraph& graph) {
  static constexpr struct {
    const char* name;
    TermOperation operation;
  } joins[] = {{"add", TermOperation::sum},        {"min", TermOperation::minimum},
               {"max", TermOperation::maximum},    {"and", TermOperation::conjunction},
               {"or", TermOperation::disjunction}, {"xor", TermOperation::exclusive_or}};
  TermForm form;
  form.node.type = text.type();
  form.node.name = graph.name(text.spelled());
  form.node.is_modified = text.has("f16x2") || text.has("bf16x2") || text.has("NaN");
  for (const auto& [name, operation] : joins)
    if (text.has(name)) form.node.operation = operation;
  return form;
}

}  // namespace warpwise::simulator::values
