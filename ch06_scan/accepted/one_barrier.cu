// accepted: sums stay in shared memory, all five steps are in one asm, every warp scans the totals for itself
// or adds up those of the warps before it, two sets of totals in turn, and one lane looks back

#include "../kernels.hpp"
#include "../lookback.hpp"
#include "../tiles.hpp"
#include "one_launch_parts.cuh"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0;
  __syncwarp();
  for (unsigned distance = 1; distance <= 16; distance <<= 1) {
    int below = 0;
    if (lane >= distance) below = partial[threadIdx.x - distance];
    __syncwarp();
    partial[threadIdx.x] += below;
    __syncwarp();
  }
  if (i < n) out[i] = partial[threadIdx.x];
}

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  int* slots = partial + 49 * (threadIdx.x >> 5);
  slots[lane] = 0;  // all lanes, so also the first 16 of the lanes' own slots
  __syncwarp();
  slots[16 + lane] = i < n ? in[i] : 0;
  __syncwarp();
  for (unsigned distance = 1; distance <= 16; distance <<= 1) {
    const int sum = slots[16 + lane] + slots[16 + lane - distance];
    __syncwarp();
    slots[16 + lane] = sum;
    __syncwarp();
  }
  if (i < n) out[i] = slots[16 + lane];
}

extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = 0;
  if (i < n) value = in[i];
  asm volatile(
      "{ .reg .u32 t; .reg .pred p;\n\t"
      "shfl.sync.up.b32 t|p, %0, 1, 0, -1; @p add.u32 %0, t, %0;\n\t"
      "shfl.sync.up.b32 t|p, %0, 2, 0, -1; @p add.u32 %0, t, %0;\n\t"
      "shfl.sync.up.b32 t|p, %0, 4, 0, -1; @p add.u32 %0, t, %0;\n\t"
      "shfl.sync.up.b32 t|p, %0, 8, 0, -1; @p add.u32 %0, t, %0;\n\t"
      "shfl.sync.up.b32 t|p, %0, 16, 0, -1; @p add.u32 %0, t, %0; }"
      : "+r"(value));
  if (i < n) out[i] = value;
}

template <class T>
__device__ T scan(T value) {
  const unsigned lane = threadIdx.x & 31;
  for (unsigned distance = 1; distance <= 16; distance <<= 1) {
    const T below = __shfl_up_sync(0xffffffffu, value, distance);
    value += lane >= distance ? below : T{0};
  }
  return value;
}

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = 0;
  if (i < n) value = in[i];
  value = scan(value);
  if (i < n) out[i] = value;
}

/// Every warp scans the totals, with one barrier. `total`: of the block. Returns the sum of the warps before.
template <class T>
__device__ T warps_before(T scanned, T* warp_totals, T& total) {
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  if (lane == 31) warp_totals[warp] = scanned;
  __syncthreads();
  const T totals = scan(lane < warps ? warp_totals[lane] : T{0});
  const T before = __shfl_sync(0xffffffffu, totals, warp == 0 ? 0 : warp - 1);
  total = __shfl_sync(0xffffffffu, totals, 31);
  return warp == 0 ? T{0} : before;
}

template <class T>
__device__ void scan_block_inclusive(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T warp_totals[32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T scanned = scan(i < n ? in[i] : T{0});
  T total;
  const T before = warps_before(scanned, warp_totals, total);
  if (i < n) out[i] = before + scanned;
  if (sums && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = total;
}

/// Here each thread adds up the totals of the warps before.
template <class T>
__device__ void scan_block_exclusive(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T warp_totals[32];
  const unsigned lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  const T scanned = scan(i < n ? in[i] : T{0});
  const T below = __shfl_up_sync(0xffffffffu, scanned, 1);
  if (lane == 31) warp_totals[threadIdx.x >> 5] = scanned;
  __syncthreads();
  T before{0};
  for (unsigned warp = 0; warp < threadIdx.x >> 5; ++warp) before += warp_totals[warp];
  if (i < n) out[i] = lane > 0 ? before + below : before;
  if (sums && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = before + scanned;
}

#include "scan_block_kernels.cuh"

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  __shared__ int warp_totals[2][32];  // in turn: a round overwrites what the round before the last has read
  int ahead = 0;
  for (unsigned round = 0; round * blockDim.x < count; ++round) {
    const unsigned i = round * blockDim.x + threadIdx.x;
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan(value);
    int total;
    const int before = warps_before(scanned, warp_totals[round % 2], total);
    if (i < count) sums[i] = ahead + before + scanned - value;
    ahead += total;
  }
}

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  const int ahead = sums[blockIdx.x];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = ahead + out[i];
}

extern "C" __global__ void scan_device(const int* in, int* out, unsigned n, unsigned long long* states,
                                       unsigned long long* drawn) {
  __shared__ int warp_totals[32];
  __shared__ int shared_ahead;
  const auto [launch, tile] = draw_tile(drawn);
  int4 rows[tile_rows];
  load_tile(in, n, tile, rows);
  int sum_of_rows = 0;
  for (unsigned r = 0; r < tile_rows; ++r) {
    rows[r].y += rows[r].x;
    rows[r].z += rows[r].y;
    rows[r].w += rows[r].z;
    const int scanned = scan(rows[r].w);
    const int before = sum_of_rows + scanned - rows[r].w;
    rows[r].x += before, rows[r].y += before, rows[r].z += before, rows[r].w += before;
    sum_of_rows += __shfl_sync(0xffffffffu, scanned, 31);
  }
  int total;
  const int before = warps_before(sum_of_rows, warp_totals, total);
  if (threadIdx.x == 0) {  // one lane walks back, tile by tile
    int ahead = 0;
    if (tile > 0) publish(&states[tile], word_of(launch, Known::total, total));
    for (unsigned other = tile; other-- > 0;) {
      unsigned long long word;
      do word = poll(&states[other]);
      while (known_of(launch, word) == Known::nothing);
      ahead += value_of(word);
      if (known_of(launch, word) == Known::prefix) break;
    }
    publish(&states[tile], word_of(launch, Known::prefix, ahead + total));
    shared_ahead = ahead;
  }
  __syncthreads();
  store_tile(out, n, tile, rows, shared_ahead + before);
}

// Adjacent pairs in shared memory, as in chapter 1.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  __shared__ Affine maps[1024];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  maps[tid] = i < n ? in[i] : Affine{1, 0};
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (tid % (2 * stride) == 0) {
      const Affine later = maps[tid + stride];
      maps[tid] = {maps[tid].scale * later.scale, maps[tid].shift * later.scale + later.shift};
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = maps[0];
}
