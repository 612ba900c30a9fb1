// accepted: arithmetic instead of conditions, another place for the zeros, shuffles by lane number, totals
// shifted by the warp that scans them, and the last warp looks back with atomics and cleans up by itself

#include "../kernels.hpp"
#include "../lookback.hpp"
#include "../tiles.hpp"
#include "one_launch_parts.cuh"

extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  int* slots = partial + (threadIdx.x - lane);
  int value = i < n ? in[i] : 0;
  for (unsigned step = 0; step < 5; ++step) {
    const unsigned distance = 1u << step;
    slots[lane] = value;
    __syncwarp();
    // A lane with no lane below it reads a slot, too, but adds it 0 times.
    value += static_cast<int>(lane >= distance) * slots[(lane - distance) % 32];
    __syncwarp();
  }
  if (i < n) out[i] = value;
}

extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];
  const unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  int* slot = partial + 49 * (threadIdx.x / 32) + 17 + lane;  // zeros in 1 to 16, slot 0 unused
  int value = i < n ? in[i] : 0;
  *(slot - 16) = 0;
  __syncwarp();
  const auto add_from = [&](int below) {
    *slot = value;
    __syncwarp();
    value += slot[-below];
    __syncwarp();
  };
  add_from(1), add_from(2), add_from(4), add_from(8), add_from(16);
  if (i < n) out[i] = value;
}

/// The value of the lane below or 0, chosen by the shuffle's predicate.
template <unsigned distance>
__device__ int below_or_zero(int value) {
  int below;
  asm volatile(
      "{\n\t.reg .s32 own_or_below;\n\t.reg .pred p;\n\t"
      "shfl.sync.up.b32 own_or_below|p, %1, %2, 0, 0xffffffff;\n\t"
      "selp.s32 %0, own_or_below, 0, p;\n\t}"
      : "=r"(below)
      : "r"(value), "n"(distance));
  return below;
}

extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  value += below_or_zero<1>(value);
  value += below_or_zero<2>(value);
  value += below_or_zero<4>(value);
  value += below_or_zero<8>(value);
  value += below_or_zero<16>(value);
  if (i < n) out[i] = value;
}

template <class T>
__device__ T scan(T value) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const T below = __shfl_sync(0xffffffffu, value, lane - distance);
    if (lane - distance >= 0) value = below + value;
  }
  return value;
}

extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = scan(i < n ? in[i] : 0);
  if (i < n) out[i] = value;
}

/// Returns the sum of the warps before; `starts` gets these sums, and one more: the total, after the last.
template <class T>
__device__ T start_of_warp(T scanned, T* starts) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (lane == 31) starts[warp + 1] = scanned;
  __syncthreads();
  if (warp == warps - 1) {  // the last warp, which tends to arrive last anyway
    const T total = scan(lane < warps ? starts[lane + 1] : T{0});
    if (lane < warps) starts[lane + 1] = total;
    if (lane == 0) starts[0] = T{0};
  }
  __syncthreads();
  return starts[warp];
}

template <class T>
__device__ void scan_block_inclusive(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T starts[33];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T scanned = scan(i < n ? in[i] : T{0});
  const T start = start_of_warp(scanned, starts);
  if (i < n) out[i] = start + scanned;
  if (sums != nullptr && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = start + scanned;
}

template <class T>
__device__ void scan_block_exclusive(const T* in, T* out, T* sums, unsigned n) {
  __shared__ T starts[33];
  const unsigned lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x;
  const T scanned = scan(i < n ? in[i] : T{0});
  const T start = start_of_warp(scanned, starts);
  const T before = start + __shfl_sync(0xffffffffu, scanned, lane == 0 ? 0 : lane - 1);
  if (i < n) out[i] = lane == 0 ? start : before;
  if (sums != nullptr && threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = start + scanned;
}

#include "scan_block_kernels.cuh"

extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  __shared__ int starts[33];
  const unsigned warps = blockDim.x / 32;
  int ahead = 0;
  for (unsigned i = threadIdx.x; i - threadIdx.x < count; i += blockDim.x) {
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan(value);
    const int start = start_of_warp(scanned, starts);
    const int total = starts[warps];
    __syncthreads();
    if (i < count) sums[i] = ahead + start + (scanned - value);
    ahead += total;
  }
}

extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  int* block = out + size_t{blockIdx.x} * blockDim.x;
  if (block + threadIdx.x < out + n) block[threadIdx.x] += sums[blockIdx.x];
}

extern "C" __global__ void scan_device(const int* in, int* out, unsigned n, unsigned long long* states,
                                       unsigned long long* drawn) {
  __shared__ int starts[33];
  __shared__ int ahead_of_tile;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const auto [launch, tile] = draw_tile(drawn);
  int4 rows[tile_rows];
  load_tile(in, n, tile, rows);
  int of_rows = 0;
#pragma unroll
  for (int4& row : rows) {
    const int sum = row.x + row.y + row.z + row.w;
    const int scanned = scan(sum);
    int running = of_rows + scanned - sum;
    row.x = running += row.x;
    row.y = running += row.y;
    row.z = running += row.z;
    row.w = running + row.w;
    of_rows += __shfl_sync(0xffffffffu, scanned, 31);
  }
  const int start = start_of_warp(of_rows, starts);

  if (warp == warps - 1) {
    if (lane == 0 && tile > 0) atomicExch(&states[tile], word_of(launch, Known::total, start + of_rows));
    int ahead = 0;
    int window = static_cast<int>(tile);  // tiles from here on are counted
    bool is_found = tile == 0;
    while (!is_found) {
      const int other = window - 32 + static_cast<int>(lane);
      unsigned long long word = word_of(launch, Known::prefix, 0);
      if (other >= 0)
        while (known_of(launch, word = atomicAdd(&states[other], 0ull)) == Known::nothing) continue;
      __syncwarp();
      const unsigned prefixes = __ballot_sync(0xffffffffu, known_of(launch, word) == Known::prefix);
      const int nearest = 31 - __clz(static_cast<int>(prefixes));  // -1: none
      int sum = static_cast<int>(lane) >= nearest ? value_of(word) : 0;
      for (unsigned distance = 1; distance < 32; distance *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, distance);
      ahead += sum;
      window -= 32;
      is_found = prefixes != 0;
    }
    if (lane == 0) {
      atomicExch(&states[tile], word_of(launch, Known::prefix, ahead + start + of_rows));
      ahead_of_tile = ahead;
    }
  }
  __syncthreads();
  store_tile(out, n, tile, rows, ahead_of_tile + start);
}

// The last of all prefixes: the maps of the lanes below come first.
__device__ Affine prefix_of_maps(Affine map) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const Affine below{__shfl_up_sync(0xffffffffu, map.scale, distance),
                       __shfl_up_sync(0xffffffffu, map.shift, distance)};
    if (lane >= distance) map = {below.scale * map.scale, below.shift * map.scale + map.shift};
  }
  return map;
}
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  __shared__ Affine totals[32];
  const unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid, warps = blockDim.x / 32;
  const Affine map = prefix_of_maps(i < n ? in[i] : Affine{1, 0});
  if (tid % 32 == 31) totals[tid / 32] = map;
  __syncthreads();
  if (tid >= 32) return;
  const Affine all = prefix_of_maps(tid < warps ? totals[tid] : Affine{1, 0});
  if (tid == 31) out[blockIdx.x] = all;
}
