#pragma once
/// \file The simulator's side of the comparison.

#include <cstdint>
#include <cstring>
#include <vector>

#include "../../gpu.hpp"
#include "writer.hpp"

namespace warpwise::simulator::tests {

struct Simulated {
  std::vector<std::uint32_t> words;  ///< the output
  std::uint64_t hash = 0;            ///< of the words, as run_on_gpu prints it
  LaunchReport report;
};

inline std::uint64_t device_copy(Gpu& gpu, const std::vector<std::uint32_t>& values, const char* name) {
  Allocation& allocation = gpu.memory().allocate(values.size() * 4, name, 4);
  std::memcpy(allocation.storage.get(), values.data(), values.size() * 4);
  allocation.mark_written(0, values.size() * 4);
  return allocation.base;
}

/// Runs `random_SEED` of `program`, which `gpu` has loaded. Throws LaunchError.
inline Simulated simulate(Gpu& gpu, const Program& program, std::uint64_t seed) {
  std::vector<std::uint32_t> result = output_before(seed);
  const std::uint64_t in = device_copy(gpu, input_of(seed), "in");
  const std::uint64_t out = device_copy(gpu, result, "out");
  const void* arguments[] = {&in, &out};
  const Shape shape = shape_of(seed);
  Simulated simulated;
  simulated.report = gpu.launch(program, {kernel_name(seed), {shape.grid}, {shape.block}, 0, arguments});
  std::memcpy(result.data(), gpu.memory().find(out)->storage.get(), result.size() * 4);
  simulated.hash = hash_of(result);
  gpu.memory().release(in);
  gpu.memory().release(out);
  simulated.words = std::move(result);
  return simulated;
}

}  // namespace warpwise::simulator::tests
