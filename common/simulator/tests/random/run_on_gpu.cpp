/// \file run_on_gpu MODULE FIRST COUNT [FOLDER]: runs the random kernels of a module on the GPU and
/// prints a line `seed hash` for each. MODULE is PTX or what ptxas made of it. With
/// FOLDER, the words of each kernel's output become FOLDER/SEED.words: to see where two results differ.

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

#include "writer.hpp"

using namespace warpwise::simulator::tests;

namespace {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// Device memory with the words of `values`; for the few buffers of this program, freed at its end.
std::uint32_t* device_copy(const std::vector<std::uint32_t>& values) {
  void* data = nullptr;
  check(cudaMalloc(&data, values.size() * 4), "cudaMalloc");
  check(cudaMemcpy(data, values.data(), values.size() * 4, cudaMemcpyHostToDevice), "copy to the GPU");
  return static_cast<std::uint32_t*>(data);
}

std::vector<std::uint32_t> run(cudaLibrary_t library, std::uint64_t seed) {
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryGetKernel(&kernel, library, kernel_name(seed).c_str()), kernel_name(seed).c_str());
  std::vector<std::uint32_t> result = output_before(seed);
  std::uint32_t* in = device_copy(input_of(seed));
  std::uint32_t* out = device_copy(result);
  void* arguments[] = {&in, &out};
  const Shape shape = shape_of(seed);
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(shape.grid), dim3(shape.block),
                         arguments, 0, nullptr),
        kernel_name(seed).c_str());
  check(cudaDeviceSynchronize(), kernel_name(seed).c_str());
  check(cudaMemcpy(result.data(), out, result.size() * 4, cudaMemcpyDeviceToHost), "copy from the GPU");
  cudaFree(in);
  cudaFree(out);
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fprintf(stderr, "usage: run_on_gpu MODULE FIRST COUNT [FOLDER]\n");
    return 2;
  }
  const std::uint64_t first = std::strtoull(argv[2], nullptr, 10),
                      count = std::strtoull(argv[3], nullptr, 10);
  check(cudaDeviceSetLimit(cudaLimitStackSize, 16384), "stack size");  // some kernels recurse
  cudaLibrary_t library = nullptr;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0), argv[1]);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::vector<std::uint32_t> words = run(library, seed);
    std::printf("%llu %016llx\n", static_cast<unsigned long long>(seed),
                static_cast<unsigned long long>(hash_of(words)));
    if (argc == 5) save_words(words, argv[4], seed);
  }
  return 0;
}
