// accepted: cooperative groups for the warp scans in registers, a pointer that stays volatile, and a
// look-back window written by hand

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "../kernels.hpp"
#include "../lookback.hpp"
#include "../tiles.hpp"
#include "one_launch_parts.cuh"

namespace cg = cooperative_groups;

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  volatile int* own = partial + threadIdx.x;
  *own = i < n ? in[i] : 0;
  warp.sync();
#pragma unroll 1
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    int sum = *own;
    if (warp.thread_rank() >= distance) sum += *(own - distance);
    warp.sync();
    *own = sum;
    warp.sync();
  }
  if (i < n) out[i] = *own;
}

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = warp.thread_rank();
  int* slots = partial + 49 * warp.meta_group_rank() + 16;
  int value = i < n ? in[i] : 0;
  slots[static_cast<int>(lane % 16) - 16] = 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    slots[lane] = value;
    warp.sync();
    value += slots[static_cast<int>(lane) - distance];
    warp.sync();
  }
  if (i < n) out[i] = value;
}

template <class T>
__device__ T scan(T value) {
  return cg::inclusive_scan(cg::tiled_partition<32>(cg::this_thread_block()), value, cg::plus<T>());
}

extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2)
    asm volatile(
        "{ .reg .b32 below; .reg .pred is_there;\n\t"
        "shfl.sync.up.b32 below|is_there, %0, %1, 0, -1;\n\t"
        "@is_there add.s32 %0, %0, below; }"
        : "+r"(value)
        : "r"(distance));
  if (i < n) out[i] = value;
}

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = cg::inclusive_scan(warp, i < n ? in[i] : 0, cg::plus<int>());
  if (i < n) out[i] = value;
}

/// The same as in the solution, but each warp gets the totals that it needs in one load.
template <class T>
__device__ T warps_before(T scanned, T* warp_totals) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (lane == 31) warp_totals[warp] = scanned;
  __syncthreads();
  if (threadIdx.x < 32) {
    const T total = scan(lane < warps ? warp_totals[lane] : T{0});
    if (lane < warps) warp_totals[lane] = total;
  }
  __syncthreads();
  return warp == 0 ? T{0} : warp_totals[warp - 1];
}

template <bool is_inclusive, class T>
__device__ void scan_block(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T warp_totals[32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T scanned = scan(i < n ? in[i] : T{0});
  const T below = warp.shfl_up(scanned, 1);
  const T before = warps_before(scanned, warp_totals);
  if (i < n) out[i] = before + (is_inclusive ? scanned : warp.thread_rank() == 0 ? T{0} : below);
  if (sums != nullptr && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = before + scanned;
}

template <class T>
__device__ void scan_block_inclusive(const T* in, T* out, T* sums, unsigned n) {
  scan_block<true>(in, out, sums, n);
}
template <class T>
__device__ void scan_block_exclusive(const T* in, T* out, T* sums, unsigned n) {
  scan_block<false>(in, out, sums, n);
}

#include "scan_block_kernels.cuh"

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  __shared__ int warp_totals[32];
  __shared__ int ahead;
  if (threadIdx.x == 0) ahead = 0;
  for (unsigned begin = 0; begin < count; begin += blockDim.x) {
    const unsigned i = begin + threadIdx.x;
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan(value);
    const int sum = warps_before(scanned, warp_totals) + scanned + ahead;
    if (i < count) sums[i] = sum - value;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) ahead = sum;  // the next round reads it after two barriers
  }
}

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] += sums[blockIdx.x];
}

extern "C" __global__ void scan_device(const int* in, int* out, unsigned n, unsigned long long* states,
                                       unsigned long long* drawn) {
  __shared__ int warp_totals[32];
  __shared__ int tile_start;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto [launch, tile] = draw_tile(drawn);
  int4 rows[tile_rows];
  load_tile(in, n, tile, rows);
  int ahead = 0;
  for (int4& row : rows) {
    const int sum = row.x + row.y + row.z + row.w;
    const int scanned = scan(sum);
    row.x += ahead + scanned - sum;
    row.y += row.x;
    row.z += row.y;
    row.w += row.z;
    ahead += warp.shfl(scanned, 31);
  }
  const int before = warps_before(ahead, warp_totals);
  if (warp.meta_group_rank() == 0) {
    const int total = warp_totals[warp.meta_group_size() - 1];
    auto* state = static_cast<volatile unsigned long long*>(states);
    if (warp.thread_rank() == 0)
      state[tile] = word_of(launch, tile == 0 ? Known::prefix : Known::total, total);
    int start = 0;
    for (int end = static_cast<int>(tile); end > 0; end -= 32) {
      const int other = end - 1 - static_cast<int>(warp.thread_rank());
      unsigned long long word = 0;
      do word = state[other < 0 ? 0 : other];
      while (warp.any(known_of(launch, word) == Known::nothing));
      const unsigned prefixes = warp.ballot(known_of(launch, word) == Known::prefix);
      const unsigned nearest = prefixes == 0 ? 31 : __ffs(static_cast<int>(prefixes)) - 1;
      const bool is_counted = other >= 0 && warp.thread_rank() <= nearest;
      start += warp.shfl(scan(is_counted ? value_of(word) : 0), 31);
      if (prefixes != 0) break;
    }
    if (warp.thread_rank() == 0) {
      if (tile > 0) state[tile] = word_of(launch, Known::prefix, start + total);
      tile_start = start;
    }
  }
  __syncthreads();
  store_tile(out, n, tile, rows, tile_start + before);
}

// The barrier of cooperative groups; the threads that combine are neighbours, as in chapter 2.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  __shared__ Affine maps[1024];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned tid = block.thread_rank(), i = blockIdx.x * block.size() + tid;
  maps[tid] = i < n ? in[i] : Affine{1, 0};
  block.sync();
  for (unsigned stride = 1; stride < block.size(); stride *= 2) {
    const unsigned left = 2 * stride * tid;
    if (left < block.size()) {
      const Affine first = maps[left], second = maps[left + stride];
      maps[left] = Affine{first.scale * second.scale, first.shift * second.scale + second.shift};
    }
    block.sync();
  }
  if (tid == 0) out[blockIdx.x] = maps[0];
}
