// Chapter 6: warp and block prefix sums. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "lookback.hpp"
#include "tiles.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The inclusive scan of the warp's values in shared memory: returns the sum of the values of lane 0 up to
/// this lane. `slots` is the warp's own memory: 32 ints, or 16 + 32 if zero_padded.
template <bool zero_padded>
__device__ int scan_in_shared(int value, int* slots) {
  // TODO scan in shared memory (about 10 lines): if zero_padded, store zeros in the first 16 slots. The
  //      lane's own slot is then 16 further on. For distance 1, 2, 4, 8, 16: store the value, then add the
  //      one `distance` slots below, always if zero_padded, and otherwise only if there is such a lane. After
  //      which of these must the lanes of the warp wait for each other?
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i], with a condition in each step.
extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // blockDim.x ints

  // TODO load, scan, store (4 lines): load one element per thread, or 0 if there is none; call
  //      scan_in_shared<false> with the warp's 32 ints of `partial`; store.
}

/// The same without a condition: zeros before each warp's slots.
extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // padded_ints(blockDim.x) ints, 49 per warp

  // TODO load, scan, store (4 lines): as in scan_warp. Which ints of `partial` are the warp's own?
}

/// One step of a scan: adds the value of the lane `distance` below, if there is one.
template <int distance>
__device__ int add_from_below(int value) {
  // TODO inline PTX (about 8 lines): shuffle with shfl.sync.up.b32, which gives a value and a predicate,
  //      `%0|is_there`. The predicate is true if there is a lane `distance` below; if it is false, the value
  //      is the lane's own. Let the predicate guard the addition: @is_there add.s32.
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; the shuffle says which lanes add.
extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  // TODO load, scan, store (about 8 lines): scan in five steps of add_from_below.
}

/// The inclusive scan of the values of a warp. All its lanes must call it.
template <class T>
__device__ T scan_by_shuffle(T value) {
  // TODO scan (4 lines): call __shfl_up_sync five times, in all lanes. Which lanes add what they get?
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; a test of the lane says which lanes add.
extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  // TODO load, scan, store (3 lines): scan with scan_by_shuffle.
}

/// All threads of a block call it, with their values scanned in each warp. Afterwards warp_totals[w] is the
/// sum of warps 0 to w. Two block barriers.
template <class T>
__device__ void scan_warp_totals(T scanned, T* warp_totals) {
  // TODO totals (about 8 lines): store each warp's total, from the lane that holds it. Then let one warp load
  //      all totals, scan them and store them again. Which two races do the two barriers prevent?
}

/// The scan of one block: see kernels.hpp.
template <bool is_inclusive, class T>
__device__ void scan_block(const T* in, T* out, T* sums, unsigned n) {
  // TODO scan of a block (about 12 lines): scan the warp (scan_by_shuffle). If not is_inclusive, take the sum
  //      of the lane below instead of this lane's. Scan the totals of the warps (scan_warp_totals), and add
  //      the total ahead of the warp. Store the sum, and also the block's sum if `sums` is not null.
}

extern "C" __global__ void scan_block_inclusive_int(const int* in, int* out, int* sums, unsigned n) {
  // TODO call scan_block (1 line).
}
extern "C" __global__ void scan_block_exclusive_int(const int* in, int* out, int* sums, unsigned n) {
  // TODO call scan_block (1 line).
}
extern "C" __global__ void scan_block_inclusive_float(const float* in, float* out, float* sums, unsigned n) {
  // TODO call scan_block (1 line).
}
extern "C" __global__ void scan_block_exclusive_float(const float* in, float* out, float* sums, unsigned n) {
  // TODO call scan_block (1 line).
}
extern "C" __global__ void scan_block_inclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  // TODO call scan_block (1 line).
}
extern "C" __global__ void scan_block_exclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  // TODO call scan_block (1 line).
}

/// The exclusive scan of `sums` in place, by one block that walks along it.
extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  // TODO walk (about 12 lines): in each round, take blockDim.x elements, scan them as scan_block does,
  //      exclusive, and add the sum of all rounds before. When may the next round overwrite the totals?
}

/// out[i] += the sum that belongs to the block.
extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  // TODO add (2 lines): add to each element the sum of the blocks ahead of its own.
}

/// Scans the rows of the thread's warp, one after the other, each from left to right. Returns the sum of all
/// of them, in every lane.
__device__ int scan_rows(int4 (&rows)[tile_rows]) {
  // TODO scan rows (about 10 lines): for each row, add up the lane's four neighbours, scan their sums over
  //      the warp, and add to all four the sum of all before them, in this row and in earlier rows.
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
  // TODO publish (about 2 lines): publish the tile's total, in lane 0. Tile 0 has no tile ahead, so its total
  //      is a prefix, and it is done.

  // TODO look back (about 14 lines): poll the tile just ahead in lane 0, the one before it in lane 1 ...
  //      until all 32 lanes know something. Add the values up to and including the nearest prefix. If there
  //      is no prefix, add all 32, and go on with the 32 tiles before.

  // TODO prefix (1 line): publish this tile's prefix.
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
  // TODO scan in one launch (about 15 lines): draw a tile, load it, scan its rows. In warp 0, scan the totals
  //      of the warps, look back, and tell each of the others the sum ahead of it. Store the tile.
}

/// The map that applies `first` and then `second`.
__device__ Affine then(Affine first, Affine second) {
  // TODO then (1 line): return the map x -> second.scale * (first.scale * x + first.shift) + second.shift.
  //      What are its scale and its shift?
  return first;
}

/// The maps of a warp, one after the other, lane 0's first: lane 0 gets the result. All lanes must call it.
__device__ Affine warp_then(Affine map) {
  // TODO tree (about 5 lines): shuffle down, one word of a map at a time, and combine with then(). At which
  //      distance must you begin, so that the two pieces that are combined are always neighbours?
  return map;
}

/// out[b] = the maps of block b, applied one after the other.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  // TODO load (2 lines): load one map per thread, or the identity if there is none.
  // TODO reduce (about 8 lines): combine each warp's own 32 maps with warp_then(), then the results of the
  //      warps, in order, in the first warp. Store from one thread.
}
