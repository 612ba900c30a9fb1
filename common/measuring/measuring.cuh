#pragma once
/// \file What the programs share that time kernels on a GPU by themselves, beside CUB. They need nothing of
/// the harness: each is one file for nvcc, with the root of the repository as include path.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace warpwise::measuring {

/// Ends the program with exit status 2 where a call of the CUDA runtime has failed.
inline void require(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}

/// Device memory for `size` values; it lives as long as the program, unless cudaFree ends that.
template <class T>
T* allocate(size_t size) {
  T* memory = nullptr;
  require(cudaMalloc(&memory, size * sizeof(T)), "cudaMalloc");
  return memory;
}

template <class T>
std::vector<T> download(const T* from, size_t size) {
  std::vector<T> values(size);
  require(cudaMemcpy(values.data(), from, size * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return values;
}

template <class T>
T value_at(const T* from) {
  return download(from, 1)[0];
}

/// Of the current GPU.
inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}
inline unsigned multiprocessors() { return static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount)); }

/// 32 bits that look random and depend on `x` alone.
__device__ inline unsigned mixed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Time on the GPU, by events in the default stream.
class Stopwatch {
 public:
  Stopwatch() {
    require(cudaEventCreate(&begin_), "cudaEventCreate");
    require(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  /// Milliseconds of all that `call` launches.
  template <class Call>
  float time(const Call& call) {
    require(cudaEventRecord(begin_), "cudaEventRecord");
    call();
    require(cudaEventRecord(end_), "cudaEventRecord");
    require(cudaEventSynchronize(end_), "what is timed");
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Of an even number of values, the upper of the two in the middle.
inline double median(std::vector<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Median of `repetitions` times of `call` in milliseconds, after `warm_ups` that are not counted.
template <class Call>
double median_time(const Call& call, unsigned repetitions, unsigned warm_ups = 2) {
  for (unsigned i = 0; i < warm_ups; ++i) call();
  Stopwatch stopwatch;
  std::vector<float> times(repetitions);
  for (float& time : times) time = stopwatch.time(call);
  return median(std::move(times));
}

}  // namespace warpwise::measuring
