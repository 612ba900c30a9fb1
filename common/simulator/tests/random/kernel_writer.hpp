#pragma once
/// \file Writes one random kernel as CUDA C++.
///
/// Free of races and the same in every run, by construction:
/// - shared memory is exchanged between two block barriers, in code that the whole block runs;
/// - what several threads change is changed by commutative atomics and read after the last barrier;
/// - a `*.sync` instruction names exactly the lanes that reach it: a vote before each branch and at the end
///   of each turn of a loop tells which, and no lane reads from a lane that is not named;
/// - no expression has undefined behaviour, and no function is approximate.

#include <cstdint>
#include <string>

#include "shape.hpp"

namespace warpwise::simulator::tests {

/// Source text of the device functions and of the kernel `random_SEED`.
std::string write_kernel(std::uint64_t seed);

}  // namespace warpwise::simulator::tests
