/// \file Loads and launches modules that are typed at random (typed_module_writer.hpp), with everything
/// watched.
///
///     typed_modules FIRST COUNT    modules FIRST to FIRST + COUNT - 1
///     typed_modules --print SEED   the text of one
///
/// A module may be refused, and a launch may end in findings. Exit status 1: one threw something else, or so
/// few were accepted or refused that nothing was tried. What ends this program by a signal or a sanitizer's
/// report is a defect: the last line names the module.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>

#include "typed_module_writer.hpp"

namespace {

volatile std::sig_atomic_t current = 0;  ///< seeds are small

extern "C" void say_which(int signal) {
  std::cerr << "\nmodule " << current << " ended this by signal " << signal << std::endl;
  std::_Exit(1);
}

struct Tally {
  unsigned refused = 0, ended = 0, found = 0;
};

/// Runs the module, or counts it as refused.
void try_module(std::uint64_t seed, Tally& tally) {
  GpuOptions options;
  options.launch.threads = 1;
  options.launch.budget = 20'000;
  options.launch.print = [](std::string_view) {};
  Gpu gpu(options);
  try {
    const auto program = gpu.load(Writer(seed).module(), "typed.ptx");
    const std::uint64_t out = gpu.memory().allocate(4096, "out", 4).base;
    const std::uint64_t by_value[2] = {out, 0x0123456789abcdef};
    const void* arguments[] = {&out, by_value};
    LaunchRequest request;
    request.kernel = "k";
    request.grid.x = 2;
    request.block.x = 64;
    request.dynamic_shared_bytes = 128;
    request.arguments = arguments;
    const LaunchReport report = gpu.launch(*program, request);
    ++(report.findings.empty() ? tally.ended : tally.found);
  } catch (const ptx::Error&) {
    ++tally.refused;
  } catch (const LaunchError&) {
    ++tally.refused;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: typed_modules FIRST COUNT | --print SEED\n";
    return 2;
  }
  if (std::strcmp(argv[1], "--print") == 0) {
    std::cout << Writer(std::stoull(argv[2])).module();
    return 0;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, say_which);
  const std::uint64_t first = std::stoull(argv[1]), count = std::stoull(argv[2]);
  Tally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    current = static_cast<std::sig_atomic_t>(seed);
    try {
      try_module(seed, tally);
    } catch (const std::exception& error) {
      std::cerr << "module " << seed << " threw: " << error.what() << '\n';
      return 1;
    }
  }
  std::cout << count << " modules: " << tally.refused << " refused, " << tally.ended
            << " ended without a finding, " << tally.found << " with\n";
  const bool is_mixed = tally.refused >= count / 10 && tally.ended + tally.found >= count / 10;
  if (!is_mixed) std::cerr << "nearly all of them are refused, or nearly none\n";
  return is_mixed ? 0 : 1;
}
