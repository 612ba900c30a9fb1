#include "value_flow.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>

namespace warpwise::simulator::decode {

namespace {

using ptx::Operand;
using ptx::Type;

bool is_bits_or_integer(Type type) {
  return type != Type::none && type != Type::pred && type != Type::b128 && type < Type::f16;
}

bool is_same_register(const Operand& a, const Operand& b) {
  return a.kind == Operand::Kind::reg && b.kind == Operand::Kind::reg && a.reg == b.reg;
}

std::uint64_t bits_of(Type type) { return ~std::uint64_t{0} >> (64 - 8 * ptx::bytes_of(type)); }

constexpr std::uint8_t operand_bit(unsigned i) { return static_cast<std::uint8_t>(1u << i); }

/// A product with a power of two: nvcc shifts like that, to a register that is twice as wide.
bool is_shift_in_effect(const ptx::Instruction& text) {
  return text.opcode == "mul" && (text.has("lo") || text.has("wide")) && is_bits_or_integer(text.type()) &&
         text.operands.size() == 3 && text.operands[2].kind == Operand::Kind::immediate &&
         std::has_single_bit(text.operands[2].bits);
}

/// Instructions that only move bits, and which of their operands say where to.
std::optional<std::uint8_t> controls_of(const ptx::Instruction& text) {
  struct Mover {
    std::string_view opcode;
    std::uint8_t controls;
  };
  static constexpr Mover movers[] = {
      {"mov", 0},
      {"brev", 0},
      {"shl", operand_bit(2)},
      {"shr", operand_bit(2)},
      {"szext", operand_bit(2)},
      {"shf", operand_bit(3)},
      {"prmt", operand_bit(3)},
      {"bfe", operand_bit(2) | operand_bit(3)},
      {"bfi", operand_bit(3) | operand_bit(4)},
  };
  if (text.opcode == "cvt") {
    const bool is_cut =
        is_bits_or_integer(text.type(0)) && is_bits_or_integer(text.type(1)) && !text.has("sat");
    return is_cut ? std::optional<std::uint8_t>(0) : std::nullopt;
  }
  if (is_shift_in_effect(text)) return operand_bit(2);
  const auto* at = std::find_if(std::begin(movers), std::end(movers),
                                [&](const Mover& mover) { return mover.opcode == text.opcode; });
  return at == std::end(movers) ? std::nullopt : std::optional(at->controls);
}

/// The function of bits as lop3 has it: a is 0xF0, b 0xCC, c 0xAA (PTX ISA 9.7.8.6).
std::optional<std::uint8_t> logic_table_of(const ptx::Instruction& text) {
  if (text.opcode == "and") return std::uint8_t{0xF0 & 0xCC};
  if (text.opcode == "or") return std::uint8_t{0xF0 | 0xCC};
  if (text.opcode == "xor") return std::uint8_t{0xF0 ^ 0xCC};
  if (text.opcode == "not") return std::uint8_t{0x0F};
  const bool is_plain_lop3 =
      text.opcode == "lop3" && text.operands.size() == 5 && text.operands[4].kind == Operand::Kind::immediate;
  return is_plain_lop3 ? std::optional(static_cast<std::uint8_t>(text.operands[4].bits)) : std::nullopt;
}

bool carries_upwards(const ptx::Instruction& text) {
  if (!is_bits_or_integer(text.type()) || text.has("sat") || text.has("cc")) return false;
  if (text.opcode == "add" || text.opcode == "sub" || text.opcode == "neg") return true;
  return (text.opcode == "mul" || text.opcode == "mad") && (text.has("lo") || text.has("wide"));
}

bool is_equality(const ptx::Instruction& text) {
  return text.opcode == "setp" && (text.has("eq") || text.has("ne")) && is_bits_or_integer(text.type());
}

bool ignores_its_operands(const ptx::Instruction& text) {
  return (text.opcode == "xor" || text.opcode == "sub") && text.operands.size() == 3 &&
         is_bits_or_integer(text.type()) && is_same_register(text.operands[1], text.operands[2]);
}

}  // namespace

ValueFlow flow_of(const ptx::Instruction& text, const LaneOperation& operation) {
  ValueFlow flow;
  flow.operands = operation.operands;
  flow.widths = operation.widths;
  flow.results = static_cast<std::uint8_t>(std::max<std::size_t>(text.operands[0].elements.size(), 1));
  flow.has_carry = operation.uses_carry;
  flow.is_copy = text.opcode == "mov" || text.opcode == "selp";
  if (ignores_its_operands(text)) return flow;
  flow.rule = FlowRule::whole;
  if (const auto controls = controls_of(text)) {
    flow.rule = FlowRule::moved;
    flow.controls = *controls;
  } else if (const auto table = logic_table_of(text)) {
    flow.rule = FlowRule::logic;
    flow.table = *table;
  } else if (carries_upwards(text)) {
    flow.rule = FlowRule::upwards;
  } else if (text.opcode == "selp") {
    flow.rule = FlowRule::chosen;
    flow.compared = bits_of(text.type());
  } else if (is_equality(text)) {
    flow.rule = FlowRule::compared;
    flow.compared = bits_of(text.type());
  }
  return flow;
}

}  // namespace warpwise::simulator::decode
