#pragma once
/// \file Several kernels judged at once. Catch2 takes no assertions from several threads, so each has a
/// process of its own, forked before CUDA's runtime starts.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warpwise::harness {

/// What number `index` comes to. It is called in another process: what it changes is lost, and so is what it
/// writes to members of others. It may throw.
using Job = std::function<std::string(std::size_t index)>;

/// Calls `job(0)` to `job(count - 1)`, at most `processes` of them at the same time, each in a process of its
/// own, and returns their results in the order of the numbers. Throws std::runtime_error, the sentence of the
/// first that threw or was ended by a signal. No other thread may run, and no other child be waited for.
std::vector<std::string> side_by_side(std::size_t count, unsigned processes, const Job& job);

}  // namespace warpwise::harness
