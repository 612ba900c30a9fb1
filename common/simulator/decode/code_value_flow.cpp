#include "code.hpp"

#include <algorithm>
#include <bit>

namespace warpwise::simulator::decode {

namespace {

using ptx::Operand;
using ptx::Result;
using ptx::Type;

bool is_bits_or_integer(Type type) {
  return type != Type::none && type != Type::pred && type != Type::b128 && type < Type::f16;
}

bool is_float(Type type) { return type >= Type::f16 && type <= Type::f64; }

bool is_same_register(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::reg && b.kind == Operand::Kind::reg && a.reg == b.reg;
}

bool is_number(const Operand& operand) {
  return operand.kind == Operand::Kind::immediate && !operand.is_float;
}

/// So many bits are whole bytes.
bool is_bytes(const Operand& operand) { return is_number(operand) && operand.bits % 8 == 0; }

/// Keeps and clears whole bytes.
bool is_byte_mask(const Operand& operand) {
  const auto keeps_all = [&](unsigned byte) { return (operand.bits >> 8 * byte & 0xFF) == 0xFF; };
  const auto keeps_none = [&](unsigned byte) { return (operand.bits >> 8 * byte & 0xFF) == 0; };
  bool is_mask = is_number(operand);
  for (unsigned byte = 0; byte < 8; ++byte) is_mask &= keeps_all(byte) || keeps_none(byte);
  return is_mask;
}

std::uint64_t bits_of(Type type) { return ~std::uint64_t{0} >> (64 - 8 * ptx::bytes_of(type)); }

constexpr std::uint8_t operand_bit(unsigned i) { return static_cast<std::uint8_t>(1u << i); }

bool is_product(const ptx::Instruction& text) {
  return (text.row->result == Result::multiplied || text.row->result == Result::multiplied_and_added) &&
         (text.has("lo") || text.has("wide"));
}

/// A product with a power of two: the compiler shifts like that, to a register that is twice as wide.
bool is_shift_in_effect(const ptx::Instruction& text) {
  return is_product(text) && is_bits_or_integer(text.type()) && text.operands.size() == 3 &&
         text.operands[2].kind == Operand::Kind::immediate && std::has_single_bit(text.operands[2].bits);
}

/// Fills in `flow` as the rows of the table say. What stays `whole` is an instruction, or a form of one, of
/// which each result may depend on every bit.
void apply_rule(const ptx::Instruction& text, ValueFlow& flow) {
  const auto moves = [&](unsigned controls) {
    flow.rule = FlowRule::moved;
    flow.controls = static_cast<std::uint8_t>(controls);
  };
  /// The function of bits as lop3 has it: a is 0xF0, b 0xCC, c 0xAA (PTX ISA 9.7.8.6).
  const auto looks_up = [&](std::uint64_t table) {
    flow.rule = FlowRule::logic;
    flow.table = static_cast<std::uint8_t>(table);
  };
  const bool is_integer = is_bits_or_integer(text.type());
  switch (text.row->result) {
    case Result::computed:
    case Result::extreme:
      return;
    case Result::copied:
    case Result::reversed:
      return moves(0);
    case Result::shifted:
    case Result::extended:
      return moves(operand_bit(2));
    case Result::funnelled:
    case Result::permuted:
      return moves(operand_bit(3));
    case Result::extracted:
      return moves(operand_bit(2) | operand_bit(3));
    case Result::inserted:
      return moves(operand_bit(3) | operand_bit(4));
    case Result::converted:
      if (is_integer && is_bits_or_integer(text.type(1)) && !text.has("sat")) moves(0);
      return;
    case Result::conjunction:
      return looks_up(0xF0 & 0xCC);
    case Result::disjunction:
      return looks_up(0xF0 | 0xCC);
    case Result::exclusive_or:
      return looks_up(0xF0 ^ 0xCC);
    case Result::complement:
      return looks_up(0x0F);
    case Result::looked_up:
      if (text.operands.size() == 5 && text.operands[4].kind == Operand::Kind::immediate)
        looks_up(text.operands[4].bits);
      return;
    case Result::multiplied:
      if (is_shift_in_effect(text)) return moves(operand_bit(2));
      [[fallthrough]];
    case Result::multiplied_and_added:
      if (!is_product(text)) return;
      [[fallthrough]];
    case Result::added:
    case Result::subtracted:
    case Result::negated:
      if (is_integer && !text.has("sat") && !text.has("cc")) flow.rule = FlowRule::upwards;
      return;
    case Result::selected:
      flow.rule = FlowRule::chosen;
      flow.compared = bits_of(text.type());
      return;
    case Result::compared:
      if (!is_integer || (!text.has("eq") && !text.has("ne"))) return;
      flow.rule = FlowRule::compared;
      flow.compared = bits_of(text.type());
  }
}

/// `xor d, a, a` and `sub d, a, a` are 0, whatever a is.
bool ignores_its_operands(const ptx::Instruction& text) {
  const bool cancels = text.row->result == Result::exclusive_or || text.row->result == Result::subtracted;
  return cancels && text.operands.size() == 3 && is_bits_or_integer(text.type()) &&
         is_same_register(text.operands[1], text.operands[2]);
}

}  // namespace

ValueFlow flow_of(const ptx::Instruction& text, const instructions::LaneOperation& operation) {
  ValueFlow flow;
  flow.operands = operation.operands;
  flow.widths = operation.widths;
  flow.results = static_cast<std::uint8_t>(std::max<std::size_t>(text.operands[0].elements.size(), 1));
  flow.has_carry = operation.uses_carry;
  flow.is_copy = text.row->result == Result::copied || text.row->result == Result::selected;
  if (ignores_its_operands(text)) return flow;
  flow.rule = FlowRule::whole;
  apply_rule(text, flow);
  return flow;
}

ValueFlow flow_to(std::optional<ValueUse> use, std::uint8_t results, std::initializer_list<Width> widths) {
  ValueFlow flow;
  flow.results = results;
  flow.operands = static_cast<std::uint8_t>(widths.size());
  flow.use = use;
  std::copy(widths.begin(), widths.end(), flow.widths.begin());
  return flow;
}

bool is_move(const ptx::Instruction& text) {
  if (text.operands.size() != 2) return false;
  return text.row->result == Result::copied ||
         (text.row->result == Result::converted && !is_float(text.type(0)) && !is_float(text.type(1)));
}

bool places_bytes(const ptx::Instruction& text) {
  const auto& operands = text.operands;
  if (operands.size() != 3) return false;
  switch (text.row->result) {
    case Result::conjunction:
      return is_byte_mask(operands[2]);
    case Result::shifted:
      return is_bytes(operands[2]);
    case Result::multiplied:
      return is_number(operands[2]) && std::has_single_bit(operands[2].bits) &&
             std::countr_zero(operands[2].bits) % 8 == 0;
    default:
      return false;
  }
}

bool joins_bytes(const ptx::Instruction& text) {
  const auto& operands = text.operands;
  switch (text.row->result) {
    case Result::copied:
      return operands.size() == 2 && operands[1].kind == Operand::Kind::vector;
    case Result::permuted:
      return operands.size() == 4 && is_number(operands[3]);
    case Result::inserted:
      return operands.size() == 5 && is_bytes(operands[3]) && is_bytes(operands[4]);
    default:
      return false;
  }
}

bool joins_placed_bytes(const ptx::Instruction& text) {
  return text.row->result == Result::disjunction && text.operands.size() == 3;
}

std::vector<const Operand*> words_around(const ptx::Instruction& text) {
  const auto& operands = text.operands;
  switch (text.row->result) {
    case Result::inserted:
      if (operands.size() == 5) return {&operands[2]};
      break;
    case Result::disjunction:
      if (operands.size() == 3) return {&operands[1], &operands[2]};
      break;
    case Result::conjunction:
      if (operands.size() == 3 && operands[2].kind == Operand::Kind::immediate) return {&operands[1]};
      break;
    case Result::converted:
      if (operands.size() == 2) return {&operands[1]};
      break;
    default:
      break;
  }
  return {};
}

}  // namespace warpwise::simulator::decode
