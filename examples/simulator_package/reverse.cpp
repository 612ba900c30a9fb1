/// \file The simulated GPU in a program of one's own: it launches the kernel of reverse.ptx, and prints what
/// the launch cost and what is wrong with it.

#include <cstdio>
#include <exception>
#include <numeric>
#include <warpwise/simulator/gpu.hpp>

using namespace warpwise::simulator;

namespace {

constexpr std::uint32_t n = 64;

Allocation& allocate(Gpu& gpu, const char* name) {
  return gpu.memory().allocate(n * sizeof(float), name, sizeof(float));
}

/// Device memory is host memory: addresses are pointers.
float* values_of(const Allocation& place) { return reinterpret_cast<float*>(place.base); }

}  // namespace

int main(int argc, char** argv) {
  try {
    Gpu gpu;
    const auto program = gpu.load_file(argc > 1 ? argv[1] : "reverse.ptx");
    Allocation &in = allocate(gpu, "in"), &out = allocate(gpu, "out");
    std::iota(values_of(in), values_of(in) + n, 0.0f);
    in.mark_written(0, in.bytes);

    const void* const arguments[] = {&in.base, &out.base};
    const LaunchReport report = gpu.launch(*program, {"reverse", {1}, {n}, 0, arguments});

    std::printf("%llu sectors of global memory loaded\n",
                static_cast<unsigned long long>(report.counters.global_load_sectors));
    for (const Finding& finding : report.findings) std::puts(format(finding).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
