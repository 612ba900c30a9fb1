#pragma once
/// \file For attempts that go wrong where they look back: the rest of scan_device, right.

#include "../kernels.hpp"
#include "../lookback.hpp"
#include "../tiles.hpp"

/// For one warp: tells the others the total of this tile, and returns the sum of all tiles ahead of it.
__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total);

__device__ int scan(int value) {
  const unsigned lane = threadIdx.x % 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += below;
  }
  return value;
}

__device__ int scan_rows(int4 (&rows)[tile_rows]) {
  int ahead = 0;
  for (int4& row : rows) {
    row.y += row.x;
    row.z += row.y;
    row.w += row.z;
    const int scanned = scan(row.w);
    const int before = ahead + scanned - row.w;
    row.x += before;
    row.y += before;
    row.z += before;
    row.w += before;
    ahead += __shfl_sync(0xffffffffu, scanned, 31);
  }
  return ahead;
}

extern "C" __global__ void scan_device(const int* in, int* out, unsigned n, unsigned long long* states,
                                       unsigned long long* drawn) {
  __shared__ int warp_totals[32];
  __shared__ int ahead_of_tile;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const auto [launch, tile] = draw_tile(drawn);
  int4 rows[tile_rows];
  load_tile(in, n, tile, rows);
  const int total = scan_rows(rows);
  if (lane == 31) warp_totals[warp] = total;
  __syncthreads();
  if (warp == 0) {
    const int scanned = scan(lane < warps ? warp_totals[lane] : 0);
    if (lane < warps) warp_totals[lane] = scanned;
    const int ahead = look_back(states, launch, tile, __shfl_sync(0xffffffffu, scanned, warps - 1));
    if (lane == 0) ahead_of_tile = ahead;
  }
  __syncthreads();
  store_tile(out, n, tile, rows, ahead_of_tile + (warp > 0 ? warp_totals[warp - 1] : 0));
}
