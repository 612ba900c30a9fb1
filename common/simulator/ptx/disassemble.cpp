#include "../ptx.hpp"

#include <array>
#include <cstdio>
#include <string_view>

namespace warpwise::simulator::ptx {
namespace {

std::string with_offset(std::string text, std::int64_t offset) {
  if (offset == 0) return text;
  return text + (offset > 0 ? "+" : "") + std::to_string(offset);
}

/// Floats as the compiler writes them: all bits, no rounding.
std::string number(const Operand& operand) {
  if (!operand.is_float) return std::to_string(static_cast<std::int64_t>(operand.bits));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "0d%016llX", static_cast<unsigned long long>(operand.bits));
  return text.data();
}

std::string list(const Module& module, const Function& function, const Operand& operand,
                 std::string_view open, std::string_view separator, std::string_view close) {
  std::string out(open);
  for (std::size_t i = 0; i < operand.elements.size(); ++i) {
    if (i > 0) out += separator;
    out += disassemble(module, function, operand.elements[i]);
  }
  return out.append(close);
}

std::string place(const Module& module, const Function& function, Operand::Kind kind,
                  const Operand& operand) {
  switch (kind) {
    case Operand::Kind::reg:
      return with_offset(function.registers.at(operand.reg).name, operand.offset);
    case Operand::Kind::variable:
      return with_offset(module.variables.at(operand.variable).name, operand.offset);
    case Operand::Kind::param:
      return with_offset(function.parameters.at(operand.param).name, operand.offset);
    default:
      return number(operand);
  }
}

}  // namespace

std::string disassemble(const Module& module, const Function& function, const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::reg: {
      const std::string sign = !operand.is_negated                                     ? ""
                               : function.registers.at(operand.reg).type == Type::pred ? "!"
                                                                                       : "-";
      return sign + function.registers.at(operand.reg).name;
    }
    case Operand::Kind::special:
      return "%" + operand.symbol;
    case Operand::Kind::label:
      return "@" + std::to_string(operand.target);
    case Operand::Kind::address:
      return "[" + place(module, function, operand.base, operand) + "]";
    case Operand::Kind::vector:
      return operand.is_pair ? list(module, function, operand, "", "|", "")
                             : list(module, function, operand, "{", ", ", "}");
    case Operand::Kind::sink:
      return "_";
    case Operand::Kind::function:
    case Operand::Kind::text:
      return operand.symbol;
    default:
      return place(module, function, operand.kind, operand);
  }
}

std::string disassemble(const Module& module, const Function& function, const Instruction& instruction) {
  std::string out;
  if (instruction.guard)
    out = (instruction.guard->is_negated ? "@!" : "@") + function.registers.at(instruction.guard->reg).name +
          " ";
  out += instruction.spelled();
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    out += i == 0 ? " " : ", ";
    const Operand& operand = instruction.operands[i];
    const bool is_call_list =
        instruction.row->what == InstructionClass::call && operand.kind == Operand::Kind::vector;
    out += is_call_list ? list(module, function, operand, "(", ", ", ")")
                        : disassemble(module, function, operand);
  }
  return out + ";";
}

std::string disassemble(const Module& module, const Function& function) {
  std::string out = (function.is_kernel ? ".entry " : ".func ") + function.name + "\n";
  for (std::size_t i = 0; i < function.code.size(); ++i)
    out += std::to_string(i) + ": " + disassemble(module, function, function.code[i]) + "\n";
  return out;
}

}  // namespace warpwise::simulator::ptx
