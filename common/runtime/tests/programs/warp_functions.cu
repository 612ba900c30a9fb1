/// \file Lanes that work together: votes, tiles, one atomic a warp, shuffles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <vector>

#include "../../../testing/program.cuh"

// finding: none
// Votes of a warp: any, all, ballot, and the masks that they give.
namespace votes {

__global__ void vote_any(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = __any_sync(0xffffffff, in[threadIdx.x]);
}
__global__ void vote_all(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = __all_sync(0xffffffff, in[threadIdx.x]);
}

/// One flag a warp and three warps: the middle one is where some lanes differ.
__global__ void ballots(const unsigned* in, unsigned* masks, unsigned* ranks) {
  unsigned mask = __ballot_sync(0xffffffff, in[threadIdx.x]);
  unsigned lane = threadIdx.x & 31;
  if (lane == 0) masks[threadIdx.x / 32] = mask;
  ranks[threadIdx.x] = __popc(mask & ((1u << lane) - 1));
}

__global__ void uniform(unsigned* out) {
  int same, all = __match_all_sync(0xffffffff, threadIdx.x / 32, &same);
  unsigned peers = __match_any_sync(0xffffffff, threadIdx.x % 3);
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[threadIdx.x] = peers ^ (same && all == -1 ? 0 : 1) ^ (lane == threadIdx.x % 32 ? 0 : 2);
}

__global__ void block_votes(const unsigned* in, int* out) {
  const int some = __syncthreads_or(in[threadIdx.x]), all = __syncthreads_and(in[threadIdx.x]);
  const int count = __syncthreads_count(in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = some != 0, out[1] = all != 0, out[2] = count;
}

int run() {
  const int n = 96;
  unsigned in[n], out[n], masks[3];
  int block[3];
  for (int i = 0; i < n; ++i) in[i] = i < 32 ? 0 : i < 64 ? i % 5 == 0 : 1;
  unsigned *d_in, *d_out, *d_masks;
  int* d_block;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMalloc(&d_masks, sizeof masks);
  cudaMalloc(&d_block, sizeof block);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  vote_any<<<1, n>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("any %u %u %u\n", out[5], out[37], out[95]);
  vote_all<<<1, n>>>(d_in, d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("all %u %u %u\n", out[5], out[37], out[95]);
  ballots<<<1, n>>>(d_in, d_masks, d_out);
  cudaMemcpy(masks, d_masks, sizeof masks, cudaMemcpyDeviceToHost);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("ballots %08x %08x %08x, ranks %u %u %u\n", masks[0], masks[1], masks[2], out[31], out[63], out[95]);
  uniform<<<1, n>>>(d_out);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("matches %08x %08x %08x %08x\n", out[0], out[1], out[32], out[95]);
  block_votes<<<1, n>>>(d_in, d_block);
  cudaMemcpy(block, d_block, sizeof block, cudaMemcpyDeviceToHost);
  printf("block: some %d, all %d, count %d\n", block[0], block[1], block[2]);
  cudaFree(d_in);
  cudaFree(d_out);
  cudaFree(d_masks);
  cudaFree(d_block);
  return 0;
}

const Program program("votes", run);

}  // namespace votes
// output:
//   any 0 1 1
//   all 0 0 1
//   ballots 00000000 10842108 ffffffff, ranks 0 6 31
//   matches 49249249 92492492 49249249 92492492
//   block: some 1, all 0, count 38

// finding: none
// Cooperative groups: sums by tiles of 4 to 32 threads, partitions, and a tile's own collectives.
namespace tiles {

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int* scratch, int value) {
  const int lane = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

template <class Tile>
__device__ int sum_by_shuffles(const Tile& tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
  return value;
}

__global__ void groups(const int* in, int* out) {
  __shared__ int scratch[64];
  cg::thread_block block = cg::this_thread_block();
  const int rank = block.thread_rank();
  int sum = sum_of(block, scratch, in[rank]);
  if (rank == 0) out[0] = sum;
  block.sync();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  sum = sum_by_shuffles(tile, in[rank]);
  if (tile.thread_rank() == 0) out[1 + tile.meta_group_rank()] = sum;
  cg::thread_group four = cg::tiled_partition(block, 4);
  sum = sum_of(four, scratch + 4 * (rank / 4), in[rank]);
  if (four.thread_rank() == 0) atomicAdd(&out[5], sum);

  auto warp = cg::tiled_partition<32>(block);
  sum = cg::reduce(warp, in[rank], cg::plus<int>());
  int most = cg::reduce(warp, in[rank], cg::greater<int>());
  int scanned = cg::inclusive_scan(warp, in[rank]);
  if (warp.thread_rank() == 31) {
    out[6 + 3 * warp.meta_group_rank()] = sum;
    out[7 + 3 * warp.meta_group_rank()] = most;
    out[8 + 3 * warp.meta_group_rank()] = scanned;
  }
  auto odd_and_even = cg::labeled_partition(warp, rank % 2);
  sum = cg::reduce(odd_and_even, in[rank], cg::plus<int>());
  if (rank < 2) out[12 + rank] = sum;
  auto halves = cg::binary_partition(warp, rank % 4 == 0);
  const int votes = warp.any(rank == 3) * 10 + (__popc(warp.ballot(rank < 7)) == 7);
  if (rank < 2) out[14 + rank] = (int)halves.size() * 100 + votes;
}

int run() {
  const int n = 64, results = 16;
  int host[n], out[results];
  for (int i = 0; i < n; ++i) host[i] = i * i % 23;
  int *in, *d_out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(d_out, 0, sizeof out);
  groups<<<1, n>>>(in, d_out);
  cudaError_t status = cudaDeviceSynchronize();
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < results; ++i) printf("%s%d", i > 0 ? " " : "", out[i]);
  printf("\n%s\n", cudaGetErrorString(status));
  cudaFree(in);
  cudaFree(d_out);
  return 0;
}

const Program program("tiles", run);

}  // namespace tiles
// output:
//   520 136 114 119 151 520 250 18 250 270 18 270 107 143 811 2411
//   no error

// finding: none
// Filtering with one atomic a warp instead of one a thread.
namespace warp_aggregated_atomics {

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

int run() {
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

const Program program("warp_aggregated_atomics", run);

}  // namespace warp_aggregated_atomics
// output:
//   7920 of 7920, sum 637560 of 637560, from 61 to 100
//   7920 of 7920, sum 637560 of 637560, from 61 to 100

// finding: none
// Prefix sums with shuffles: warps, then the sums of the warps, then the sums of the blocks.
namespace shuffle_scan {

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

int run() {
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

const Program program("shuffle_scan", run);

}  // namespace shuffle_scan
// output:
//   last 32765, wrong 0
//   no error
