// Chapter 6: warp and block prefix sums. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "lookback.hpp"
#include "tiles.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The inclusive scan of the warp's values in shared memory: returns the sum of those of lanes 0 to the
/// caller's. `slots` is the warp's own piece: 32 ints, or 16 + 32 if zero_padded.
template <bool zero_padded>
__device__ int scan_in_shared(int value, int* slots) {
  // TODO scan in shared memory (about 10 lines): if zero_padded, put zeros into the first 16 slots; the
  //      lane's own slot then lies 16 further on. For distance 1, 2, 4, 8, 16: every lane stores its value,
  //      and adds the one `distance` slots below: if zero_padded without asking, else only if there is such
  //      a lane. After what must the lanes of the warp wait for each other?
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; a condition a step.
extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // blockDim.x ints

  // TODO load, scan, store (4 lines): one element a thread, 0 where there is none; scan_in_shared<false>
  //      with the warp's 32 ints of `partial`.
}

/// The same without a condition: zeros ahead of each warp.
extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // padded_ints(blockDim.x) ints, 49 a warp

  // TODO load, scan, store (4 lines): as scan_warp; which ints of `partial` are the warp's own?
}

/// One step of a scan: adds the value of the lane `distance` below, if there is one.
template <int distance>
__device__ int add_from_below(int value) {
  // TODO inline PTX (about 8 lines): shfl.sync.up.b32 gives a value and a predicate, `%0|is_there`; the
  //      predicate is true where there is a lane `distance` below, and where it is false the value is the
  //      lane's own. The predicate guards the addition: @is_there add.s32.
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; the shuffle says who adds.
extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  // TODO load, scan, store (about 8 lines): five steps of add_from_below.
}

/// The inclusive scan of the values of a warp, all lanes of which must call it.
template <class T>
__device__ T scan_by_shuffle(T value) {
  // TODO scan (4 lines): five times __shfl_up_sync, by all lanes; who adds what comes?
  return value;
}

/// out[i] = the sum of the warp's elements up to in[i]; the lane says who adds.
extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  // TODO load, scan, store (3 lines): by scan_by_shuffle.
}

/// For all threads of a block, each with its value scanned in its warp: afterwards warp_totals[w] is the sum
/// of warps 0 to w. Two block barriers.
template <class T>
__device__ void scan_warp_totals(T scanned, T* warp_totals) {
  // TODO totals (about 8 lines): the lane that holds its warp's total stores it. Then one warp loads them
  //      all, scans them and stores them again. Which two races do the two barriers prevent?
}

/// The scan of one block, see kernels.hpp.
template <bool is_inclusive, class T>
__device__ void scan_block(const T* in, T* out, T* sums, unsigned n) {
  // TODO scan of a block (about 12 lines): scan the warp (scan_by_shuffle); if not is_inclusive, take the sum
  //      of the lane below instead of the own; scan the totals of the warps (scan_warp_totals), and add what
  //      lies ahead of the warp. Store, and store the block's sum where it is asked for.
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
  // TODO walk (about 12 lines): a round takes blockDim.x elements, scans them as scan_block does, exclusive,
  //      and adds the sum of all rounds before. When may the next round overwrite the totals?
}

/// out[i] += the sum that belongs to the block.
extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  // TODO add (2 lines).
}

/// Scans the rows of the thread's warp, each from left to right and one after the other. Returns the sum of
/// them all, in every lane.
__device__ int scan_rows(int4 (&rows)[tile_rows]) {
  // TODO scan rows (about 10 lines): for each row add up the lane's four neighbours, scan their sums over
  //      the warp, and add to all four what lies before them: in this row, and in the rows before.
  return 0;
}

/// One warp's stretch of a tile alone: out[i] = the sum from the stretch's first element to in[i].
extern "C" __global__ void __launch_bounds__(tile_threads)
    scan_tile_rows(const int* in, int* out, int* totals, unsigned n) {
  int4 rows[tile_rows];
  load_tile(in, n, blockIdx.x, rows);
  const int total = scan_rows(rows);
  store_tile(out, n, blockIdx.x, rows, 0);
  if (threadIdx.x % 32 == 0) totals[(blockIdx.x * tile_threads + threadIdx.x) / 32] = total;
}

/// For one warp: tells the others the total of this tile, and returns the sum of all tiles ahead of it.
__device__ int look_back(unsigned long long* states, unsigned launch, unsigned tile, int total) {
  // TODO publish (about 2 lines): lane 0 publishes the tile's total. Tile 0 has nothing ahead: its total is a
  //      prefix, and it is done.

  // TODO look back (about 14 lines): lane 0 polls the tile just ahead, lane 1 the one before ... until all 32
  //      know something. Add the values up to and including the nearest prefix. No prefix among them: add all
  //      32, and go on with the 32 before.

  // TODO prefix (1 line): publish this tile's prefix.
  return 0;
}

/// One warp a tile, and nothing but the totals: ahead[t] = the sum of totals[0] to totals[t - 1].
extern "C" __global__ void find_ahead(const int* totals, int* ahead, unsigned long long* states,
                                      unsigned long long* drawn) {
  const auto [launch, tile] = draw_tile(drawn);
  const int sum = look_back(states, launch, tile, totals[tile]);
  if (threadIdx.x == 0) ahead[tile] = sum;
}

/// out[i] = the sum of in[0] to in[i], in one launch.
extern "C" __global__ void __launch_bounds__(tile_threads)
    scan_device(const int* in, int* out, unsigned n, unsigned long long* states, unsigned long long* drawn) {
  // TODO scan in one launch (about 15 lines): draw a tile, load it, scan its rows. Warp 0 scans the totals of
  //      the warps, looks back, and tells the others what lies ahead of each. Store.
}

/// The map that does `first` and then `second`.
__device__ Affine then(Affine first, Affine second) {
  // TODO then (1 line): second.scale * (first.scale * x + first.shift) + second.shift is a map again: which?
  return first;
}

/// The maps of a warp one after the other, lane 0's first: lane 0 gets the result. All lanes must call it.
__device__ Affine warp_then(Affine map) {
  // TODO tree (about 5 lines): shuffle down, the two words of a map one by one, and join by then(). At which
  //      distance do the maps of a lane and of its neighbours begin, so that those that are joined always
  //      follow each other?
  return map;
}

/// out[b] = the maps of block b, done one after the other.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  // TODO load (2 lines): one map a thread, the identity where there is none.
  // TODO reduce (about 8 lines): each warp its own 32, by warp_then(), then the first warp what they came to,
  //      in their order; one thread stores.
}
