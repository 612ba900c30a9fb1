#pragma once
// The two parts of the single launch: each row carries the sum of its last lane to the next, and one lane
// walks back tile by tile.

#include "../kernels.hpp"
#include "../lookback.hpp"
#include "../tiles.hpp"

extern "C" __global__ void scan_tile_rows(const int* in, int* out, int* totals, unsigned n) {
  const unsigned lane = threadIdx.x % 32;
  int4 rows[tile_rows];
  load_tile(in, n, blockIdx.x, rows);
  int carried = 0;  // of the rows before
#pragma unroll
  for (unsigned r = 0; r < tile_rows; ++r) {
    const int own = rows[r].x + rows[r].y + rows[r].z + rows[r].w;
    int scanned = own;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_up_sync(0xffffffffu, scanned, distance);
      scanned += lane >= distance ? below : 0;
    }
    int running = carried + scanned - own;
    rows[r].x = running += rows[r].x;
    rows[r].y = running += rows[r].y;
    rows[r].z = running += rows[r].z;
    rows[r].w = running + rows[r].w;
    carried = __shfl_sync(0xffffffffu, rows[r].w, 31);
  }
  store_tile(out, n, blockIdx.x, rows, 0);
  if (lane == 31) totals[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = carried;
}

extern "C" __global__ void find_ahead(const int* totals, int* ahead, unsigned long long* states,
                                      unsigned long long* drawn) {
  const auto [launch, tile] = draw_tile(drawn);
  if (threadIdx.x != 0) return;
  const int total = totals[tile];
  if (tile > 0) publish(&states[tile], word_of(launch, Known::total, total));
  int sum = 0;
  for (unsigned other = tile; other-- > 0;) {
    unsigned long long word;
    do word = poll(&states[other]);
    while (known_of(launch, word) == Known::nothing);
    sum += value_of(word);
    if (known_of(launch, word) == Known::prefix) break;
  }
  publish(&states[tile], word_of(launch, Known::prefix, sum + total));
  ahead[tile] = sum;
}
