// Votes of a warp: any, all, ballot, and the masks that they give.
#include <cstdio>

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

int main() {
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

// output:
//   any 0 1 1
//   all 0 0 1
//   ballots 00000000 10842108 ffffffff, ranks 0 6 31
//   matches 49249249 92492492 49249249 92492492
//   block: some 1, all 0, count 38
