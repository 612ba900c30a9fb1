// A cooperative launch: all blocks meet twice, then one adds what all have left.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

namespace cg = cooperative_groups;

#define checkCudaErrors(call)                                                                             \
  if (cudaError_t e = (call); e != cudaSuccess) {                                                         \
    fprintf(stderr, "CUDA error at %d: %s (%s)\n", __LINE__, cudaGetErrorName(e), cudaGetErrorString(e)); \
    exit(EXIT_FAILURE);                                                                                   \
  }

__global__ void reduce_whole(const float* in, double* partial, double* result, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  extern __shared__ double sums[];
  double sum = 0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sums[block.thread_rank()] = sum;
  cg::sync(block);
  for (int stride = block.size() / 2; stride > 0; stride /= 2) {
    if (block.thread_rank() < stride) sums[block.thread_rank()] += sums[block.thread_rank() + stride];
    cg::sync(block);
  }
  if (block.thread_rank() == 0) partial[blockIdx.x] = sums[0];
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    double total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
    *result = total;
  }
  grid.sync();
  if (block.thread_rank() == 0) partial[blockIdx.x] /= *result;
}

int main() {
  int device = 0, cooperative = 0;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device));
  printf("cooperative launch: %d\n", cooperative);
  const int threads = 128;
  int blocks_a_multiprocessor = 0, n = 40000, blocks = 16;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_a_multiprocessor, reduce_whole,
                                                                threads, threads * sizeof(double)));
  printf("fits: %d\n", blocks_a_multiprocessor >= 1);
  float* in;
  double *partial, *result;
  checkCudaErrors(cudaMallocManaged(&in, n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&partial, blocks * sizeof(double)));
  checkCudaErrors(cudaMallocManaged(&result, sizeof(double)));
  for (int i = 0; i < n; ++i) in[i] = (float)(i % 100) / 4;
  void* arguments[] = {&in, &partial, &result, &n};
  checkCudaErrors(cudaLaunchCooperativeKernel((void*)reduce_whole, dim3(blocks), dim3(threads), arguments,
                                              threads * sizeof(double), 0));
  checkCudaErrors(cudaDeviceSynchronize());
  double share = 0;
  for (int b = 0; b < blocks; ++b) share += partial[b];
  printf("sum %.2f, shares %.3f\n", *result, share);
  cudaFree(in);
  cudaFree(partial);
  cudaFree(result);
  return 0;
}

// output:
//   cooperative launch: 1
//   fits: 1
//   sum 495000.00, shares 1.000
