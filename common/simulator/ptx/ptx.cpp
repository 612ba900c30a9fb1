/// \file Names of types and spaces, the small questions that the parsed form answers, and its text.

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "../ptx.hpp"
#include "function_text.hpp"
#include "instruction_rows.hpp"
#include "parser.hpp"

namespace warpwise::simulator::ptx {

namespace {

struct TypeRow {
  std::string_view name;
  std::uint32_t bytes;
};

/// One row a Type, in the order of the enumeration.
constexpr std::array<TypeRow, 21> type_rows = {{
    {"none", 0}, {"b8", 1},    {"b16", 2},  {"b32", 4},    {"b64", 8}, {"b128", 16}, {"u8", 1},
    {"u16", 2},  {"u32", 4},   {"u64", 8},  {"s8", 1},     {"s16", 2}, {"s32", 4},   {"s64", 8},
    {"f16", 2},  {"f16x2", 4}, {"bf16", 2}, {"bf16x2", 4}, {"f32", 4}, {"f64", 8},   {"pred", 0},
}};
static_assert(type_rows.size() == static_cast<std::size_t>(Type::pred) + 1);

const TypeRow& row_of(Type type) { return type_rows.at(static_cast<std::size_t>(type)); }

}  // namespace

std::uint32_t bytes_of(Type type) { return row_of(type).bytes; }

std::optional<Type> type_from(std::string_view text) {
  for (std::size_t i = 1; i < type_rows.size(); ++i)
    if (type_rows[i].name == text) return static_cast<Type>(i);
  return std::nullopt;
}

std::string_view name_of(Type type) { return row_of(type).name; }

std::string_view name_of(Space space) {
  static constexpr std::string_view names[] = {"generic", "global", "shared", "local", "const", "param"};
  static_assert(std::size(names) == static_cast<std::size_t>(Space::param) + 1);
  return names[static_cast<std::size_t>(space)];
}

bool Instruction::has(std::string_view modifier) const {
  for (const std::string& each : modifiers)
    if (each == modifier) return true;
  return false;
}

InstructionClass Instruction::what() const {
  if (row->what != InstructionClass::block_barrier) return row->what;
  if (has("warp")) return InstructionClass::warp_barrier;
  return has("cluster") && has("arrive") ? InstructionClass::other : row->what;
}

bool Instruction::only_arrives() const { return what() == InstructionClass::block_barrier && has("arrive"); }

Type Instruction::type(std::uint32_t from_end) const {
  for (auto each = modifiers.rbegin(); each != modifiers.rend(); ++each) {
    const std::optional<Type> type = type_from(*each);
    if (type && from_end-- == 0) return *type;
  }
  return Type::none;
}

bool Instruction::has_destination() const {
  if (operands.empty()) return false;
  switch (row->destination) {
    case Destination::none:
      return false;
    case Destination::first:
      return true;
    case Destination::of_red:
      return has("red");
    case Destination::results:
      break;
  }
  return operands[0].kind == Operand::Kind::vector;
}

Space Instruction::space() const {
  for (const std::string_view modifier : modifiers) {
    const std::string_view name = modifier.substr(0, modifier.find(':'));
    if (name == "global") return Space::global;
    if (name == "shared") return Space::shared;
    if (name == "local") return Space::local;
    if (name == "const") return Space::constant;
    if (name == "param") return Space::param;
  }
  return Space::generic;
}

std::string Instruction::spelled() const {
  std::string out = opcode;
  for (const std::string& modifier : modifiers) out.append(".").append(modifier);
  return out;
}

const Function* Module::find_function(std::string_view wanted) const {
  for (const Function& function : functions)
    if (function.name == wanted) return &function;
  return nullptr;
}

const File* Module::find_file(std::uint32_t id) const {
  for (const File& file : files)
    if (file.id == id) return &file;
  return nullptr;
}

Error::Error(std::string file, std::uint32_t line, const std::string& message, bool is_of_asm)
    : std::runtime_error(file + ":" + std::to_string(line) + ": " + message),
      file_(std::move(file)),
      line_(line),
      message_(message),
      is_of_asm_(is_of_asm) {}

namespace {

// clang-format off
constexpr std::string_view plain[] = {
    "tid", "ntid", "laneid", "warpid", "nwarpid", "ctaid", "nctaid", "smid", "nsmid", "gridid",
    "is_explicit_cluster", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid",
    "cluster_ctarank", "cluster_nctarank", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge",
    "lanemask_gt", "clock", "clock_hi", "clock64", "globaltimer", "globaltimer_lo", "globaltimer_hi",
    "reserved_smem_offset_begin", "reserved_smem_offset_end", "reserved_smem_offset_cap",
    "reserved_smem_offset_0", "reserved_smem_offset_1", "total_smem_size", "aggr_smem_size",
    "dynamic_smem_size", "current_graph_exec"};
// clang-format on

/// `pm0` … `pm7`, `envreg0` … `envreg31`: families that end in a number.
bool is_numbered(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string_view digits = name.substr(prefix.size());
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !digits.empty() && digits.size() <= 2 && std::all_of(digits.begin(), digits.end(), is_digit);
}

}  // namespace

bool is_special_register(std::string_view name) {
  if (std::find(std::begin(plain), std::end(plain), name) != std::end(plain)) return true;
  if (name.starts_with("pm") && name.ends_with("_64")) name.remove_suffix(3);
  return is_numbered(name, "pm") || is_numbered(name, "envreg");
}

std::vector<std::uint32_t> targets_of(const Function& function, const Instruction& instruction) {
  std::vector<std::uint32_t> targets;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Operand::Kind::label) targets.push_back(operand.target);
    if (operand.kind != Operand::Kind::text || instruction.row->then != Then::table) continue;
    for (const Function::TargetList& list : function.target_lists)
      if (list.name == operand.symbol)
        targets.insert(targets.end(), list.targets.begin(), list.targets.end());
  }
  return targets;
}

bool is_in_loop(const Function& function, std::size_t first, std::size_t last) {
  for (std::size_t i = last; i < function.code.size(); ++i) {
    const auto& operands = function.code[i].operands;
    const bool leads_back = std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::label && operand.target <= first;
    });
    if (leads_back) return true;
  }
  return false;
}

std::vector<const Operand*> parts_of(const Operand& operand) {
  if (operand.kind != Operand::Kind::vector) return {&operand};
  std::vector<const Operand*> parts;
  for (const Operand& each : operand.elements) parts.push_back(&each);
  return parts;
}

bool is_same_place(const Operand& a, const Operand& b) {
  if (a.kind != Operand::Kind::address || b.kind != Operand::Kind::address || a.base != b.base ||
      a.offset != b.offset)
    return false;
  return a.base == Operand::Kind::reg ? a.reg == b.reg
                                      : a.base == Operand::Kind::variable && a.variable == b.variable;
}

namespace {

#define WARPWISE_LANE(opcode, section, result, finder)                                                       \
  {opcode,        section, InstructionClass::arithmetic, MemoryAccess::none, Then::next, Destination::first, \
   Result::result},
#define WARPWISE_OTHER(opcode, section, what, access, then, destination, decoder) \
  {opcode,                                                                        \
   section,                                                                       \
   InstructionClass::what,                                                        \
   MemoryAccess::access,                                                          \
   Then::then,                                                                    \
   Destination::destination,                                                      \
   Result::computed},
constexpr InstructionRow rows[] = {WARPWISE_INSTRUCTIONS(WARPWISE_LANE, WARPWISE_OTHER)};
#undef WARPWISE_LANE
#undef WARPWISE_OTHER

constexpr InstructionRow unknown;

}  // namespace

const InstructionRow& row_of(std::string_view name) {
  static const auto known = [] {
    std::unordered_map<std::string_view, const InstructionRow*> by_name;
    for (const InstructionRow& row : rows) by_name.emplace(row.opcode, &row);
    return by_name;
  }();
  const auto at = known.find(name);
  return at == known.end() ? unknown : *at->second;
}

std::size_t index_of(const InstructionRow& row) {
  return &row == &unknown ? std::size(rows) : static_cast<std::size_t>(&row - rows);
}

// ---- The text again

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
