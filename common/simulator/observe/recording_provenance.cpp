#include "recording.hpp"

#include <algorithm>

#include "../decode/code.hpp"
#include "../ptx/function_text.hpp"

namespace warpwise::simulator::observe {

using ptx::Operand;

namespace {

constexpr std::uint64_t word_bytes = 4;

bool is_register(const Operand& operand) { return operand.kind == Operand::Kind::reg; }

std::string operation_of(const ptx::Instruction& atomic) {
  for (const char* const name : {"add", "min", "max", "and", "or", "xor", "inc", "dec"})
    if (atomic.has(name)) return std::string("atomic ") + name;
  return "atomic";
}

}  // namespace

Provenance::Provenance(const LaunchContext& launch, Trace& trace)
    : launch_(launch), naming_(launch), trace_(trace) {}

BlockValues::Registers& Provenance::registers(const ProvenancePlace& place) {
  const ptx::Function& function = launch_.program->function_of(place.pc);
  BlockValues::Registers& rows = place.values->registers[{place.warp, &function}];
  if (rows.empty()) rows.resize(function.registers.size() * warp_size);
  return rows;
}

ValueNode Provenance::read(const ProvenancePlace& place, const Operand& operand, std::uint32_t lane) {
  for (const Operand* part : ptx::parts_of(operand)) {
    if (!is_register(*part)) continue;
    if (const ValueNode node = registers(place)[part->reg * warp_size + lane]) return node;
  }
  return 0;
}

void Provenance::write(const ProvenancePlace& place, const Operand& operand, std::uint32_t lane,
                       ValueNode node) {
  if (!is_register(operand)) return;
  const ptx::Function& function = launch_.program->function_of(place.pc);
  if (function.registers[operand.reg].type == ptx::Type::pred) return;
  registers(place)[operand.reg * warp_size + lane] = node;
}

ValueNode Provenance::make(const ProvenancePlace& place, std::uint32_t lane, std::string name,
                           std::vector<ValueNode> from) {
  if (trace_.values.size() >= trace_.limits.values) {
    trace_.has_all_values = false;
    return 0;
  }
  trace_.values.push_back(
      {std::move(name), std::move(from), place.block, place.warp * warp_size + lane, place.step});
  return static_cast<ValueNode>(trace_.values.size());
}

ValueNode Provenance::combined(const ProvenancePlace& place, std::uint32_t lane, const std::string& name,
                               ValueNode a, ValueNode b) {
  return a != 0 && b != 0 ? make(place, lane, name, {a, b}) : std::max(a, b);
}

void Provenance::compute(const ProvenancePlace& place) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  const ptx::InstructionClass what = launch_.program->class_of(place.pc);
  const bool is_lane_wise = what == ptx::InstructionClass::arithmetic || what == ptx::InstructionClass::other;
  if (!is_lane_wise || !instruction.has_destination()) return;
  const std::vector<const Operand*> to = ptx::parts_of(instruction.operands[0]);
  for (const std::uint32_t lane : lanes_in(place.lanes)) {
    std::vector<ValueNode> from;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i)
      if (const ValueNode node = read(place, instruction.operands[i], lane)) from.push_back(node);
    if (decode::joins_two_words(instruction) && from.size() == 2 && from[0] == from[1]) from.pop_back();
    ValueNode result = from.empty() ? 0 : from.front();
    if (from.size() > 1 && is_register(*to[0]) &&
        launch_.program->function_of(place.pc).registers[to[0]->reg].type != ptx::Type::pred)
      result = make(place, lane, instruction.opcode, std::move(from));
    for (const Operand* part : to) write(place, *part, lane, result);
  }
}

void Provenance::select(const ProvenancePlace& place, LaneMask first) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  for (const std::uint32_t lane : lanes_in(place.lanes))
    write(place, instruction.operands[0], lane,
          read(place, instruction.operands[first >> lane & 1 ? 1 : 2], lane));
}

void Provenance::reduce(const ProvenancePlace& place) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  std::vector<ValueNode> from;
  for (const std::uint32_t lane : lanes_in(place.lanes))
    if (const ValueNode node = read(place, instruction.operands[1], lane)) from.push_back(node);
  ValueNode result = from.empty() ? 0 : from.front();
  if (from.size() > 1) result = make(place, lowest_lane(place.lanes), "redux", std::move(from));
  for (const std::uint32_t lane : lanes_in(place.lanes)) write(place, instruction.operands[0], lane, result);
}

void Provenance::shuffle(const ProvenancePlace& place, const std::uint8_t* from,
                         std::vector<ValueNode>& nodes) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  for (const std::uint32_t lane : lanes_in(place.lanes))
    nodes.push_back(read(place, instruction.operands[1], from[lane] % warp_size));
  std::size_t i = 0;
  for (const std::uint32_t lane : lanes_in(place.lanes))
    write(place, *ptx::parts_of(instruction.operands[0])[0], lane, nodes[i++]);
}

void Provenance::forget_result(const ProvenancePlace& place) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  if (instruction.operands.empty()) return;
  for (const Operand* part : ptx::parts_of(instruction.operands[0]))
    for (const std::uint32_t lane : lanes_in(place.lanes)) write(place, *part, lane, 0);
}

/// The value that lies there; of global memory that nobody has written yet, the element itself.
ValueNode Provenance::in_memory(const ProvenancePlace& place, std::uint32_t lane, bool is_shared,
                                std::uint64_t address, std::uint32_t bytes) {
  Memory& memory = is_shared ? place.values->shared : global_;
  const auto found = memory.find(address / word_bytes);
  if (found != memory.end()) return found->second;
  if (is_shared || bytes < word_bytes) return 0;
  const ValueNode node = make(place, lane, naming_.of(ptx::Space::global, address), {});
  put_in_memory(place, is_shared, address, bytes, node);
  return node;
}

void Provenance::put_in_memory(const ProvenancePlace& place, bool is_shared, std::uint64_t address,
                               std::uint32_t bytes, ValueNode node) {
  Memory& memory = is_shared ? place.values->shared : global_;
  for (std::uint64_t byte = 0; byte < bytes; byte += word_bytes)
    memory[(address + byte) / word_bytes] = bytes < word_bytes ? 0 : node;
}

void Provenance::access(const ProvenancePlace& place, const Access& access, const std::uint64_t* address,
                        std::vector<ValueNode>& nodes) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  const bool is_shared = access.space == ptx::Space::shared;
  const std::uint32_t element_bytes = access.bytes / access.elements;
  const bool is_load = instruction.row->loads();
  const bool is_store = instruction.row->access == ptx::MemoryAccess::store;
  if (is_atomic(access.kind)) return atomic(place, access, address, nodes);
  // A load's registers come first, a store's second. The halves of a cp.async have none: not followed.
  const std::vector<const Operand*> data = is_load || is_store
                                               ? ptx::parts_of(instruction.operands[is_load ? 0 : 1])
                                               : std::vector<const Operand*>{};
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    for (std::uint32_t i = 0; i < access.elements; ++i) {
      const std::uint64_t at = address[lane] + std::uint64_t{i} * element_bytes;
      ValueNode node = 0;
      if (is_load) {
        node = in_memory(place, lane, is_shared, at, element_bytes);
        if (i < data.size()) write(place, *data[i], lane, node);
      } else if (access.kind == AccessKind::store) {
        if (i < data.size()) node = read(place, *data[i], lane);
        put_in_memory(place, is_shared, at, element_bytes, node);
      }
      nodes.push_back(node);
    }
  }
}

/// Lanes go one after the other: each finds what the one before has left.
void Provenance::atomic(const ProvenancePlace& place, const Access& access, const std::uint64_t* address,
                        std::vector<ValueNode>& nodes) {
  const ptx::Instruction& instruction = launch_.program->text_of(place.pc);
  const bool is_shared = access.space == ptx::Space::shared;
  const bool has_result = instruction.row->access == ptx::MemoryAccess::atomic;
  const std::size_t operand = has_result ? 2 : 1;
  const bool is_followed = access.elements == 1 && !instruction.has("cas") &&
                           instruction.operands.size() > operand &&
                           instruction.operands[operand].kind != Operand::Kind::vector;
  for (const std::uint32_t lane : lanes_in(access.lanes)) {
    const ValueNode before = in_memory(place, lane, is_shared, address[lane], access.bytes);
    const ValueNode brought = is_followed ? read(place, instruction.operands[operand], lane) : 0;
    ValueNode after =
        instruction.has("exch") ? brought : combined(place, lane, operation_of(instruction), before, brought);
    if (!is_followed) after = 0;
    put_in_memory(place, is_shared, address[lane], access.bytes, after);
    if (has_result) write(place, instruction.operands[0], lane, before);
    for (std::uint32_t i = 0; i < access.elements; ++i) nodes.push_back(after);
  }
}

}  // namespace warpwise::simulator::observe
