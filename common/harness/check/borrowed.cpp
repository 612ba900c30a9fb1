#include "borrowed.hpp"

#include <filesystem>
#include <optional>
#include <set>

#include "../../simulator/ptx/source_location.hpp"
#include "../skeleton.hpp"

namespace warpwise::harness {

namespace {

using simulator::ptx::Function;
using simulator::ptx::Module;

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
      if (operand.kind != simulator::ptx::Operand::Kind::function || !seen.insert(operand.symbol).second)
        continue;
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

std::string borrowed_by(const simulator::machine::Program& program, const std::string& kernel) {
  const auto* const info = program.find_kernel(kernel);
  if (info == nullptr) return {};
  std::set<std::string> seen;
  return loan_in(program.module(), *info->function, seen);
}

void judge_borrowed(const Chapter& chapter, const SimulatedDevice& device, Record& record) {
  for (const Exhibit& exhibit : chapter.exhibits) {
    const std::string kernel(exhibit.kernel.text);
    if (!exhibit.is_exercise || record.find(kernel, Aspect::technique) == nullptr) continue;
    const std::string loan = borrowed_by(device.program(), kernel);
    if (loan.empty()) continue;
    record.begin_case(kernel + ": technique, written by yourself");
    record.add_failure(loan, {});
    record.end_case();
  }
}

}  // namespace warpwise::harness
