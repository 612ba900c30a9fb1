// cp.async and vector atomics: what becomes several accesses to memory.
#include <algorithm>
#include <bit>

#include "decoder.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;
using ptx::Space;

namespace {

void check_copy_size(const ptx::Instruction& text, const Operand& size) {
  if (size.kind != Operand::Kind::immediate) throw std::invalid_argument("cp-size has to be a number");
  const bool is_known =
      text.has("cg") ? size.bits == 16 : size.bits == 4 || size.bits == 8 || size.bits == 16;
  if (!is_known) throw std::invalid_argument("there is no such cp-size");
}

std::uint32_t group_count(const Operand& count) {
  if (count.kind != Operand::Kind::immediate) throw std::invalid_argument("a number is expected");
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count.bits, ~std::uint32_t{0}));
}

MemoryOperation access_of(AccessKind kind, Space space, std::uint32_t bytes) {
  MemoryOperation result;
  result.kind = kind;
  result.space = space;
  result.element_bytes = static_cast<std::uint8_t>(bytes);
  result.width = bytes == 16 ? Width::b128 : Width::b64;
  return result;
}

}  // namespace

/// The step that does `operation` at `address`; its data rows are left to the caller.
Instruction FunctionDecoder::memory_step(MemoryOperation operation, const Operand& address) {
  Instruction step;
  operation.address_width = decode_address(address, step);
  add_memory(operation, step);
  return step;
}

void FunctionDecoder::decode_async_copy(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"async", "ca", "cg", "shared", "shared::cta", "global", "commit_group", "wait_group",
                         "wait_all"});
  if (!text.has("async")) throw std::invalid_argument("only cp.async is supported");
  if (text.has("commit_group") || text.has("wait_group") || text.has("wait_all")) {
    expect_operands(text, text.has("wait_group"), text.has("wait_group"));
    out.kind = text.has("commit_group") ? Kind::async_commit : Kind::async_wait;
    out.what = ptx::InstructionClass::other;
    if (text.has("wait_all")) out.offset = 1;  // also what no group holds yet
    if (text.has("wait_group")) out.detail = group_count(text.operands[0]);
    return;
  }
  if (text.has("ca") == text.has("cg") || !text.has("global") ||
      text.has("shared") == text.has("shared::cta"))
    throw std::invalid_argument("there is no such form");
  const std::size_t hints = text.has("L2::cache_hint");
  expect_operands(text, 3 + hints, 4 + hints);
  check_copy_size(text, text.operands[2]);
  AsyncCopy copy;
  copy.bytes = static_cast<std::uint8_t>(text.operands[2].bits);
  copy.data = frame_.scratch(Width::b128);
  copy.piece = frame_.scratch(Width::b64);
  if (text.operands.size() == 4 + hints) {
    const Operand& last = text.operands[3];
    if (width_of_operand(last, Width::b32) == Width::pred) {
      copy.ignored = row_of_operand(last, Width::pred, ptx::Type::pred);
      copy.is_ignored_negated = last.is_negated;
    } else {
      copy.size = row_of_operand(last, Width::b32, ptx::Type::u32);
    }
  }
  for (std::size_t i = 0; i < copy.loads.size(); ++i) {
    const std::uint32_t bytes = 1u << i;
    copy.loads[i] = memory_step(access_of(AccessKind::load, Space::global, bytes), text.operands[1]);
    copy.loads[i].rows[0] = bytes == copy.bytes ? copy.data : copy.piece;
  }
  MemoryOperation store = access_of(AccessKind::store, Space::shared, copy.bytes);
  store.is_async = true;
  copy.store = memory_step(store, text.operands[0]);
  copy.store.rows[0] = copy.data;
  out.kind = Kind::async_copy;
  out.detail = static_cast<std::uint32_t>(code_.copies.size());
  code_.copies.push_back(copy);
}

/// `operation` is the scalar one, decode_atomic's. Destination and b are vectors of the same length.
void FunctionDecoder::decode_vector_atomic(const ptx::Instruction& text, MemoryOperation operation,
                                           Instruction& out) {
  const std::uint32_t elements = text.has("v2") ? 2 : text.has("v4") ? 4 : 8;
  const ptx::Type type = text.type();
  using ptx::Type;
  const bool is_short = type == Type::f16 || type == Type::bf16;
  const bool is_packed = type == Type::f16x2 || type == Type::bf16x2;
  if (!(is_short || ((is_packed || type == Type::f32) && elements <= 4)) || operation.is_cas ||
      operation.space == Space::shared)
    throw std::invalid_argument("there is no such form");
  const std::size_t count = operation.has_result ? 3 : 2;
  expect_operands(text, count, count);
  const Operand& address = text.operands[count - 2];
  const Operand& b = text.operands[count - 1];
  const auto is_vector = [&](const Operand& operand) {
    return operand.kind == Operand::Kind::vector && operand.elements.size() == elements;
  };
  if (!is_vector(b) || (operation.has_result && !is_vector(text.operands[0])))
    throw std::invalid_argument("wrong number of elements");
  VectorAtomic vector;
  vector.bytes = elements * operation.element_bytes;
  for (std::uint32_t e = 0; e < elements; ++e) {
    Instruction step = memory_step(operation, address);
    step.offset += e * operation.element_bytes;
    if (operation.has_result) step.rows[0] = row_of_operand(text.operands[0].elements[e], Width::b32, type);
    step.rows[1] = row_of_operand(b.elements[e], Width::b32, type);
    vector.elements.push_back(step);
  }
  vector.address_width = code_.memory[vector.elements[0].detail].address_width;
  out.kind = Kind::vector_atomic;
  out.detail = static_cast<std::uint32_t>(code_.vector_atomics.size());
  code_.vector_atomics.push_back(std::move(vector));
}

}  // namespace warpwise::simulator::decode
