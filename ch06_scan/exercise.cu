// Chapter 6: warp and block prefix sums. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "lookback.hpp"
#include "tiles.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The inclusive scan of the warp's values in shared memory: returns the sum of the values of lane 0 up to
/// this lane. `slots` is the warp's own memory: 32 ints, or 16 + 32 if zero_padded.
template <bool zero_padded>
__device__ int scan_in_shared(int value, int* slots) {
  // TODO (about 10 lines)
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i], with a condition in each step.
extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // blockDim.x ints

  // TODO (4 lines, with scan_in_shared)
}

/// The same without a condition: zeros before each warp's slots.
extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // padded_ints(blockDim.x) ints, 49 per warp

  // TODO (4 lines, with scan_in_shared)
}

/// The inclusive scan of the values of a warp. All its lanes must call it.
template <class T>
__device__ T scan_by_shuffle(T value) {
  // TODO (4 lines)
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; a test of the lane says which lanes add.
extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  // TODO (3 lines, with scan_by_shuffle)
}

/// One step of a scan: adds the value of the lane `distance` below, if there is one.
template <int distance>
__device__ int add_from_below(int value) {
  // TODO (about 8 lines)
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; the shuffle says which lanes add.
extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  // TODO (about 8 lines, with add_from_below)
}

/// All threads of a block call it, with their values scanned in each warp. Afterwards warp_totals[w] is the
/// sum of warps 0 to w. Two block barriers.
template <class T>
__device__ void scan_warp_totals(T scanned, T* warp_totals) {
  // TODO (about 8 lines, with scan_by_shuffle)
}

/// The scan of one block: see kernels.hpp.
template <bool is_inclusive, class T>
__device__ void scan_block(const T* in, T* out, T* sums, unsigned n) {
  // TODO (about 12 lines, with scan_by_shuffle and scan_warp_totals)
}

extern "C" __global__ void scan_block_inclusive_int(const int* in, int* out, int* sums, unsigned n) {
  // TODO (1 line, with scan_block)
}
extern "C" __global__ void scan_block_exclusive_int(const int* in, int* out, int* sums, unsigned n) {
  // TODO (1 line, with scan_block)
}
extern "C" __global__ void scan_block_inclusive_float(const float* in, float* out, float* sums, unsigned n) {
  // TODO (1 line, with scan_block)
}
extern "C" __global__ void scan_block_exclusive_float(const float* in, float* out, float* sums, unsigned n) {
  // TODO (1 line, with scan_block)
}
extern "C" __global__ void scan_block_inclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  // TODO (1 line, with scan_block)
}
extern "C" __global__ void scan_block_exclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  // TODO (1 line, with scan_block)
}

/// The exclusive scan of `sums` in place, by one block that walks along it.
extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  // TODO (about 12 lines, with scan_by_shuffle and scan_warp_totals)
}

/// out[i] += the sum that belongs to the block.
extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  // TODO (2 lines)
}

/// The map that applies `first` and then `second`.
__device__ Affine then(Affine first, Affine second) {
  // TODO (1 line)
  return first;
}

/// The maps of a warp, one after the other, lane 0's first: lane 0 gets the result. All lanes must call it.
__device__ Affine warp_then(Affine map) {
  // TODO (about 5 lines, with then())
  return map;
}

/// out[b] = the maps of block b, applied one after the other.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  // TODO (about 10 lines, with warp_then)
}

/// Scans the rows of the thread's warp, one after the other, each from left to right. Returns the sum of all
/// of them, in every lane.
__device__ int scan_rows(int4 (&rows)[tile_rows]) {
  // TODO (about 10 lines, with scan_by_shuffle)
  return 0;
}

/// Each warp scans only its stretch of a tile: out[i] = the sum from the stretch's first element to in[i].
extern "C" __global__ void __launch_bounds__(tile_threads)
    scan_tile_rows(const int* in, int* out, int* totals, unsigned n) {
  int4 rows[tile_rows];
  load_tile(in, n, blockIdx.x, rows);
  const int total = scan_rows(rows);
  store_tile(out, n, blockIdx.x, rows, 0);
  if (threadIdx.x % 32 == 0) totals[(blockIdx.x * tile_threads + threadIdx.x) / 32] = total;
}

/// One warp calls it. Publishes the total of this tile, and returns the sum of all tiles ahead of it.
__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total) {
  // TODO (about 17 lines)
  return 0;
}

/// One warp per tile, and only the totals: ahead[t] = the sum of totals[0] to totals[t - 1].
extern "C" __global__ void find_ahead(const int* totals, int* ahead, unsigned long long* states,
                                      unsigned long long* drawn) {
  const auto [launch, tile] = draw_tile(drawn);
  const int sum = look_back(states, launch, tile, totals[tile]);
  if (threadIdx.x == 0) ahead[tile] = sum;
}

/// out[i] = the sum of in[0] to in[i], in one launch.
extern "C" __global__ void __launch_bounds__(tile_threads)
    scan_device(const int* in, int* out, unsigned n, unsigned long long* states, unsigned long long* drawn) {
  // TODO (about 15 lines, with scan_rows, scan_by_shuffle and look_back)
}
