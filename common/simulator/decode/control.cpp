#include <algorithm>

#include "decoder.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;

void FunctionDecoder::decode_branch(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  expect_operands(text, 1, 1);
  if (text.operands[0].kind != Operand::Kind::label) throw std::invalid_argument("a label is expected");
  out.kind = Kind::branch;
  out.detail = decoded_.entry + text.operands[0].target;
  const auto index = static_cast<std::size_t>(&text - function_.code.data());
  const std::uint32_t meeting = reconvergence_[index];
  out.offset = meeting == no_pc ? no_pc : decoded_.entry + meeting;
}

void FunctionDecoder::decode_branch_table(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni", "idx"});
  expect_operands(text, 2, 2);
  out.kind = Kind::branch_table;
  out.rows[0] = row_of_operand(text.operands[0], Width::b32, ptx::Type::u32);
  out.detail = static_cast<std::uint32_t>(code_.branch_tables.size());
  const std::uint32_t meeting = reconvergence_[static_cast<std::size_t>(&text - function_.code.data())];
  out.offset = meeting == no_pc ? no_pc : decoded_.entry + meeting;
  for (const auto& list : function_.target_lists) {
    if (list.name != text.operands[1].symbol) continue;
    std::vector<Pc>& table = code_.branch_tables.emplace_back();
    for (std::uint32_t target : list.targets) table.push_back(decoded_.entry + target);
    return;
  }
  throw std::invalid_argument("there is no list of targets " + text.operands[1].symbol);
}

LanePlace FunctionDecoder::place_of_argument(const Operand& operand, ptx::Type type) {
  if (operand.kind == Operand::Kind::param) return frame_.layout().parameters.at(operand.param);
  const Width width = width_of_operand(operand, width_of(type == ptx::Type::none ? ptx::Type::b64 : type));
  if (width == Width::pred) throw std::invalid_argument("a predicate cannot be an argument");
  const std::uint32_t bytes = bytes_of(width) / warp_size;
  return {row_of_operand(operand, width, type), bytes, bytes};
}

/// `call (results), target, (arguments), prototype;` with every part but the target optional.
void FunctionDecoder::decode_call(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  out.kind = Kind::call;
  out.detail = static_cast<std::uint32_t>(code_.calls.size());
  Call call;
  std::size_t at = 0;
  const Operand* results = nullptr;
  if (!text.operands.empty() && text.operands[0].kind == Operand::Kind::vector)
    results = &text.operands[at++];
  if (at >= text.operands.size()) throw std::invalid_argument("a function is expected");
  const Operand& target = text.operands[at++];
  const ptx::Function* callee = nullptr;
  if (target.kind == Operand::Kind::reg) {
    expect_register(target.reg, {Width::b64});
    call.target = Call::Target::indirect;
    call.pointer = frame_.register_row(target.reg);
    decoded_.has_indirect_calls = true;
  } else {
    static constexpr std::pair<std::string_view, Call::Target> known[] = {
        {"vprintf", Call::Target::print},
        {"__assertfail", Call::Target::assertion},
        {"malloc", Call::Target::allocate},
        {"free", Call::Target::release}};
    for (std::uint32_t i = 0; i < module_.functions.size(); ++i)
      if (module_.functions[i].name == target.symbol && (!callee || !module_.functions[i].is_declaration)) {
        callee = &module_.functions[i];
        call.function = i;
      }
    if (callee && !callee->is_declaration) {
      decoded_.callees.push_back(call.function);
    } else {
      callee = nullptr;
      const auto* found = std::find_if(std::begin(known), std::end(known),
                                       [&](const auto& entry) { return entry.first == target.symbol; });
      if (found == std::end(known))
        throw std::invalid_argument("function " + target.symbol + " has no body and is not provided");
      call.target = found->second;
    }
  }
  const auto type_in = [&](const std::vector<ptx::Parameter>* formals, std::size_t i) {
    return formals && i < formals->size() ? (*formals)[i].type : ptx::Type::none;
  };
  if (results)
    for (std::size_t i = 0; i < results->elements.size(); ++i)
      call.results.push_back(
          place_of_argument(results->elements[i], type_in(callee ? &callee->returns : nullptr, i)));
  if (at < text.operands.size() && text.operands[at].kind == Operand::Kind::vector)
    for (std::size_t i = 0; i < text.operands[at].elements.size(); ++i)
      call.arguments.push_back(place_of_argument(text.operands[at].elements[i],
                                                 type_in(callee ? &callee->parameters : nullptr, i)));
  const auto least = [&](std::size_t arguments, std::size_t results_count) {
    if (call.arguments.size() < arguments || call.results.size() < results_count)
      throw std::invalid_argument("too few arguments for " + target.symbol);
  };
  if (callee) least(callee->formals, 0);
  if (call.target == Call::Target::print) least(2, 0);
  if (call.target == Call::Target::assertion) least(4, 0);
  if (call.target == Call::Target::allocate) least(1, 1);
  if (call.target == Call::Target::release) least(1, 0);
  code_.calls.push_back(std::move(call));
}

void FunctionDecoder::decode_return(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"uni"});
  out.kind = function_.is_kernel ? Kind::exit : Kind::ret;
}

void FunctionDecoder::decode_exit(const ptx::Instruction&, Instruction& out) { out.kind = Kind::exit; }

void FunctionDecoder::decode_trap(const ptx::Instruction&, Instruction& out) { out.kind = Kind::trap; }

void FunctionDecoder::decode_sleep(const ptx::Instruction&, Instruction& out) { out.kind = Kind::sleep; }

/// Hints, and what has no meaning without time.
void FunctionDecoder::decode_nothing(const ptx::Instruction&, Instruction& out) {
  out.kind = Kind::lane;
  out.run = [](std::byte*, const Row*, LaneMask) {};
}

}  // namespace warpwise::simulator::decode
