#include "../ptx/function_text.hpp"
#include "recording.hpp"

namespace warpwise::simulator::observe {

namespace {

constexpr std::uint32_t word_bytes = 4;
constexpr std::size_t most_terms = 1 << 20;  ///< that a recording keeps

std::string operation_of(const ptx::Instruction& text) {
  if (text.row->access != ptx::MemoryAccess::atomic && text.row->access != ptx::MemoryAccess::reduction)
    return text.opcode;
  for (const char* const name : {"add", "min", "max", "and", "or", "xor", "inc", "dec"})
    if (text.has(name)) return std::string("atomic ") + name;
  return "atomic";
}

}  // namespace

ValueRecorder::ValueRecorder(const LaunchContext& launch, Trace& trace, std::uint32_t slots)
    : program_(*launch.program), naming_(launch), trace_(trace) {
  terms_.is_of_this_run = true;
  terms_.patience = {.nodes = ~std::size_t{0}, .steps = ~std::uint64_t{0}};
  terms_.begin(launch, slots, {});
  observer_.emplace(terms_);
}

void ValueRecorder::follow(const WarpContext& warp, const Operands& operands) {
  if (value_of_.size() > most_terms) {
    trace_.has_all_values = false;
    return;
  }
  observer_->on_operands(warp, operands);
  const std::size_t before = trace_.values.size();
  while (value_of_.size() < terms_.graph.size())
    value_of_.push_back(drawn(static_cast<Term>(value_of_.size()), warp, operands.access, before));
}

ValueNode ValueRecorder::moved(std::size_t e, std::uint32_t lane) const {
  return value_of_.size() > most_terms ? 0 : value_of_[observer_->moved(e, lane)];
}

/// `before`: so many values there were before the instruction that made the term.
ValueNode ValueRecorder::drawn(Term term, const WarpContext& warp, const Access* access, std::size_t before) {
  const TermNode node = terms_.graph.at(term);
  if (access != nullptr && access->bytes / access->elements < word_bytes) return 0;
  if (node.kind == TermKind::element && access != nullptr && access->kind != AccessKind::store)
    return element(node, warp, *access);
  if (node.kind != TermKind::operation) return 0;
  const ptx::Instruction& text = program_.text_of(node.pc);
  const ptx::Operand& to = *ptx::parts_of(text.operands[0])[0];
  if (to.kind == ptx::Operand::Kind::reg &&
      program_.function_of(node.pc).registers[to.reg].type == ptx::Type::pred)
    return 0;
  std::vector<ValueNode> from;
  for (std::size_t i = 0; i < node.part_count; ++i)
    if (const ValueNode part = value_of_[node.parts[i]]) from.push_back(part);
  if (node.operation == TermOperation::pair && from.size() == 2 && from[0] == from[1]) from.pop_back();
  if (from.size() < 2) return from.empty() ? 0 : from[0];
  if (program_.class_of(node.pc) == ptx::InstructionClass::warp_reduce && from[0] > before) {
    trace_.values[from[0] - 1].from.push_back(from[1]);  // one value of all lanes'
    return from[0];
  }
  return make({operation_of(text), std::move(from), node.block, node.thread});
}

/// The words of an element of 64 bits are one value.
ValueNode ValueRecorder::element(const TermNode& node, const WarpContext& warp, const Access& access) {
  const auto allocation = static_cast<std::uint32_t>(node.bits >> 32),
             word = static_cast<std::uint32_t>(node.bits);
  if (allocation == 0) return 0;  // there was none when the launch began
  if (access.bytes / access.elements > word_bytes && word % 2 != 0)
    return value_of_[terms_.graph.element(allocation, word - 1)];
  const std::uint64_t address = terms_.allocations[allocation - 1].base + std::uint64_t{word} * word_bytes;
  std::uint32_t reader = lowest_lane(access.lanes);
  for (const std::uint32_t lane : lanes_in(access.lanes))
    if (address - access.address[reader] >= access.bytes) reader = lane;
  return make(
      {naming_.of(ptx::Space::global, address), {}, warp.block->linear, warp.warp * warp_size + reader});
}

ValueNode ValueRecorder::make(TraceValue value) {
  if (trace_.values.size() >= trace_.limits.values) {
    trace_.has_all_values = false;
    return 0;
  }
  if (!trace_.steps.empty()) value.step = static_cast<std::uint32_t>(trace_.steps.size() - 1);
  trace_.values.push_back(std::move(value));
  return static_cast<ValueNode>(trace_.values.size());
}

}  // namespace warpwise::simulator::observe
