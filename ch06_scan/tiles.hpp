#pragma once
/// \file Given, not an exercise: how a block of scan_device loads its tile, and how it stores it.
///
/// A warp has tile_rows rows of 128 neighbouring elements, and a lane has four neighbours of each row, which
/// are one 16-byte load. Warp w has the tile's w-th stretch of 128 * tile_rows elements.

#include "kernels.hpp"

using warpwise::ch06::tile_elements;
using warpwise::ch06::tile_rows;
using warpwise::ch06::tile_threads;

/// The place of this lane's four elements of row 0; those of row r are 128 * r further on.
__device__ inline size_t tile_place(unsigned tile) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  return size_t{tile} * tile_elements + warp * (128 * tile_rows) + 4 * lane;
}

/// Whether the tile has all its elements. This is tested once and not for each row, because with a branch
/// between them, a thread's loads are not all on their way before the first is waited for.
__device__ inline bool is_whole(unsigned tile, unsigned n) {
  return size_t{tile} * tile_elements + tile_elements <= n;
}

/// Loads the thread's elements of the tile, or 0 if there are none. As "streaming" loads (__ldcs): the
/// elements are not needed again, so they may leave the cache first.
__device__ inline void load_tile(const int* in, unsigned n, unsigned tile, int4 (&rows)[tile_rows]) {
  const size_t place = tile_place(tile);
  if (is_whole(tile, n)) {
#pragma unroll
    for (unsigned r = 0; r < tile_rows; ++r)
      rows[r] = __ldcs(reinterpret_cast<const int4*>(in + place + 128 * r));
  } else {
#pragma unroll
    for (unsigned r = 0; r < tile_rows; ++r) {
      const size_t i = place + 128 * r;
      rows[r].x = i < n ? in[i] : 0;
      rows[r].y = i + 1 < n ? in[i + 1] : 0;
      rows[r].z = i + 2 < n ? in[i + 2] : 0;
      rows[r].w = i + 3 < n ? in[i + 3] : 0;
    }
  }
}

/// Stores the thread's elements of the tile, with `ahead` added to each.
__device__ inline void store_tile(int* out, unsigned n, unsigned tile, const int4 (&rows)[tile_rows],
                                  int ahead) {
  const size_t place = tile_place(tile);
  if (is_whole(tile, n)) {
#pragma unroll
    for (unsigned r = 0; r < tile_rows; ++r) {
      const int4 sum{rows[r].x + ahead, rows[r].y + ahead, rows[r].z + ahead, rows[r].w + ahead};
      __stcs(reinterpret_cast<int4*>(out + place + 128 * r), sum);
    }
  } else {
#pragma unroll
    for (unsigned r = 0; r < tile_rows; ++r) {
      const size_t i = place + 128 * r;
      if (i < n) out[i] = rows[r].x + ahead;
      if (i + 1 < n) out[i + 1] = rows[r].y + ahead;
      if (i + 2 < n) out[i + 2] = rows[r].z + ahead;
      if (i + 3 < n) out[i + 3] = rows[r].w + ahead;
    }
  }
}
