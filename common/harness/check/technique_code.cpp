#include "technique.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "../../simulator/program.hpp"
#include "../../simulator/ptx.hpp"

namespace warpwise::harness {

using simulator::Program;
using simulator::ptx::Function;
using simulator::ptx::Module;
using simulator::ptx::Operand;

std::string source_of(const simulator::ptx::Module& module) {
  for (const auto& file : module.files) {
    if (file.path.ends_with(".cu")) return file.path;
  }
  return {};
}

bool writes_nothing(const Program& program, const std::string& kernel) {
  const auto* info = program.find_kernel(kernel);
  if (info == nullptr) return false;
  const auto& code = info->function->code;
  return std::none_of(code.begin(), code.end(), [](const simulator::ptx::Instruction& instruction) {
    using simulator::ptx::MemoryAccess, simulator::ptx::Space;
    const MemoryAccess access = instruction.row->access;
    const Space space = instruction.space();
    return access == MemoryAccess::atomic || access == MemoryAccess::reduction ||
           instruction.row->what == simulator::ptx::InstructionClass::call ||
           (access == MemoryAccess::store && space != Space::local && space != Space::param);
  });
}

std::uint64_t shared_bytes_of(const Program& program, const std::string& kernel) {
  const auto& variables = program.module().variables;
  std::set<simulator::ptx::VariableId> named;
  for (const auto& instruction : program.find_kernel(kernel)->function->code)
    for (const Operand& operand : instruction.operands)
      if (operand.kind == Operand::Kind::variable || operand.base == Operand::Kind::variable)
        named.insert(operand.variable);
  std::uint64_t bytes = 0;
  for (const auto id : named)
    if (variables[id].space == simulator::ptx::Space::shared) bytes += variables[id].bytes;
  return bytes;
}

namespace {

/// Whether `operand`, a label or the name of a list of them, leads to `place` or back from it.
bool leads_back(const Operand& operand, const Function& function, std::uint32_t place) {
  using Kind = Operand::Kind;
  if (operand.kind == Kind::label) return operand.target <= place;
  if (operand.kind != Kind::text) return false;
  for (const auto& list : function.target_lists)
    for (const std::uint32_t target : list.targets)
      if (list.name == operand.symbol && target <= place) return true;
  return false;
}

/// Adds the locations of the branches of the function `name` and of what it calls; `seen` ends recursion.
void find_backward(const Module& module, const std::string& name, std::unordered_set<std::string>& seen,
                   std::vector<std::int32_t>& locations) {
  const auto* const function = module.find_function(name);
  if (function == nullptr || !seen.insert(name).second) return;
  for (std::uint32_t place = 0; place < function->code.size(); ++place) {
    for (const auto& operand : function->code[place].operands) {
      if (leads_back(operand, *function, place)) locations.push_back(function->code[place].location);
      if (operand.kind == Operand::Kind::function) find_backward(module, operand.symbol, seen, locations);
    }
  }
}

std::vector<std::int32_t> backward_locations(const Program& program, const std::string& kernel) {
  std::unordered_set<std::string> seen;
  std::vector<std::int32_t> locations;
  find_backward(program.module(), kernel, seen, locations);
  return locations;
}

}  // namespace

unsigned backward_branches(const Program& program, const std::string& kernel) {
  return static_cast<unsigned>(backward_locations(program, kernel).size());
}

void require_no_backward_branches(const Program& program, const std::string& kernel, const std::string& why) {
  const std::vector<std::int32_t> locations = backward_locations(program, kernel);
  if (locations.empty()) return;
  simulator::SourceTexts texts;
  std::vector<report::LineShare> lines;
  for (const std::int32_t location : locations) {
    const simulator::SourcePlace& place = program.place_of_location(location);
    if (place.line != 0) lines.push_back({place.file, place.line, texts.line(place), "leads backward"});
  }
  fail("branches that lead backward in " + kernel + ": " + std::to_string(locations.size()) +
           ", at most 0 (" + why + ")",
       {.lines = std::move(lines)});
}

Requirement<LaunchAndWork> HasNoExchangesInCode(Exchanges which) {
  return {"has no such exchanges in its code", [=](const LaunchAndWork& run) {
            using simulator::ptx::InstructionClass, simulator::ptx::MemoryAccess;
            if (run.work.program == nullptr) return;
            const Program& program = *run.work.program;
            const simulator::PcRange reach = program.find_kernel(run.launch.kernel())->reach;
            for (simulator::Pc pc = reach.begin; pc < reach.end; ++pc) {
              const auto& row = *program.text_of(pc).row;
              const bool is_match = which == Exchanges::matches && row.what == InstructionClass::match;
              const bool is_try = which == Exchanges::tries && program.text_of(pc).has("cas");
              const bool are_all_meant = which == Exchanges::atomics_and_shuffles;
              const bool is_atomic =
                  (which == Exchanges::atomics || are_all_meant) &&
                  (row.access == MemoryAccess::atomic || row.access == MemoryAccess::reduction);
              const bool is_shuffle = are_all_meant && row.what == InstructionClass::shuffle;
              // __syncthreads_or() and the like hand something of each thread to all others.
              const bool is_vote =
                  are_all_meant &&
                  (row.what == InstructionClass::vote || row.what == InstructionClass::match ||
                   row.what == InstructionClass::warp_reduce ||
                   (row.what == InstructionClass::block_barrier && program.text_of(pc).has("red")));
              if (!is_atomic && !is_shuffle && !is_match && !is_vote && !is_try) continue;
              const simulator::SourcePlace& place = simulator::place_of(program, pc);
              simulator::SourceTexts texts;
              fail(std::string(is_match    ? "a match"
                               : is_try    ? "a compare-and-swap"
                               : is_atomic ? "an atomic"
                               : is_vote   ? "a vote"
                                           : "a shuffle") +
                       " in the code of " + run.launch.kernel() +
                       (is_try ? ": each try is an atomic operation, and another warp can make it fail"
                               : ": at other sizes it may be reached"),
                   {.lines = {{place.file, place.line, texts.line(place), "exchanges values"}}});
            }
          }};
}

namespace {

enum class Lender { cub, thrust, solution };

/// Whether the file at `path` lends code; `own` is the one that the module was made from.
std::optional<Lender> lender_at(const std::string& path, const std::string& own) {
  if (simulator::ptx::is_toolkit_file(path)) {
    if (path.find("/cub/") != path.npos) return Lender::cub;
    if (path.find("/thrust/") != path.npos) return Lender::thrust;
    return std::nullopt;
  }
  namespace fs = std::filesystem;
  const bool is_solution = fs::path(path).filename() == "solution.cu" && fs::path(own) != fs::path(path);
  return is_solution ? std::optional(Lender::solution) : std::nullopt;
}

const std::string& path_of(const Module& module, std::uint32_t file) {
  static const std::string unknown;
  for (const auto& each : module.files)
    if (each.id == file) return each.path;
  return unknown;
}

std::string sentence_of(Lender lender, const simulator::ptx::SourceLine& place) {
  const std::string line =
      std::filesystem::path(place.file).filename().string() + ":" + std::to_string(place.line) + ": ";
  switch (lender) {
    case Lender::cub:
      return line +
             "CUB does the work here: good in a program of your own, but in this exercise write it yourself";
    case Lender::thrust:
      return line +
             "Thrust does the work here: good in a program of your own, but in this exercise write it "
             "yourself";
    case Lender::solution:
      return line +
             "this is the code of solution.cu: write the kernel yourself, and compare afterwards with "
             "./warpwise solution";
  }
  return line;
}

/// The loan in the code of `function` and of what it calls; `seen` ends recursion.
std::string loan_in(const Module& module, const Function& function, std::set<std::string>& seen) {
  const std::string own = source_of(module);
  std::set<std::int32_t> looked_at;
  for (const auto& instruction : function.code) {
    for (const auto& operand : instruction.operands) {
      if (operand.kind != Operand::Kind::function || !seen.insert(operand.symbol).second) continue;
      const Function* const callee = module.find_function(operand.symbol);
      if (callee == nullptr) continue;
      if (std::string loan = loan_in(module, *callee, seen); !loan.empty()) return loan;
    }
    for (std::int32_t at = instruction.location; at >= 0 && looked_at.insert(at).second;
         at = module.locations[static_cast<std::size_t>(at)].inlined_at) {
      const auto lender =
          lender_at(path_of(module, module.locations[static_cast<std::size_t>(at)].file), own);
      if (lender) return sentence_of(*lender, simulator::ptx::source_of(module, instruction.location));
    }
  }
  return {};
}

}  // namespace

std::string borrowed_by(const Program& program, const std::string& kernel) {
  const auto* const info = program.find_kernel(kernel);
  if (info == nullptr) return {};
  std::set<std::string> seen;
  return loan_in(program.module(), *info->function, seen);
}

}  // namespace warpwise::harness
