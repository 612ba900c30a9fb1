// Prefix sums with shuffles: warps, then the sums of the warps, then the sums of the blocks.
#include <cuda_runtime.h>

#include <iostream>
#include <numeric>
#include <vector>

__device__ int scan_warp(int value, int lane) {
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, i, 32);
    if (lane >= i) value += other;
  }
  return value;
}

__global__ void shfl_scan(int* data, int* block_sums) {
  __shared__ int sums[32];
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int value = scan_warp(data[id], lane);
  if (lane == warpSize - 1) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int warp_sum = lane < blockDim.x / warpSize ? sums[lane] : 0;
    sums[lane] = scan_warp(warp_sum, lane);
  }
  __syncthreads();
  if (warp > 0) value += sums[warp - 1];
  data[id] = value;
  if (block_sums != nullptr && threadIdx.x == blockDim.x - 1) block_sums[blockIdx.x] = value;
}

__global__ void uniform_add(int* data, const int* block_sums) {
  __shared__ int before;
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) before = block_sums[blockIdx.x - 1];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] += before;
}

int main() {
  const int n = 64 * 512;
  std::vector<int> values(n), expected(n);
  for (int i = 0; i < n; ++i) values[i] = i % 7 - 2;
  std::partial_sum(values.begin(), values.end(), expected.begin());
  int *data, *sums;
  cudaMalloc((void**)&data, n * sizeof(int));
  cudaMalloc((void**)&sums, 64 * sizeof(int));
  cudaMemcpy(data, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  shfl_scan<<<64, 512>>>(data, sums);
  shfl_scan<<<1, 64>>>(sums, nullptr);
  uniform_add<<<64, 512>>>(data, sums);
  std::vector<int> result(n);
  cudaMemcpy(result.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != expected[i];
  std::cout << "last " << result[n - 1] << ", wrong " << wrong << std::endl;
  std::cout << cudaGetErrorString(cudaGetLastError()) << std::endl;
  cudaFree(data);
  cudaFree(sums);
  return wrong != 0;
}

// output:
//   last 32765, wrong 0
//   no error
