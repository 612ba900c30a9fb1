/// \file run_on_simulator MODULE.ptx FIRST COUNT [SCHEDULE [FOLDER]]: the twin of run_on_gpu; prints the same
/// lines.
/// What is found in a kernel goes to stderr: there should be nothing.

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "simulate.hpp"

using namespace warpwise::simulator;

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: run_on_simulator MODULE.ptx FIRST COUNT [SCHEDULE [FOLDER]]\n");
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10),
                      count = std::strtoull(argv[3], nullptr, 10);
  try {
    GpuOptions options;
    options.launch.budget = 50'000'000;
    if (argc > 4) options.launch.schedule = Schedule::parse(argv[4]);
    Gpu gpu(options);
    const auto program = gpu.load_file(argv[1]);
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
      const tests::Simulated simulated = tests::simulate(gpu, *program, seed);
      std::printf("%llu %016llx\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(simulated.hash));
      if (argc > 5) tests::save_words(simulated.words, argv[5], seed);
      for (const Finding& finding : simulated.report.findings) {
        std::fprintf(stderr, "%s: %s\n", tests::kernel_name(seed).c_str(), format(finding).c_str());
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
