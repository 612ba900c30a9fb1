// Filtering with one atomic a warp instead of one a thread.
#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

__device__ int increment_by_group(int* counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int before = 0;
  if (active.thread_rank() == 0) before = atomicAdd(counter, (int)active.size());
  return active.thread_rank() + active.shfl(before, 0);
}

__device__ int increment_by_hand(int* counter) {
  unsigned mask = __activemask();
  int leader = __ffs(mask) - 1;
  int lane = threadIdx.x % 32, before = 0;
  if (lane == leader) before = atomicAdd(counter, __popc(mask));
  before = __shfl_sync(mask, before, leader);
  return before + __popc(mask & ((1u << lane) - 1));
}

template <bool by_hand>
__global__ void filter(int* out, int* count, const int* in, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (in[i] > 60) out[by_hand ? increment_by_hand(count) : increment_by_group(count)] = in[i];
}

int compare(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main() {
  const int n = 20000;
  int* host = (int*)malloc(n * sizeof(int));
  int expected = 0;
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    host[i] = (i * 37 + 11) % 101;
    if (host[i] > 60) ++expected, sum += host[i];
  }
  int *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host, n * sizeof(int), cudaMemcpyHostToDevice);
  for (int version = 0; version < 2; ++version) {
    cudaMemset(count, 0, sizeof(int));
    if (version == 0)
      filter<false><<<(n + 511) / 512, 512>>>(out, count, in, n);
    else
      filter<true><<<(n + 511) / 512, 512>>>(out, count, in, n);
    int found = 0;
    cudaMemcpy(&found, count, sizeof(int), cudaMemcpyDeviceToHost);
    int* result = (int*)malloc(found * sizeof(int));
    cudaMemcpy(result, out, found * sizeof(int), cudaMemcpyDeviceToHost);
    qsort(result, found, sizeof(int), compare);
    long total = 0;
    for (int i = 0; i < found; ++i) total += result[i];
    printf("%d of %d, sum %ld of %ld, from %d to %d\n", found, expected, total, sum, result[0],
           result[found - 1]);
    free(result);
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  free(host);
  return 0;
}

// output:
//   7920 of 7920, sum 637560 of 637560, from 61 to 100
//   7920 of 7920, sum 637560 of 637560, from 61 to 100
