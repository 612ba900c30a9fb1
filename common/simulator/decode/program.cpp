#include "../program.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "../host/host.hpp"
#include "decoder.hpp"

namespace warpwise::simulator {

using namespace decode;

struct Program::Parts {
  ptx::Module module;
  Placement placement;
  Code code;
  std::map<std::string, KernelInfo, std::less<>> kernels;
  std::vector<SourcePlace> places;  // of each location of the module

  void decode();
  void find_places();
  void describe_kernel(std::uint32_t index);
  std::vector<SharedVariable> shared_variables(std::uint32_t kernel, std::uint32_t dynamic_start) const;
  PcRange reach_of(std::uint32_t kernel) const;
  template <class Predicate>
  bool reaches(std::uint32_t kernel, const Predicate& holds) const;
};

namespace {

bool names_variable(const ptx::Operand& operand, ptx::VariableId variable) {
  using Kind = ptx::Operand::Kind;
  const bool is_place =
      operand.kind == Kind::variable || (operand.kind == Kind::address && operand.base == Kind::variable);
  if (is_place && operand.variable == variable) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return names_variable(element, variable); });
}

bool names_variable(const ptx::Function& function, ptx::VariableId variable) {
  return std::any_of(function.code.begin(), function.code.end(), [&](const ptx::Instruction& instruction) {
    const auto& operands = instruction.operands;
    return std::any_of(operands.begin(), operands.end(),
                       [&](const ptx::Operand& operand) { return names_variable(operand, variable); });
  });
}

bool names_reserved_shared(const DecodedFunction& function) {
  const auto& specials = function.layout.specials;
  return std::any_of(specials.begin(), specials.end(), [](const FrameLayout::SpecialRow& row) {
    return row.special >= Special::reserved_smem_begin && row.special <= Special::reserved_smem_1;
  });
}

}  // namespace

void Program::Parts::decode() {
  code.functions.resize(module.functions.size());
  Pc pc = 0;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    if (module.functions[i].is_declaration) continue;
    code.functions[i].entry = pc;
    pc += static_cast<Pc>(module.functions[i].code.size()) + 1;
    code.functions[i].end = pc;
  }
  code.instructions.reserve(pc);
  for (std::uint32_t i = 0; i < module.functions.size(); ++i)
    if (!module.functions[i].is_declaration) FunctionDecoder(module, i, placement.places, code).decode();
}

/// True where `holds` for the kernel or for a function that it may call.
template <class Predicate>
bool Program::Parts::reaches(std::uint32_t kernel, const Predicate& holds) const {
  std::vector<std::uint32_t> open{kernel};
  std::set<std::uint32_t> seen{kernel};
  while (!open.empty()) {
    const DecodedFunction& function = code.functions[open.back()];
    open.pop_back();
    if (holds(function) || function.has_indirect_calls) return true;
    for (std::uint32_t callee : function.callees)
      if (seen.insert(callee).second) open.push_back(callee);
  }
  return false;
}

PcRange Program::Parts::reach_of(std::uint32_t kernel) const {
  PcRange reach{code.functions[kernel].entry, code.functions[kernel].end};
  const bool is_unknown = reaches(kernel, [&](const DecodedFunction& function) {
    if (function.entry == function.end) return false;  // a declaration: the machine has it built in
    reach = {std::min(reach.begin, function.entry), std::max(reach.end, function.end)};
    return false;
  });
  return is_unknown ? PcRange{0, static_cast<Pc>(code.instructions.size())} : reach;
}

/// Shortening a path asks the file system, so each file is asked for once.
void Program::Parts::find_places() {
  std::map<std::string, std::string> short_paths;
  for (std::size_t i = 0; i < module.locations.size(); ++i) {
    const ptx::SourceLine line = ptx::source_of(module, static_cast<std::int32_t>(i));
    SourcePlace& place = places.emplace_back();
    if (line.line == 0) continue;
    const auto [entry, is_new] = short_paths.try_emplace(line.file);
    if (is_new) entry->second = host::short_path(line.file);
    place = {entry->second, line.line};
  }
}

std::vector<Program::SharedVariable> Program::Parts::shared_variables(std::uint32_t kernel,
                                                                      std::uint32_t dynamic_start) const {
  std::vector<SharedVariable> result;
  std::optional<SharedVariable> dynamic;  // all `extern __shared__` arrays of a module begin at one place
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space != ptx::Space::shared) continue;
    SharedVariable shared{source_name(variable.name), static_cast<std::uint32_t>(placement.places.address[i]),
                          static_cast<std::uint32_t>(variable.bytes), placement.places.element_bytes[i]};
    if (placement.places.is_dynamic[i]) {
      shared.offset = dynamic_start;
      shared.bytes = 0;
      const auto id = static_cast<ptx::VariableId>(i);
      const bool is_named =
          reaches(kernel, [&](const DecodedFunction& each) { return names_variable(*each.function, id); });
      if (is_named) dynamic = shared;
    } else if (variable.function == module.functions[kernel].name ||
               (placement.places.is_common_shared[i] && shared.offset + shared.bytes <= dynamic_start)) {
      result.push_back(shared);
    }
  }
  std::sort(result.begin(), result.end(),
            [](const SharedVariable& a, const SharedVariable& b) { return a.offset < b.offset; });
  if (dynamic) result.push_back(*dynamic);
  return result;
}

void Program::Parts::describe_kernel(std::uint32_t index) {
  const ptx::Function& function = module.functions[index];
  KernelInfo info;
  info.function = &function;
  info.entry = code.functions[index].entry;
  SharedTop shared;
  const auto own = placement.kernel_shared.find(function.name);
  if (own != placement.kernel_shared.end())
    shared = own->second;
  else if (reaches(index, [](const DecodedFunction& each) { return each.names_common_shared; }))
    shared = placement.common_shared;
  info.static_shared_bytes = static_cast<std::uint32_t>(shared.bytes);
  info.dynamic_shared_start = static_cast<std::uint32_t>((shared.bytes + 15) / 16 * 16 + shared.gaps);
  info.uses_reserved_shared =
      std::any_of(code.functions.begin(), code.functions.end(), names_reserved_shared) &&
      reaches(index, names_reserved_shared);
  for (std::uint32_t i = 0; i < function.formals; ++i)
    info.parameter_bytes =
        std::max(info.parameter_bytes,
                 static_cast<std::uint32_t>(function.parameters[i].offset + function.parameters[i].bytes));
  info.local_bytes = code.functions[index].layout.local_bytes;
  info.registers = static_cast<std::uint32_t>(function.registers.size());
  info.reach = reach_of(index);
  info.shared_variables = shared_variables(index, info.dynamic_shared_start);
  kernels[function.name] = std::move(info);
}

Program::Program(ptx::Module module, GlobalMemory& memory) : parts_(std::make_unique<Parts>()) {
  parts_->module = std::move(module);
  parts_->placement = place_variables(parts_->module, memory);
  parts_->decode();
  parts_->find_places();
  apply_relocations(parts_->module, parts_->placement, parts_->code);
  for (std::uint32_t i = 0; i < parts_->module.functions.size(); ++i)
    if (parts_->module.functions[i].is_kernel && !parts_->module.functions[i].is_declaration)
      parts_->describe_kernel(i);
}

Program::~Program() = default;

const ptx::Module& Program::module() const { return parts_->module; }
std::uint32_t Program::size() const { return static_cast<std::uint32_t>(parts_->code.instructions.size()); }
ptx::InstructionClass Program::class_of(Pc pc) const { return parts_->code.instructions[pc].what; }
const ptx::Instruction& Program::text_of(Pc pc) const { return *parts_->code.texts[pc]; }
const ptx::Function& Program::function_of(Pc pc) const {
  return *parts_->code.functions[parts_->code.owners[pc]].function;
}
std::optional<Pc> Program::meeting_of(Pc pc) const {
  const Instruction& branch = parts_->code.instructions[pc];
  const bool is_branch = branch.kind == Kind::branch || branch.kind == Kind::branch_table;
  if (!is_branch || branch.offset == no_pc) return std::nullopt;
  return static_cast<Pc>(branch.offset);
}
const decode::Code& Program::decoded() const { return parts_->code; }

const Allocation* Program::find_variable(std::string_view name) const {
  const auto at = parts_->placement.variables.find(name);
  return at == parts_->placement.variables.end() ? nullptr : at->second;
}

const Program::KernelInfo* Program::find_kernel(std::string_view name) const {
  const auto at = parts_->kernels.find(name);
  return at == parts_->kernels.end() ? nullptr : &at->second;
}

std::vector<std::string> Program::kernel_names() const {
  std::vector<std::string> names;
  for (const auto& [name, info] : parts_->kernels) names.push_back(name);
  return names;
}

// From an instruction to the line of its source.

const SourcePlace& Program::place_of_location(std::int32_t location) const {
  static const SourcePlace nowhere;
  return location < 0 ? nowhere : parts_->places.at(static_cast<std::size_t>(location));
}

const SourcePlace& place_of(const Program& program, Pc pc) {
  return program.place_of_location(pc < program.size() ? program.text_of(pc).location : -1);
}

NearPlace near_place_of(const Program& program, Pc pc) {
  if (pc >= program.size()) return {};
  if (const SourcePlace& own = place_of(program, pc); own.line != 0) return {own};
  const std::vector<ptx::Instruction>& code = program.function_of(pc).code;
  std::size_t here = 0;
  while (here < code.size() && &code[here] != &program.text_of(pc)) ++here;
  for (std::size_t distance = 1; distance < code.size(); ++distance) {
    for (const std::size_t index : {here - distance, here + distance}) {  // below 0 it wraps round
      if (index >= code.size()) continue;
      const SourcePlace& place = program.place_of_location(code[index].location);
      if (place.line != 0) return {place, true};
    }
  }
  return {};
}

const std::vector<std::string>& SourceTexts::file(const std::string& path) {
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    std::istringstream file(host::read_file(path).value_or(""));
    for (std::string text; std::getline(file, text);) {
      if (!text.empty() && text.back() == '\r') text.pop_back();
      entry->second.push_back(text);
    }
  }
  return entry->second;
}

std::string SourceTexts::line(const SourcePlace& place) {
  if (place.file.empty() || place.line == 0) return {};
  const std::vector<std::string>& lines = file(place.file);
  return place.line <= lines.size() ? lines[place.line - 1] : std::string{};
}

}  // namespace warpwise::simulator
