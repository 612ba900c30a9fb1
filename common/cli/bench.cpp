#include <iostream>

#include "build.hpp"
#include "chapters.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "gpu_presence.hpp"
#include "process.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

void build(const std::vector<std::string>& targets) {
  if (const BuildResult built = build_targets(targets); !built.is_built)
    throw Failure("the build failed:\n" + built.messages);
}

int run(const std::vector<std::string>& command) {
  std::cout.flush();
  return run_process(command, root_folder()).status == 0 ? all_well : failed;
}

/// Warp instructions a second of the ladder's kernels (common/simulator/tests/speed).
int bench_simulator(int repetitions) {
  if (!fs::exists(root_folder() / "common/simulator/tests/speed"))
    throw Failure(
        "a handout has not the programs that the simulator's speed is measured with; the course has.");
  build({"simulator_speed"});
  const fs::path folder = build_folder() / "common/simulator/tests/speed";
  return run(
      {(folder / "simulator_speed").string(), (folder / "ladder.ptx").string(), std::to_string(repetitions)});
}

/// The ladder's times on the GPU, then the last rung beside cub::DeviceReduce.
int bench_gpu() {
  const GpuPresence gpu = find_gpu();
  if (!gpu.is_there)
    throw Failure("there is no GPU here to measure (" + gpu.text +
                  "); `./warpwise bench --simulator` measures the simulated one.");
  build({"tour", "ch05_beside_cub"});
  TourOptions options;
  options.device = "gpu";
  const int ladder = tour(options);
  std::cout << "\nreduce_to_the_roof beside cub::DeviceReduce::Sum, on " << gpu.text << ":\n\n";
  const int beside = run({(build_folder() / "ch05_shuffle/bench/beside_cub").string()});
  return ladder == all_well && beside == all_well ? all_well : failed;
}

}  // namespace

int bench(const BenchOptions& options) {
  return options.measures_simulator ? bench_simulator(options.repetitions) : bench_gpu();
}

}  // namespace warpwise::cli
