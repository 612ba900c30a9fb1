#pragma once
/// \file How the programs of this folder time what they show.

#include "common/measuring/measuring.cuh"

namespace timing {

using warpwise::measuring::require;

/// Keeps the stream busy, so that all that is timed has been queued before the GPU gets to it.
static __global__ void hold(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// Median time of `call` on the GPU in milliseconds, after three calls that are not counted; 0 for no runs:
/// the times of a simulated GPU mean nothing.
template <class Call>
double milliseconds(unsigned runs, const Call& call) {
  if (runs == 0) return 0;
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "cudaEventCreate");
  require(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (unsigned run = 0; run < runs + 3; ++run) {
    hold<<<1, 1>>>(50'000);
    require(cudaEventRecord(begin), "cudaEventRecord");
    call();
    require(cudaEventRecord(end), "cudaEventRecord");
    require(cudaEventSynchronize(end), "what is timed");
    float time = 0;
    require(cudaEventElapsedTime(&time, begin, end), "cudaEventElapsedTime");
    if (run >= 3) times.push_back(time);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  return warpwise::measuring::median(times);
}

/// "2^28", or the number itself.
inline const char* name_of(size_t n) {
  static char name[32];
  unsigned log2 = 0;
  while (n >> log2 > 1) ++log2;
  if (size_t{1} << log2 == n)
    std::snprintf(name, sizeof name, "2^%u", log2);
  else
    std::snprintf(name, sizeof name, "%zu", n);
  return name;
}

inline void print_gpu() {
  cudaDeviceProp gpu;
  require(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  std::printf("%s, %d multiprocessors\n", gpu.name, gpu.multiProcessorCount);
}

}  // namespace timing
