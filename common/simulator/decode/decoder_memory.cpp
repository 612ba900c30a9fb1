#include <algorithm>
#include <bit>

#include "decoder.hpp"
#include "instructions/lane_operations.hpp"

namespace warpwise::simulator::decode {

using ptx::Operand;
using ptx::Space;

namespace {

Scope scope_of(const ptx::Instruction& text, Scope otherwise) {
  if (text.has("cta")) return Scope::cta;
  if (text.has("cluster")) return Scope::cluster;
  if (text.has("gpu") || text.has("gl")) return Scope::gpu;
  return text.has("sys") ? Scope::sys : otherwise;
}

/// Reads or writes memory past the multiprocessors' own caches: at the L2 that all of them share.
bool is_at_l2(const ptx::Instruction& text) {
  const bool moves =
      text.row->access == ptx::MemoryAccess::load || text.row->access == ptx::MemoryAccess::store;
  return text.has("cg") && !text.has("shared") && moves;
}

/// PTX ISA 8.4; `otherwise` is what the instruction means without a word about it.
Ordering ordering_of(const ptx::Instruction& text, Ordering otherwise) {
  if (text.has("volatile") || text.has("mmio")) return Ordering::volatile_;
  if (text.has("relaxed")) return Ordering::relaxed;
  if (text.has("acquire")) return Ordering::acquire;
  if (text.has("release")) return Ordering::release;
  return text.has("acq_rel") ? Ordering::acq_rel : otherwise;
}

/// A bit each in MemoryOperation::used_bytes (PTX ISA 5.4.2: 32 at most).
constexpr std::uint32_t most_vector_bytes = 32;

bool is_signed(ptx::Type type) {
  return type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32;
}

std::uint8_t elements_of(const ptx::Instruction& text) {
  if (text.has("v8")) throw std::invalid_argument("vectors of eight are not supported");
  return text.has("v4") ? 4 : text.has("v2") ? 2 : 1;
}

}  // namespace

Width FunctionDecoder::decode_address(const Operand& operand, Instruction& out) {
  if (operand.kind != Operand::Kind::address) throw std::invalid_argument("an address is expected");
  out.offset = operand.offset;
  switch (operand.base) {
    case Operand::Kind::reg:
      expect_register(operand.reg, {Width::b32, Width::b64});
      out.rows[address_row] = frame_.register_row(operand.reg);
      return width_of(function_.registers[operand.reg].type);
    case Operand::Kind::variable:
      out.rows[address_row] = address_of_variable(operand.variable, 0, Width::b64);
      return Width::b64;
    case Operand::Kind::immediate:
      out.rows[address_row] = frame_.immediate(operand.bits, Width::b64);
      return Width::b64;
    case Operand::Kind::param:
      if (function_.is_kernel && operand.param < function_.formals) {
        out.rows[address_row] = frame_.immediate(function_.parameters[operand.param].offset, Width::b64);
        return Width::b64;
      }
      [[fallthrough]];
    default:
      throw std::invalid_argument("this kind of address is not supported");
  }
}

bool FunctionDecoder::reads_parameter_in_place(const Operand& address) const {
  return address.kind == Operand::Kind::address && address.base == Operand::Kind::param;
}

/// What a load or a store moves: operand `i`, whose rows become the first ones of `out`.
FunctionDecoder::Data FunctionDecoder::data_of(const ptx::Instruction& text, std::size_t i,
                                               Instruction& out) {
  const Operand& operand = text.operands[i];
  Data data;
  data.type = text.type();
  data.bytes = ptx::bytes_of(data.type);
  data.parts = operand.kind == Operand::Kind::vector ? std::span(operand.elements) : std::span(&operand, 1);
  data.width = width_of(data.type);
  for (const Operand& part : data.parts) data.width = width_of_operand(part, data.width);
  if (data.bytes == 0) throw std::invalid_argument("a type is expected");
  if (data.parts.size() != elements_of(text)) throw std::invalid_argument("wrong number of elements");
  if (data.bytes > bytes_of(data.width) / warp_size)
    throw std::invalid_argument("the register is narrower than the type");
  for (std::size_t e = 0; e < data.parts.size(); ++e)
    out.rows[e] = row_of_operand(data.parts[e], data.width, data.type);
  return data;
}

/// The rest of a memory instruction, but for its rows.
void FunctionDecoder::add_memory(const MemoryOperation& operation, Instruction& out) {
  out.kind = Kind::memory;
  out.detail = static_cast<std::uint32_t>(code_.memory.size());
  code_.memory.push_back(operation);
}

/// ld.param and st.param with a named parameter: a copy between rows, no memory.
void FunctionDecoder::decode_parameter_access(const ptx::Instruction& text, Instruction& out, bool is_load) {
  const Operand& address = text.operands[is_load ? 1 : 0];
  const auto [parts, type, bytes, width] = data_of(text, is_load ? 0 : 1, out);
  const auto elements = static_cast<std::uint32_t>(parts.size());
  out.kind = Kind::lane;
  out.what = ptx::InstructionClass::arithmetic;
  const std::int64_t end = address.offset + std::int64_t{bytes} * elements;
  const bool is_formal = function_.is_kernel && address.param < function_.formals;
  const LanePlace& place = frame_.layout().parameters.at(address.param);
  if (address.offset < 0 || end > std::int64_t{place.bytes})
    throw std::invalid_argument("the access does not lie in the parameter");
  if (is_formal) {
    if (!is_load) throw std::invalid_argument("a kernel's parameters cannot be written");
    out.run = instructions::find_parameter_copy(width, elements);
    const auto start = static_cast<std::uint32_t>(function_.parameters[address.param].offset) +
                       static_cast<std::uint32_t>(address.offset);
    flow_.operands = flow_.results = static_cast<std::uint8_t>(elements);
    if (out.run != nullptr)
      for (std::uint32_t e = 0; e < elements; ++e)
        out.rows[4 + e] = frame_.kernel_parameter(start + e * bytes, static_cast<std::uint8_t>(bytes),
                                                  is_signed(type), width);
  } else {
    out.run = is_load ? instructions::find_parameter_load(bytes, is_signed(type), width)
                      : instructions::find_parameter_store(bytes, width);
    out.rows[instructions::modifier_row] = elements;
    out.rows[4] = place.start;
    out.rows[5] = place.stride;
    out.rows[6] = static_cast<Row>(address.offset);
    flow_.rule = is_load ? FlowRule::parameter_load : FlowRule::parameter_store;
    flow_.operands = static_cast<std::uint8_t>(elements);
    flow_.results = is_load ? flow_.operands : std::uint8_t{0};
  }
  flow_.widths.fill(width);
  if (out.run == nullptr) throw std::invalid_argument("this type is not supported");
}

/// Bit i: byte i of what a load takes is used. The compiler says so before the load; one older than CUDA 13
/// says nothing, and then it is the elements of a vector whose registers some instruction reads.
std::uint32_t FunctionDecoder::used_bytes(const ptx::Instruction& text, std::span<const Operand> parts,
                                          const MemoryOperation& memory) const {
  const std::uint64_t all = (std::uint64_t{1} << memory.bytes()) - 1;
  if ((~text.used_bytes & all) != 0) return text.used_bytes;
  if (parts.size() == 1 || memory.ordering != Ordering::weak) return all_bytes;
  std::uint64_t used = 0;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    if (parts[e].kind == Operand::Kind::reg && is_read_[parts[e].reg])
      used |= ((std::uint64_t{1} << memory.element_bytes) - 1) << (e * memory.element_bytes);
  }
  return used == 0 || used == all ? all_bytes : static_cast<std::uint32_t>(used);
}

/// Of a widened load, the elements that are neither used nor read.
std::uint32_t FunctionDecoder::unread_bytes(std::span<const Operand> parts,
                                            const MemoryOperation& memory) const {
  std::uint32_t unread = 0;
  for (std::size_t e = 0; e < parts.size(); ++e) {
    const std::uint64_t element = ((std::uint64_t{1} << memory.element_bytes) - 1)
                                  << (e * memory.element_bytes);
    const bool is_read = parts[e].kind == Operand::Kind::reg && is_read_[parts[e].reg];
    if ((element & memory.used_bytes) == 0 && !is_read) unread |= static_cast<std::uint32_t>(element);
  }
  return unread;
}

void FunctionDecoder::decode_load_store(const ptx::Instruction& text, Instruction& out) {
  allow_modifiers(text, {"global",      "shared",   "shared::cta", "shared::cluster",
                         "local",       "const",    "param",       "param::entry",
                         "param::func", "volatile", "mmio",        "weak",
                         "relaxed",     "acquire",  "release",     "cta",
                         "cluster",     "gpu",      "sys",         "v2",
                         "v4",          "v8",       "ca",          "cg",
                         "cs",          "lu",       "cv",          "wb",
                         "wt",          "nc",       "unified"});
  expect_operands(text, 2, 2);
  const bool is_load = text.row->loads();
  const Operand& address = text.operands[is_load ? 1 : 0];
  if (reads_parameter_in_place(address)) return decode_parameter_access(text, out, is_load);

  MemoryOperation memory;
  memory.kind = is_load ? AccessKind::load : AccessKind::store;
  memory.space = text.space();
  memory.ordering = ordering_of(text, Ordering::weak);
  memory.scope = scope_of(text, memory.ordering == Ordering::volatile_ ? Scope::sys : Scope::none);
  if (is_at_l2(text)) {  // weak by the letter: docs/findings.md, "Excused"
    memory.ordering = Ordering::relaxed;
    memory.scope = Scope::gpu;
  }
  const auto [parts, type, bytes, width] = data_of(text, is_load ? 0 : 1, out);
  memory.element_bytes = static_cast<std::uint8_t>(bytes);
  memory.elements = static_cast<std::uint8_t>(parts.size());
  memory.is_signed = is_signed(type);
  memory.width = width;
  if (memory.bytes() > most_vector_bytes) throw std::invalid_argument("the vector is too long");
  if (width == Width::b128 && bytes != 16) throw std::invalid_argument("the register is wider than the type");
  if (is_load) memory.used_bytes = used_bytes(text, parts, memory);
  if (memory.used_bytes != all_bytes) memory.unread_bytes = unread_bytes(parts, memory);
  memory.address_width = decode_address(address, out);
  add_memory(memory, out);
}

void FunctionDecoder::decode_atomic(const ptx::Instruction& text, Instruction& out) {
  static constexpr std::string_view operations[] = {"add", "min", "max", "and",  "or",
                                                    "xor", "inc", "dec", "exch", "cas"};
  allow_modifiers(text, {"global",  "shared",  "shared::cta", "shared::cluster",
                         "relaxed", "acquire", "release",     "acq_rel",
                         "cta",     "cluster", "gpu",         "sys",
                         "noftz",   "add",     "min",         "max",
                         "and",     "or",      "xor",         "inc",
                         "dec",     "exch",    "cas",         "v2",
                         "v4",      "v8"});
  MemoryOperation memory;
  const bool has_result = text.row->access == ptx::MemoryAccess::atomic;
  const auto op = std::find_if(std::begin(operations), std::end(operations),
                               [&](std::string_view name) { return text.has(name); });
  if (op == std::end(operations)) throw std::invalid_argument("an operation is expected");
  const ptx::Type type = text.type();
  memory.kind = has_result ? AccessKind::atomic : AccessKind::reduction;
  memory.space = text.space();
  memory.ordering = ordering_of(text, Ordering::relaxed);
  memory.scope = scope_of(text, Scope::gpu);
  memory.element_bytes = static_cast<std::uint8_t>(ptx::bytes_of(type));
  memory.is_cas = *op == "cas";
  memory.is_exchange = *op == "exch";
  memory.has_result = has_result;
  memory.atomic = memory.atomic_global = instructions::find_atomic(*op, type);
  // exch and cas of 128 bits have no function: run/memory_rows.cpp does them by itself.
  const bool is_wide = type == ptx::Type::b128 && has_result && (memory.is_cas || *op == "exch");
  if (memory.atomic == nullptr && !is_wide) throw std::invalid_argument("there is no such form");
  if (*op == "add" && type == ptx::Type::f32) memory.atomic_global = instructions::atomic_add_f32_flushed();
  memory.result_width = memory.width = width_of(type);
  if (text.has("v2") || text.has("v4") || text.has("v8")) return decode_vector_atomic(text, memory, out);
  expect_operands(text, has_result ? 3 : 2, has_result ? 4 : 3);
  const Operand* operand = text.operands.data();
  if (has_result) {
    memory.result_width = width_of_operand(*operand, memory.width);
    if (operand->kind == Operand::Kind::reg && memory.result_width != memory.width)
      expect_register(operand->reg, {memory.width, Width::b64});
    out.rows[0] = row_of_operand(*operand++, memory.result_width, type);
  }
  memory.address_width = decode_address(*operand++, out);
  const Operand* end = text.operands.data() + text.operands.size();
  if (operand + (memory.is_cas ? 2 : 1) > end) throw std::invalid_argument("wrong number of operands");
  if (width_of_operand(*operand, memory.width) != memory.width)
    throw std::invalid_argument("the register is wider than the type");
  out.rows[1] = row_of_operand(*operand++, memory.width, type);
  if (memory.is_cas) out.rows[2] = row_of_operand(*operand++, memory.width, type);
  add_memory(memory, out);
}

void FunctionDecoder::decode_fence(const ptx::Instruction& text, Instruction& out) {
  out.kind = Kind::fence;
  out.detail = static_cast<std::uint32_t>(scope_of(text, Scope::sys));
}

// ---- cp.async and vector atomics: what becomes several accesses to memory

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
  out.rows[0] = copy.data;
  flow_ = flow_to({}, 1, {Width::b128});
  if (text.operands.size() == 4 + hints) {
    const Operand& last = text.operands[3];
    if (width_of_operand(last, Width::b32) == Width::pred) {
      out.rows[1] = copy.ignored = row_of_operand(last, Width::pred, ptx::Type::pred);
      copy.is_ignored_negated = last.is_negated;
      flow_ = flow_to(ValueUse::branch, 1, {Width::b128, Width::pred});
    } else {
      out.rows[1] = copy.size = row_of_operand(last, Width::b32, ptx::Type::u32);
      flow_ = flow_to(ValueUse::address, 1, {Width::b128, Width::b32});
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
