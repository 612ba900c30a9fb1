#pragma once
/// \file What several tests launch on, and a launch that none of them made.

#include "common/harness/device/simulated_device.hpp"

namespace warpwise::harness {

/// The simulated GPU with the kernels of kernels.cu.
inline SimulatedDevice& device() {
  static SimulatedDevice the_device(WARPWISE_BINARY_DIR "/device/tests/kernels.ptx");
  return the_device;
}

/// 4 blocks of 2 warps: 32 barriers and 16 shuffles, on three lines.
inline simulator::LaunchReport a_launch() {
  simulator::LaunchReport launch;
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  Counters ten, eleven, twelve;
  ten.block_barriers = 24;
  eleven.shared_atomic_requests = 3;
  eleven.shuffles = 16;
  twelve.block_barriers = 8;
  twelve.global_atomic_requests = 5;
  launch.lines = {{"a.cu", 10, ten}, {"a.cu", 11, eleven}, {"a.cu", 12, twelve}};
  for (const auto& line : launch.lines) launch.counters += line.counters;
  return launch;
}

inline Count count(const simulator::LaunchReport& launch, Counter counter) {
  return {std::make_shared<const simulator::LaunchReport>(launch), 33, counter};
}

}  // namespace warpwise::harness
