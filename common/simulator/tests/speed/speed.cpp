/// \file simulator_speed LADDER.ptx [REPETITIONS]: warp instructions a second of each kernel of the ladder,
/// without observers, with counters and with everything, on one host thread and on all; and of all kernels
/// together, all their instructions in the time of all.
///
/// Each figure is the best of REPETITIONS (10) launches: the machine may be busy with other work, and
/// whatever else runs only ever adds time.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "../../gpu.hpp"

using namespace warpwise::simulator;

namespace {

constexpr std::uint32_t elements = 1 << 20, block = 256;

struct Kernel {
  const char* name;
  std::uint32_t grid;
};
constexpr Kernel ladder[] = {{"naive", elements / block},
                             {"contiguous", elements / block},
                             {"sequential", elements / block},
                             {"first_add", elements / block / 2},
                             {"unrolled", elements / block / 2},
                             {"shuffle", 64},
                             {"roof", 64}};

std::uint64_t device_floats(Gpu& gpu, const char* name, std::uint32_t count) {
  Allocation& place = gpu.memory().allocate(std::uint64_t{count} * 4, name, 4);
  auto* values = reinterpret_cast<float*>(place.storage.get());
  for (std::uint32_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 7);
  place.mark_written(0, place.bytes);
  return place.base;
}

struct Speed {
  double instructions = 0, seconds = 0;
  double in_millions() const { return instructions / seconds / 1e6; }
};

/// The fastest of `repetitions` launches.
Speed measure(const std::string& module, const Kernel& kernel, Watch watch, std::uint32_t threads,
              int repetitions) {
  GpuOptions options;
  options.watch = watch;
  options.launch.threads = threads;
  Gpu gpu(options);
  const auto program = gpu.load_file(module);
  const std::uint64_t in = device_floats(gpu, "in", elements), out = device_floats(gpu, "out", elements);
  const std::uint32_t n = elements;
  const void* arguments[] = {&in, &out, &n};
  const LaunchRequest request = {kernel.name, {kernel.grid}, {block}, 0, arguments};
  Speed best;
  for (int i = 0; i < repetitions; ++i) {
    const LaunchReport report = gpu.launch(*program, request);
    if (!report.completed || !report.findings.empty())
      throw std::runtime_error(std::string(kernel.name) + " did not run as it should");
    if (i == 0 || report.seconds < best.seconds)
      best = {static_cast<double>(gpu.last_instructions()), report.seconds};
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: simulator_speed LADDER.ptx [REPETITIONS]\n");
    return 2;
  }
  const int repetitions = argc > 2 ? std::max(1, std::atoi(argv[2])) : 10;
  const std::uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  try {
    std::printf("million warp instructions a second, best of %d\n", repetitions);
    std::printf("%-12s %10s %10s %10s   with %3u threads: %10s %10s %10s\n", "kernel", "nothing", "counters",
                "everything", cores, "nothing", "counters", "everything");
    const auto show = [](const char* name, const std::array<Speed, 6>& row) {
      std::printf("%-12s %10.1f %10.1f %10.1f   %17s %10.1f %10.1f %10.1f\n", name, row[0].in_millions(),
                  row[1].in_millions(), row[2].in_millions(), "", row[3].in_millions(), row[4].in_millions(),
                  row[5].in_millions());
      std::fflush(stdout);
    };
    std::array<Speed, 6> all;
    for (const Kernel& kernel : ladder) {
      std::array<Speed, 6> row;
      for (std::size_t i = 0; i < row.size(); ++i) {
        constexpr Watch watches[] = {Watch::nothing, Watch::counters, Watch::everything};
        row[i] = measure(argv[1], kernel, watches[i % 3], i < 3 ? 1 : cores, repetitions);
        all[i].instructions += row[i].instructions;
        all[i].seconds += row[i].seconds;
      }
      show(kernel.name, row);
    }
    show("all", all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
