/// \file For libFuzzer: a text that the reader takes is decoded, and its first kernel runs for a while;
/// whatever it does must end in a LaunchOutcome, or the text in an Error.
///   cmake --preset fuzz && cmake --build --preset fuzz && ctest --preset fuzz

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/simulator/ptx/parser.hpp"
#include "common/simulator/run/worker.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpwise::simulator;
  try {
    GlobalMemory memory;
    const Program program(ptx::read_module({reinterpret_cast<const char*>(data), size}, "fuzz.ptx"), memory);
    const auto kernels = program.kernel_names();
    if (kernels.empty()) return 0;
    // Every parameter is a pointer, or filled with pointers.
    const std::vector<std::uint64_t> value(ptx::limits::parameter_bytes / sizeof(std::uint64_t),
                                           memory.allocate(4096, "buffer", 4).base);
    const std::vector<const void*> arguments(program.find_kernel(kernels.front())->function->formals,
                                             value.data());
    LaunchOptions options;
    options.threads = 1;
    options.budget = 20'000;
    options.print = [](std::string_view) {};
    run::launch(program, memory, {kernels.front(), {2, 1, 1}, {48, 1, 1}, 0, arguments}, options);
  } catch (const ptx::Error&) {
  } catch (const LaunchError&) {
  }
  return 0;
}
