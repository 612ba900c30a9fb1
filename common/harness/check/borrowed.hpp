#pragma once
/// \file Code that a kernel has from where it should not come: from a library that does what the exercise is
/// about, or from the solution.

#include <string>

#include "../device/simulated_device.hpp"
#include "chapter.hpp"
#include "verdict.hpp"

namespace warpwise::harness {

/// What is borrowed by `kernel`, or by a function that it calls, as a sentence that names the student's line:
/// code of CUB or Thrust, or of a file solution.cu that is not the module's own. Empty where nothing is.
/// Cooperative groups count as CUDA's own.
std::string borrowed_by(const simulator::machine::Program& program, const std::string& kernel);

/// Records it as a failed check of the technique, for each exercise of `chapter` that `record` has judged.
void judge_borrowed(const Chapter& chapter, const SimulatedDevice& device, Record& record);

}  // namespace warpwise::harness
