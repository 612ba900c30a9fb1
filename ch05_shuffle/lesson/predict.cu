// What ./warpwise predict ch05 butterfly measures: how many lanes end up with the sum of the warp. Each of
// these lanes counts itself with an atomic.

#include <cstdio>

constexpr unsigned whole_warp = 0xffffffffu;
constexpr unsigned sum_of_all = 32 * 33 / 2;  // 1 + 2 + ... + 32

extern "C" __global__ void lanes_after_xor(unsigned* count) {
  unsigned sum = threadIdx.x + 1;
  for (unsigned distance = 1; distance < 32; distance *= 2) sum += __shfl_xor_sync(whole_warp, sum, distance);
  if (sum == sum_of_all) atomicAdd(count, 1u);
}

extern "C" __global__ void lanes_after_down(unsigned* count) {
  unsigned sum = threadIdx.x + 1;
  for (unsigned distance = 1; distance < 32; distance *= 2)
    sum += __shfl_down_sync(whole_warp, sum, distance);
  if (sum == sum_of_all) atomicAdd(count, 1u);
}

int main() {
  unsigned* count = nullptr;
  cudaMalloc(&count, sizeof(unsigned));
  cudaMemset(count, 0, sizeof(unsigned));
  lanes_after_xor<<<1, 32>>>(count);
  lanes_after_down<<<1, 32>>>(count);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  cudaFree(count);
  return error != cudaSuccess;
}
