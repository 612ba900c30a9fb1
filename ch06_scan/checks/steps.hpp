#pragma once
/// \file What the scans of warps are asked about their steps: which lanes add what, by which instructions.

#include <algorithm>
#include <bit>
#include <string>

#include "common/harness/check/joins.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/harness/check/technique.hpp"
#include "common/simulator/program.hpp"
#include "common/simulator/ptx.hpp"

namespace warpwise::ch06 {

/// The scan of Kogge and Stone, in any order of distances. Others use trees, or add several at once.
inline harness::Requirement<harness::Buffer<int>> AddsAtEachDistance() {
  return {"adds at each distance", [](const harness::Buffer<int>& out) {
            const auto* const terms = out.memory().terms_of_latest_launch(true);
            if (terms == nullptr) return;
            const auto joins = harness::joins_with_own_element(*terms, out.address(),
                                                               std::min<std::size_t>(out.size(), 128));
            for (unsigned i = 0; joins && i < joins->size(); ++i) {
              if ((*joins)[i].by_others != 0)
                harness::fail("lane " + std::to_string(i % 32) +
                              " does not make all additions to its own sum: another lane makes " +
                              std::to_string((*joins)[i].by_others) + " of them");
              harness::require(
                  harness::Measured((*joins)[i].joins),
                  harness::Exactly(std::bit_width((*joins)[i].elements - 1),
                                   "additions to what lane " + std::to_string(i % 32) + " has",
                                   "one at each of the distances 1, 2, 4 ... at which there is a lane"));
            }
          }};
}

inline bool reads(const simulator::ptx::Instruction& text, simulator::ptx::RegisterId reg) {
  const auto names = [&](const simulator::ptx::Operand& operand) {
    return (operand.kind == simulator::ptx::Operand::Kind::reg ||
            operand.kind == simulator::ptx::Operand::Kind::address) &&
           operand.reg == reg;
  };
  return std::any_of(text.operands.begin() + (text.has_destination() ? 1 : 0), text.operands.end(), names);
}
/// What a shuffle gives is first used by an instruction that is guarded by the predicate that it gives.
inline harness::Requirement<harness::LaunchAndWork> GuardsWhatItAdds() {
  return {"guards what it adds", [](const harness::LaunchAndWork& run) {
            const simulator::Program& program = *run.work.program;
            const auto reach = program.find_kernel(run.launch.kernel())->reach;
            for (auto pc = reach.begin; pc < reach.end; ++pc) {
              const simulator::ptx::Instruction& shuffle = program.text_of(pc);
              if (shuffle.what() != simulator::ptx::InstructionClass::shuffle) continue;
              const simulator::ptx::Operand& given = shuffle.operands.front();
              auto use = pc + 1;
              const auto is_use = [&](const simulator::ptx::Instruction& text) {
                return text.row->result != simulator::ptx::Result::copied &&
                       reads(text, given.elements[0].reg);
              };
              while (given.is_pair && use < reach.end && !is_use(program.text_of(use))) ++use;
              if (given.is_pair && use < reach.end) {
                const auto& guard = program.text_of(use).guard;
                if (guard && !guard->is_negated && guard->reg == given.elements[1].reg) continue;
              }
              harness::fail(
                  "line " + std::to_string(simulator::place_of(program, pc).line) +
                  ": the shuffle's predicate does not guard the addition (a step is these two instructions)");
            }
          }};
}

}  // namespace warpwise::ch06
