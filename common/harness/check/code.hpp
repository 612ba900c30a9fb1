#pragma once
/// \file What the code of a kernel says, without a launch.

#include <cstdint>
#include <string>
#include <string_view>

#include "../../simulator/program.hpp"

namespace warpwise::harness {

/// Whether `kernel` stores nothing at all, so that it has no result yet, skeleton (skeleton.hpp) or not.
bool writes_nothing(const simulator::Program& program, const std::string& kernel);

/// Bytes of the static shared variables that the code of `kernel` names. (The compiler places the arrays of
/// device functions outside of the kernels, so that the module alone does not tell whose they are.)
std::uint64_t shared_bytes_of(const simulator::Program& program, const std::string& kernel);

/// Branches of `kernel`, and of the functions that it calls, that lead to their own place or back: its loops,
/// as the compiler has left them.
unsigned backward_branches(const simulator::Program& program, const std::string& kernel);
/// Fails the check where there are any, and names their lines.
void expect_no_backward_branches(const simulator::Program& program, const std::string& kernel,
                                 std::string_view why);

/// What `kernel`, or a function that it calls, has from where it should not come, as a sentence that names
/// the student's line: code of CUB or Thrust, which do what the exercise is about, or of a file solution.cu
/// that is not the module's own. Empty where nothing is borrowed. Cooperative groups count as CUDA's own.
std::string borrowed_by(const simulator::Program& program, const std::string& kernel);

}  // namespace warpwise::harness
