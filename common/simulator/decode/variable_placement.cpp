#include "code.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace warpwise::simulator::decode {

namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

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

Allocation& place_in_memory(const ptx::Variable& variable, GlobalMemory& memory) {
  const std::uint32_t element = ptx::bytes_of(variable.type);
  Allocation& place = memory.allocate(variable.bytes, source_name(variable.name), element > 1 ? element : 0);
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
  char* demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
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
    if (is_common_pass) common.bytes = round_up(common.bytes, 16);
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
      Allocation& place = place_in_memory(variable, memory);
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
