#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "../ptx/function_text.hpp"
#include "../ptx/instruction_rows.hpp"
#include "decoder.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;

namespace {

/// Closes a body whose last instruction can fall through (PTX ISA 9.7.12.6 allows that).
const ptx::Instruction closing_return("ret");

/// For messages.
std::string_view spelled(Width width) {
  static constexpr std::string_view names[] = {"a predicate", "a value of at most 32 bits",
                                               "a value of 64 bits", "a value of 128 bits"};
  static_assert(std::size(names) == static_cast<std::size_t>(Width::b128) + 1);
  return names[static_cast<std::size_t>(width)];
}

/// Throws unless an instruction can write to `operand`: registers, `_`, vectors of them, and where a call
/// puts its results.
void expect_writable(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::vector:
      for (const Operand& element : operand.elements) expect_writable(element);
      return;
    case Operand::Kind::reg:
    case Operand::Kind::sink:
    case Operand::Kind::param:
      return;
    default:
      throw std::invalid_argument("the destination has to be a register");
  }
}

using Decoder = void (FunctionDecoder::*)(const ptx::Instruction&, Instruction&);

/// What the table names; an opcode that is not in it is refused by decode_lane_wise.
Decoder decoder_of(const ptx::InstructionRow& row) {
#define WARPWISE_LANE(opcode, section, result, finder) &FunctionDecoder::decode_lane_wise,
#define WARPWISE_OTHER(opcode, section, what, access, then, destination, decoder) &FunctionDecoder::decoder,
  static constexpr Decoder decoders[] = {WARPWISE_INSTRUCTIONS(WARPWISE_LANE, WARPWISE_OTHER) &
                                         FunctionDecoder::decode_lane_wise};
#undef WARPWISE_LANE
#undef WARPWISE_OTHER
  return decoders[ptx::index_of(row)];
}

bool reads_clock(const ptx::Instruction& text) {
  if (text.row->result != ptx::Result::copied || text.operands.size() != 2) return false;
  const Operand& source = text.operands[1];
  return source.kind == Operand::Kind::special &&
         (source.symbol.starts_with("clock") || source.symbol.starts_with("globaltimer"));
}

}  // namespace

FunctionDecoder::FunctionDecoder(const ptx::Module& module, std::uint32_t function,
                                 const VariablePlaces& places, Code& code)
    : module_(module),
      function_(module.functions[function]),
      decoded_(code.functions[function]),
      places_(places),
      code_(code),
      frame_(function_) {
  const auto place_of_return = [&](std::size_t r) {
    // The reader may list returns among the parameters of the body as well: then that is where st.param
    // writes.
    for (std::size_t i = function_.formals; i < function_.parameters.size(); ++i)
      if (function_.parameters[i].name == function_.returns[r].name) return frame_.layout().parameters[i];
    return frame_.layout().parameters[function_.parameters.size() + r];
  };
  decoded_.function = &function_;
  if (!function_.is_kernel)
    for (std::uint32_t i = 0; i < function_.formals; ++i)
      decoded_.formals.push_back(frame_.layout().parameters[i]);
  for (std::size_t r = 0; r < function_.returns.size(); ++r) decoded_.returns.push_back(place_of_return(r));
}

void FunctionDecoder::decode() {
  const std::uint32_t owner = static_cast<std::uint32_t>(&decoded_ - code_.functions.data());
  const ControlFlow flow = ControlFlow::of(function_);
  reconvergence_ = flow.reconvergence;
  is_read_ = flow.is_read;
  for (ptx::RegisterId id : flow.read_unwritten)
    if (!is_formal(id)) frame_.leave_unset(id);
  for (std::size_t i = 0; i <= function_.code.size(); ++i) {
    const bool is_closing = i == function_.code.size();
    const ptx::Instruction& text = is_closing ? closing_return : function_.code[i];
    Instruction out;
    flow_ = {};
    try {
      decode_one(text, out);
    } catch (const std::invalid_argument& error) {
      throw ptx::Error(module_.name, text.text_line, text.spelled() + ": " + error.what());
    }
    code_.instructions.push_back(out);
    code_.flows.push_back(flow_);
    code_.texts.push_back(&text);
    code_.owners.push_back(owner);
  }
  mark_batches(decoded_.entry, decoded_.end);
  for (const ptx::Variable& variable : module_.variables)
    if (variable.space == ptx::Space::local && variable.function == function_.name) {
      const auto id = static_cast<std::size_t>(&variable - module_.variables.data());
      frame_.layout().local_bytes = std::max(
          frame_.layout().local_bytes, static_cast<std::uint32_t>(places_.address[id] + variable.bytes));
    }
  frame_.layout().local_bytes = (frame_.layout().local_bytes + 15) / 16 * 16;
  decoded_.layout = frame_.finish();
}

/// Of a device function: the caller sets it.
bool FunctionDecoder::is_formal(ptx::RegisterId id) const {
  return std::any_of(function_.parameters.begin(), function_.parameters.end(),
                     [&](const ptx::Parameter& each) { return each.is_register && each.reg == id; });
}

void FunctionDecoder::decode_one(const ptx::Instruction& text, Instruction& out) {
  if (text.has_destination()) expect_writable(text.operands[0]);
  out.what = text.what();
  (this->*decoder_of(*text.row))(text, out);
  if (!text.guard) return;
  out.guard = frame_.register_row(text.guard->reg);
  out.is_guard_negated = text.guard->is_negated;
  if (out.kind == Kind::lane) out.kind = Kind::guarded_lane;
}

void FunctionDecoder::decode_lane_wise(const ptx::Instruction& text, Instruction& out) {
  if (reads_clock(text)) return decode_clock(text, out);
  const std::optional<LaneOperation> operation = instructions::find_lane_operation(text, function_);
  if (!operation) throw std::invalid_argument("this instruction is not supported");
  out.kind = Kind::lane;
  out.run = operation->run;
  std::size_t i = 0;
  for (const Operand& operand : text.operands)
    for (const Operand* part : ptx::parts_of(operand)) {
      out.rows[i] = row_of_operand(*part, operation->widths[i], operation->immediate_types[i]);
      ++i;
    }
  if (operation->uses_carry) out.rows[i] = frame_.carry();
  if (operation->modifier) out.rows[instructions::modifier_row] = *operation->modifier;
  flow_ = flow_of(text, *operation);
}

/// Whoever reads a clock is no longer lane-wise (PTX ISA 10.25 to 10.30).
void FunctionDecoder::decode_clock(const ptx::Instruction& text, Instruction& out) {
  const Width width = width_of_operand(text.operands[0], width_of(text.type()));
  if (width != Width::b32 && width != Width::b64) throw std::invalid_argument("there is no such form");
  out.kind = Kind::clock;
  out.what = ptx::InstructionClass::other;
  out.rows[0] = row_of_operand(text.operands[0], width, text.type());
  flow_ = flow_to({}, 1, {width});
  out.detail = width == Width::b64 ? 2 : 1;
  out.offset = text.operands[1].symbol.ends_with("_hi") ? 32 : 0;
}

/// A batch is a stretch of lane-wise instructions without guards; each knows how much of it is left.
void FunctionDecoder::mark_batches(Pc first, Pc end) {
  std::uint16_t length = 0;
  for (Pc pc = end; pc-- > first;) {
    Instruction& instruction = code_.instructions[pc];
    const bool is_full = length == std::numeric_limits<std::uint16_t>::max();
    length = instruction.kind != Kind::lane ? 0 : static_cast<std::uint16_t>(is_full ? 1 : length + 1);
    instruction.run_length = length;
  }
}

void FunctionDecoder::expect_register(ptx::RegisterId id, std::initializer_list<Width> widths) const {
  const ptx::Register& given = function_.registers[id];
  if (std::find(widths.begin(), widths.end(), width_of(given.type)) != widths.end()) return;
  std::string expected;
  for (const Width width : widths) expected += (expected.empty() ? "" : " or ") + std::string(spelled(width));
  throw std::invalid_argument(given.name + " is a register of type ." +
                              std::string(ptx::name_of(given.type)) + ", and " + expected + " is expected");
}

Row FunctionDecoder::row_of_operand(const Operand& operand, Width width, ptx::Type type) {
  switch (operand.kind) {
    case Operand::Kind::reg:
      expect_register(operand.reg, {width});
      if (operand.is_negated && width != Width::pred)
        throw std::invalid_argument("only a predicate can be negated");
      return frame_.register_row(operand.reg);
    case Operand::Kind::immediate: {
      std::uint64_t bits = immediate_bits(operand, type);
      if (width == Width::pred && operand.is_negated) bits = bits == 0;
      return frame_.immediate(bits, width);
    }
    case Operand::Kind::special:
      if (width != Width::b32 && width != Width::b64)
        throw std::invalid_argument("special register %" + operand.symbol + " is read where " +
                                    std::string(spelled(width)) + " is expected");
      return frame_.special(operand.symbol, width);
    case Operand::Kind::variable:
      return address_of_variable(operand.variable, operand.offset, width);
    case Operand::Kind::function:
      for (std::size_t i = 0; i < module_.functions.size(); ++i)
        if (module_.functions[i].name == operand.symbol)
          return frame_.immediate(function_window + code_.functions[i].entry, width);
      throw std::invalid_argument("there is no function " + operand.symbol);
    case Operand::Kind::param:
      if (function_.is_kernel && operand.param < function_.formals)
        return frame_.immediate(
            function_.parameters[operand.param].offset + static_cast<std::uint64_t>(operand.offset), width);
      throw std::invalid_argument("the address of a function's parameter is not supported");
    case Operand::Kind::sink:
      return frame_.scratch(width);
    default:
      throw std::invalid_argument("this kind of operand is not supported here");
  }
}

Row FunctionDecoder::address_of_variable(ptx::VariableId id, std::int64_t offset, Width width) {
  const ptx::Variable& variable = module_.variables[id];
  const std::uint64_t address = places_.address[id];
  if (places_.is_common_shared[id]) decoded_.names_common_shared = true;
  if (variable.space == ptx::Space::local)
    return frame_.local_address(static_cast<std::int64_t>(address) + offset, width);
  if (places_.is_dynamic[id]) return frame_.dynamic_address(offset, width);
  return frame_.immediate(address + static_cast<std::uint64_t>(offset), width);
}

Width FunctionDecoder::width_of_operand(const Operand& operand, Width otherwise) const {
  return operand.kind == Operand::Kind::reg ? width_of(function_.registers[operand.reg].type) : otherwise;
}

std::uint64_t immediate_bits(const Operand& operand, ptx::Type type) {
  if (!operand.is_float) return operand.bits;
  const double value = std::bit_cast<double>(operand.bits);
  const auto narrowed = [&] {
    // A NaN keeps its payload: 0f7FC00001 must not become another NaN on its way through double.
    return std::isnan(value) ? static_cast<std::uint32_t>((operand.bits >> 32 & 0x80000000u) | 0x7f800000u |
                                                          (operand.bits >> 29 & 0x007fffffu))
                             : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  };
  switch (type) {
    case ptx::Type::f64:
    case ptx::Type::b64:
    case ptx::Type::u64:
    case ptx::Type::s64:
      return operand.bits;
    case ptx::Type::f32:
    case ptx::Type::b32:
    case ptx::Type::u32:
    case ptx::Type::s32:
      return narrowed();
    default:
      throw std::invalid_argument("a floating-point immediate is not supported for this type");
  }
}

void allow_modifiers(const ptx::Instruction& text, std::initializer_list<std::string_view> known) {
  for (const std::string& modifier : text.modifiers) {
    if (ptx::type_from(modifier) || modifier.starts_with("L1::") || modifier.starts_with("L2::")) continue;
    if (std::find(known.begin(), known.end(), modifier) == known.end())
      throw std::invalid_argument("modifier ." + modifier + " is not supported");
  }
}

void expect_operands(const ptx::Instruction& text, std::size_t least, std::size_t most) {
  if (text.operands.size() < least || text.operands.size() > most)
    throw std::invalid_argument("wrong number of operands");
}

}  // namespace warpwise::simulator::decode
