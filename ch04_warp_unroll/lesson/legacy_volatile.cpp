/// \file The end of a reduction as it was written in CUDA's first years, with `volatile` and without.
/// Both kernels are attempts of this chapter. Runs them on the simulated GPU, and shows the code that the
/// compiler made of their last steps, the tail. Exit status 0: each is wrong in the way that the lesson says.

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "ch04_warp_unroll/kernels.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/check/technique.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/text/files.hpp"
#include "common/text/installation.hpp"

using namespace warpwise;
namespace ptx = simulator::ptx;

namespace {

constexpr unsigned block = 256;
constexpr unsigned seeds = 100;  // tries the schedules split:1 to split:100

struct Outcome {
  float sum = 0;
  std::vector<simulator::Finding> findings;
};

Outcome run(harness::SimulatedDevice& device, const std::vector<float>& values, const std::string& schedule) {
  const harness::UnderSchedule order(device, schedule);
  const auto [launch, out] = run_in_out(device, reduce_unroll_last_warp,
                                        harness::with_shared_floats({.grid = 1, .block = block}), values, 1);
  return {out.download()[0], launch.findings()};
}

/// Prints what became of the additions of the tail: the loads and stores of each source line from `first` to
/// `last`. Registers are left out, because their numbers mean nothing. [+64] is 64 bytes past the lane's own
/// slot.
void print_tail(const ptx::Module& module, unsigned first, unsigned last) {
  for (unsigned line = first; line <= last; ++line) {
    std::printf("  line %u ", line);
    for (const ptx::Instruction& instruction : module.find_function("reduce_unroll_last_warp")->code) {
      if (instruction.location < 0 || !instruction.has("shared")) continue;
      if (module.locations[static_cast<std::size_t>(instruction.location)].line != line) continue;
      for (const ptx::Operand& operand : instruction.operands)
        if (operand.kind == ptx::Operand::Kind::address)
          std::printf("  %s [%s]", instruction.spelled().c_str(),
                      operand.offset == 0 ? "own" : ("+" + std::to_string(operand.offset)).c_str());
    }
    std::printf("\n");
  }
}

unsigned stores_to_shared(const ptx::Module& module, unsigned first, unsigned last) {
  unsigned count = 0;
  for (const ptx::Instruction& instruction : module.find_function("reduce_unroll_last_warp")->code) {
    if (instruction.location < 0 || instruction.row->access != ptx::MemoryAccess::store ||
        instruction.space() != ptx::Space::shared)
      continue;
    const unsigned line = module.locations[static_cast<std::size_t>(instruction.location)].line;
    count += line >= first && line <= last;
  }
  return count;
}

/// The first SEED for which the sum is wrong under the schedule split:SEED, or 0 if there is none.
unsigned first_wrong_seed(harness::SimulatedDevice& device, const std::vector<float>& values) {
  for (unsigned seed = 1; seed <= seeds; ++seed)
    if (run(device, values, "split:" + std::to_string(seed)).sum != harness::sum(values)) return seed;
  return 0;
}

/// The number of the line that contains `text`, in the file from which the module was compiled.
unsigned line_of(const ptx::Module& module, std::string_view text) {
  std::ifstream file(harness::source_of(module));
  std::string line;
  unsigned number = 1;
  while (std::getline(file, line) && line.find(text) == line.npos) ++number;
  return number;
}

/// The five additions with strides 16 to 1, which are on a line each in both files.
struct Tail {
  explicit Tail(const ptx::Module& module)
      : first(line_of(module, "tail[tid + 16];")), last(line_of(module, "tail[tid + 1];")) {}
  unsigned first, last;
};

/// Is it right under lockstep, wrong under another schedule that CUDA allows, and reported as a race under
/// both?
bool show_volatile(const std::vector<float>& values) {
  harness::SimulatedDevice device(text::built_module("attempts/reduce_unroll_last_warp_volatile.ptx"));
  const Outcome lockstep = run(device, values, "lockstep");
  const unsigned seed = first_wrong_seed(device, values);
  const Outcome split = run(device, values, "split:" + std::to_string(seed));
  std::printf("with volatile: lockstep gives %.0f, split:%u gives %.0f\n", lockstep.sum, seed, split.sum);
  const Tail tail(device.program().module());
  print_tail(device.program().module(), tail.first, tail.last);
  for (simulator::Finding finding : lockstep.findings) {
    if (finding.kind != simulator::FindingKind::race) continue;
    finding.file = text::shown_path(finding.file);
    std::printf("%s\n", simulator::format(finding).c_str());
    break;  // the other steps have the same race
  }
  const bool is_reported = !lockstep.findings.empty() && !split.findings.empty() &&
                           lockstep.findings.front().kind == simulator::FindingKind::race &&
                           split.findings.front().kind == simulator::FindingKind::race;
  return lockstep.sum == harness::sum(values) && seed != 0 && is_reported &&
         stores_to_shared(device.program().module(), tail.first, tail.last) == 5;
}

/// Is it wrong even if the lanes run in step, because the stores are gone?
bool show_plain(const std::vector<float>& values) {
  harness::SimulatedDevice device(text::built_module("attempts/reduce_unroll_last_warp_not_volatile.ptx"));
  const Outcome lockstep = run(device, values, "lockstep");
  std::printf("without volatile: lockstep gives %.0f\n", lockstep.sum);
  const Tail tail(device.program().module());
  print_tail(device.program().module(), tail.first, tail.last);
  return lockstep.sum != harness::sum(values) &&
         stores_to_shared(device.program().module(), tail.first, tail.last) == 1;
}

}  // namespace

int main() {
  const auto values = harness::random_integers(2 * block, 1);
  std::printf("the sum is %.0f\n", harness::sum(values));
  const bool is_as_said = show_volatile(values) && show_plain(values);
  return is_as_said ? 0 : 1;
}
