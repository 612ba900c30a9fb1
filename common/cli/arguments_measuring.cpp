// What the commands that measure can be told.

#include "arguments.hpp"

#include <CLI/CLI.hpp>

namespace warpwise::cli {

void add_arguments(CLI::App& command, BenchOptions& options) {
  command.add_option("chapter", options.chapter, "ch05, ch05_shuffle or 5 (default: all)");
  command.add_option("kernel,--kernel", options.kernel, "default: all that have a counterpart in CUB");
  command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  command.add_option("--sizes", options.sizes, "n = 2^A ... 2^B, as A:B, and three more than each")
      ->capture_default_str();
  command.add_option("--json", options.json, "write the figures to this file");
  command.add_option("--svg", options.svg, "draw time, bandwidth and ratio into this file");
  command.add_option("--compare", options.compare, "hold them against an earlier --json, or against h200");
  command.add_flag("--simulator", options.measures_simulator,
                   "the simulated GPU: warp instructions a second");
  command.add_option("--repetitions", options.repetitions, "of the simulator's launches; the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

void add_arguments(CLI::App& command, ProfileOptions& options) {
  command.add_option("chapter", options.chapter, "ch03, ch03_bank_conflicts or 3 (default: all)");
  command.add_option("kernel,--kernel", options.kernel, "default: all of the chapter");
  command.add_flag("--solution", options.uses_solution, "the reference solution, not the exercise");
  command.add_option("--n", options.n, "elements")
      ->check(CLI::Range(1ULL, 1ULL << 26))
      ->capture_default_str();
  command.add_option("--keep", options.keep, "keep Nsight Compute's report in this file, .ncu-rep");
  command.add_option("--save", options.save, "write the counters to this file, a line each");
  command.add_option("--compare", options.compare, "hold them against an earlier --save, or against h200");
}

}  // namespace warpwise::cli
