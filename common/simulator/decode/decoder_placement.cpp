#include "declared_types.hpp"
#include "decoder.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace warpwise::simulator::decode {

namespace {

constexpr std::uint32_t row_alignment = 64;

template <class Bytes>
Bytes round_up(Bytes value, Bytes unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

/// PTX ISA chapter 10.
std::optional<Special> special_named(std::string_view name) {
  using enum Special;
  // clang-format off
  static constexpr std::string_view names[] = {
      "tid.x", "tid.y", "tid.z", "ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z",
      "nctaid.x", "nctaid.y", "nctaid.z", "laneid", "warpid", "nwarpid", "smid", "nsmid", "gridid",
      "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge", "dynamic_smem_size",
      "envreg1", "envreg2", "total_smem_size", "reserved_smem_offset_begin", "reserved_smem_offset_end",
      "reserved_smem_offset_cap", "reserved_smem_offset_0", "reserved_smem_offset_1", "WARP_SZ"};
  static_assert(std::size(names) == static_cast<std::size_t>(zero));
  // A grid has one cluster of one block per block here (10.12 to 10.17).
  static constexpr std::pair<std::string_view, Special> others[] = {
      {"aggr_smem_size", total_smem_size}, {"clusterid.x", ctaid_x}, {"clusterid.y", ctaid_y},
      {"clusterid.z", ctaid_z}, {"nclusterid.x", nctaid_x}, {"nclusterid.y", nctaid_y},
      {"nclusterid.z", nctaid_z}, {"cluster_ctaid.x", zero}, {"cluster_ctaid.y", zero},
      {"cluster_ctaid.z", zero}, {"cluster_nctaid.x", one}, {"cluster_nctaid.y", one},
      {"cluster_nctaid.z", one}, {"cluster_ctarank", zero}, {"cluster_nctarank", one}};
  // clang-format on
  if (const auto* at = std::find(std::begin(names), std::end(names), name); at != std::end(names))
    return static_cast<Special>(at - names);
  for (const auto& [other, special] : others)
    if (other == name) return special;
  return std::nullopt;
}

}  // namespace

std::uint32_t bytes_of(Width width) {
  switch (width) {
    case Width::pred:
      return sizeof(LaneMask);
    case Width::b32:
      return 4 * warp_size;
    case Width::b64:
      return 8 * warp_size;
    case Width::b128:
      return 16 * warp_size;
  }
  return 0;
}

FrameBuilder::FrameBuilder(const ptx::Function& function) : function_(function) {
  registers_.resize(function.registers.size());
  // Predicates first and close together: they are read at every branch.
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (function.registers[i].type == ptx::Type::pred) registers_[i] = add(Width::pred);
  for (std::size_t i = 0; i < registers_.size(); ++i)
    if (function.registers[i].type != ptx::Type::pred)
      registers_[i] = add(width_of(function.registers[i].type));
  for (std::size_t i = 0; i < function.parameters.size() + function.returns.size(); ++i) {
    const bool is_return = i >= function.parameters.size();
    const ptx::Parameter& p =
        is_return ? function.returns[i - function.parameters.size()] : function.parameters[i];
    const bool is_kernel_formal = function.is_kernel && i < function.formals;
    LanePlace area{0, 0, static_cast<std::uint32_t>(p.bytes)};
    if (p.is_register) {
      area.bytes = bytes_of(width_of(p.type)) / warp_size;
      area.start = registers_[p.reg];
      area.stride = area.bytes;
    } else if (!is_kernel_formal) {
      area.stride = round_up<std::uint32_t>(area.bytes, 16);
      area.start = round_up(layout_.bytes, row_alignment);
      layout_.bytes = area.start + area.stride * warp_size;
    }
    layout_.parameters.push_back(area);
  }
}

Row FrameBuilder::add(Width width) {
  const Row row = round_up<std::uint32_t>(layout_.bytes, width == Width::pred ? 4 : row_alignment);
  layout_.bytes = row + bytes_of(width);
  return row;
}

Row FrameBuilder::immediate(std::uint64_t bits, Width width) {
  auto [at, is_new] = immediates_.try_emplace({bits, width}, 0);
  if (is_new) layout_.immediates.push_back({at->second = add(width), width, bits});
  return at->second;
}

Row FrameBuilder::special(std::string_view name, Width width) {
  // What an H200 gives for clusters of one block, too (PTX ISA 10.12).
  if (name == "is_explicit_cluster") return immediate(function_.has_explicit_clusters ? 1 : 0, width);
  const std::optional<Special> known = special_named(name);
  if (!known) throw std::invalid_argument("special register %" + std::string(name) + " is not known");
  auto [at, is_new] = specials_.try_emplace({*known, width}, 0);
  if (is_new) layout_.specials.push_back({at->second = add(width), width, *known});
  return at->second;
}

Row FrameBuilder::local_address(std::int64_t offset, Width width) {
  auto [at, is_new] = local_addresses_.try_emplace({offset, width}, 0);
  if (is_new) layout_.local_addresses.push_back({at->second = add(width), width, offset});
  return at->second;
}

Row FrameBuilder::dynamic_address(std::int64_t offset, Width width) {
  auto [at, is_new] = dynamic_addresses_.try_emplace({offset, width}, 0);
  if (is_new) layout_.dynamic_addresses.push_back({at->second = add(width), width, offset});
  return at->second;
}

Row FrameBuilder::kernel_parameter(std::uint32_t offset, std::uint8_t bytes, bool is_signed, Width width) {
  auto [at, is_new] = kernel_parameters_.try_emplace({offset, bytes, is_signed, width}, 0);
  if (is_new) layout_.kernel_parameters.push_back({at->second = add(width), width, offset, bytes, is_signed});
  return at->second;
}

Row FrameBuilder::scratch(Width width) {
  auto [at, is_new] = scratch_.try_emplace(width, 0);
  if (is_new) at->second = add(width);
  return at->second;
}

Row FrameBuilder::carry() {
  if (!carry_) carry_ = add(Width::pred);
  return *carry_;
}

void FrameBuilder::leave_unset(ptx::RegisterId id) {
  layout_.unset.push_back({registers_[id], width_of(function_.registers[id].type)});
}

FrameLayout FrameBuilder::finish() {
  layout_.bytes = round_up(layout_.bytes, row_alignment);
  return std::move(layout_);
}

// ---- Variables

namespace {

/// Behind each shared variable. A multiple of the 128 bytes that one row of the 32 banks has: each variable
/// keeps the banks that it has without gaps, and counters of bank conflicts stay those of a GPU.
constexpr std::uint64_t usual_gap = 256;
/// No program that somebody wrote has variables for as many gaps, or aligns them to more: they go without, so
/// that shared memory stays small.
constexpr std::uint64_t most_gaps = 256 * 1024, largest_gap = 4096;

/// A multiple of every alignment as well, so that gaps change no variable's.
std::uint64_t gap_of(const ptx::Module& module) {
  std::uint64_t gap = usual_gap;
  for (const ptx::Variable& variable : module.variables)
    if (variable.space == ptx::Space::shared) gap = std::max(gap, variable.align);
  return gap <= largest_gap ? gap : 0;
}

const ptx::Function* owner_of(const ptx::Module& module, const ptx::Variable& variable) {
  return variable.function.empty() ? nullptr : module.find_function(variable.function);
}

/// Of an array or a structure of which a kernel uses single elements, the compiler keeps those: `_Z…_$_0`.
constexpr std::string_view piece_mark = "_$_";
bool is_piece(std::string_view name) { return name.find(piece_mark) != name.npos; }

/// The compiler writes arrays, and what has members, as bytes: of those the source is asked.
std::vector<std::uint32_t> element_bytes_of(const ptx::Module& module) {
  std::vector<std::uint32_t> result;
  std::optional<Declarations> declarations;
  for (const ptx::Variable& variable : module.variables) {
    const bool is_told = variable.type != ptx::Type::b8 || variable.space == ptx::Space::local;
    if (!is_told && !declarations) declarations.emplace(module);
    if (is_told)
      result.push_back(ptx::bytes_of(variable.type));
    else if (is_piece(variable.name))
      result.push_back(static_cast<std::uint32_t>(variable.bytes));
    else
      result.push_back(declarations->element_bytes(source_name(variable.name), variable.bytes));
  }
  return result;
}

Allocation& place_in_memory(const ptx::Variable& variable, std::uint32_t element_bytes,
                            GlobalMemory& memory) {
  Allocation& place = memory.allocate(variable.bytes, source_name(variable.name), element_bytes);
  std::memset(reinterpret_cast<void*>(place.base), 0, variable.bytes);  // CUDA zeroes what is not initialised
  if (!variable.initial.empty())
    std::memcpy(reinterpret_cast<void*>(place.base), variable.initial.data(),
                std::min<std::uint64_t>(variable.bytes, variable.initial.size()));
  place.mark_written(0, variable.bytes);
  place.is_read_only = variable.space == ptx::Space::constant;
  return place;
}

}  // namespace

std::string source_name(const std::string& name) {
  if (!name.starts_with("_Z")) return name;  // a type to the demangler: `s` is short
  int status = -1;
  char* demangled =
      abi::__cxa_demangle(name.substr(0, name.find(piece_mark)).c_str(), nullptr, nullptr, &status);
  std::string text = status == 0 ? demangled : name;
  std::free(demangled);
  // The last `::` that no bracket encloses: template arguments and signatures have their own.
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 1;) {
    if (text[i] == '>' || text[i] == ')') ++depth;
    if (text[i] == '<' || text[i] == '(') --depth;
    if (depth == 0 && text[i] == ':' && text[i - 1] == ':') return text.substr(i + 1);
  }
  return text;
}

Placement place_variables(const ptx::Module& module, GlobalMemory& memory) {
  Placement placement;
  VariablePlaces& places = placement.places;
  const std::size_t size = module.variables.size();
  places.address.resize(size);
  places.is_dynamic.resize(size);
  places.is_common_shared.resize(size);
  places.element_bytes = element_bytes_of(module);
  std::map<std::string, std::uint64_t> local_bytes;
  SharedTop& common = placement.common_shared;
  auto& own = placement.kernel_shared;
  const std::uint64_t gap = gap_of(module);
  // Two passes over shared memory: the common variables come first.
  for (const bool is_common_pass : {true, false}) {
    for (std::size_t i = 0; i < size; ++i) {
      const ptx::Variable& variable = module.variables[i];
      if (variable.space != ptx::Space::shared) continue;
      const ptx::Function* owner = owner_of(module, variable);
      const bool is_common = owner == nullptr || !owner->is_kernel;
      places.is_dynamic[i] = variable.is_extern || variable.bytes == 0;
      if (places.is_dynamic[i] || is_common != is_common_pass) continue;
      places.is_common_shared[i] = is_common;
      SharedTop& top = is_common ? common : own.try_emplace(owner->name, common).first->second;
      const std::uint64_t start = round_up(top.bytes, variable.align);
      places.address[i] = start + top.gaps;
      top.bytes = start + variable.bytes;
      if (top.gaps < most_gaps) top.gaps += gap;
    }
    if (is_common_pass) common.bytes = round_up<std::uint64_t>(common.bytes, 16);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space == ptx::Space::local) {
      std::uint64_t& top = local_bytes[variable.function];
      places.address[i] = round_up(top, variable.align);
      top = places.address[i] + variable.bytes;
    } else if (variable.space != ptx::Space::shared) {
      if (variable.is_extern)
        throw ptx::Error(module.name, 0, "variable " + variable.name + " is defined in another module");
      Allocation& place = place_in_memory(variable, places.element_bytes[i], memory);
      places.address[i] = place.base;
      placement.variables[variable.name] = &place;
    }
  }
  return placement;
}

void apply_relocations(const ptx::Module& module, const Placement& placement, const Code& code) {
  const auto value_of = [&](const std::string& symbol) -> std::uint64_t {
    if (const auto at = placement.variables.find(symbol); at != placement.variables.end())
      return at->second->base;
    for (std::size_t i = 0; i < module.functions.size(); ++i)
      if (module.functions[i].name == symbol) return function_window + code.functions[i].entry;
    for (std::size_t i = 0; i < module.variables.size(); ++i)
      if (module.variables[i].name == symbol) return placement.places.address[i];
    throw ptx::Error(module.name, 0, "an initial value names " + symbol + ", which does not exist");
  };
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    for (const ptx::Relocation& relocation : variable.relocations) {
      const std::uint64_t value = value_of(relocation.symbol) + static_cast<std::uint64_t>(relocation.addend);
      if (relocation.offset + relocation.bytes <= variable.bytes && relocation.bytes <= 8)
        std::memcpy(reinterpret_cast<std::byte*>(placement.places.address[i]) + relocation.offset, &value,
                    relocation.bytes);
    }
  }
}

}  // namespace warpwise::simulator::decode
