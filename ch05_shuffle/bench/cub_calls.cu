// How to call CUB's reductions of a whole array: twice, the first time without scratch memory. Prints the sum
// of 1 to 1000. Runs on a GPU, and without one: ./warpwise exec ch05_shuffle/bench/cub_calls.cu

#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <numeric>
#include <vector>

int main() {
  constexpr int n = 1000;
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 1.0f);
  float *in = nullptr, *sum = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);

  // [both_calls]
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(scratch, bytes, in, sum, n);  // scratch is null: only says how many bytes it needs
  cudaMalloc(&scratch, bytes);
  cub::DeviceReduce::Sum(scratch, bytes, in, sum, n);  // the same arguments: now it sums
  // [/both_calls]

  float result = 0.0f;
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("the sum of 1 to %d is %.0f\n", n, result);
  for (void* memory : {static_cast<void*>(in), static_cast<void*>(sum), scratch}) cudaFree(memory);
  return cudaGetLastError() == cudaSuccess && result == 500500.0f ? 0 : 1;
}
