// Cooperative groups: sums by tiles of 4 to 32 threads, partitions, and a tile's own collectives.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

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

int main() {
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

// output:
//   520 136 114 119 151 520 250 18 250 270 18 270 107 143 811 2411
//   no error
