// Chapter 6: warp and block prefix sums. README.md is the lesson; kernels.hpp says what each kernel must do.

#include "kernels.hpp"
#include "lookback.hpp"
#include "tiles.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// The inclusive scan of the warp's values in shared memory: returns the sum of the values of lane 0 up to
/// this lane. `slots` is the warp's own memory: 32 ints, or 16 + 32 if zero_padded.
template <bool zero_padded>
__device__ int scan_in_shared(int value, int* slots) {
  // [in_shared]
  const unsigned lane = threadIdx.x % 32;
  int* own = slots + lane;
  if constexpr (zero_padded) {
    slots[lane % 16] = 0;  // two lanes store each zero, which is cheaper than a test
    own += 16;
  }
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    *own = value;
    __syncwarp();  // or a lane could read a slot whose owner has not stored this step's sum yet
    if (zero_padded || lane >= distance) value += own[-distance];
    __syncwarp();  // or an owner could overwrite the slot before the lane above has read it
  }
  return value;
  // [/in_shared]
}

/// out[i] = the sum of the warp's elements up to in[i], with a condition in each step.
extern "C" __global__ void scan_warp(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // blockDim.x ints

  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned warp = threadIdx.x / 32;
  const int sum = scan_in_shared<false>(i < n ? in[i] : 0, partial + 32 * warp);
  if (i < n) out[i] = sum;
}

/// The same without a condition: zeros before each warp's slots.
extern "C" __global__ void scan_warp_padded(const int* in, int* out, unsigned n) {
  extern __shared__ int partial[];  // padded_ints(blockDim.x) ints, 49 per warp

  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned warp = threadIdx.x / 32;
  const int sum = scan_in_shared<true>(i < n ? in[i] : 0, partial + 49 * warp);
  if (i < n) out[i] = sum;
}

/// The inclusive scan of the values of a warp. All its lanes must call it.
template <class T>
__device__ T scan_by_shuffle(T value) {
  // [by_lane_test]
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T below = __shfl_up_sync(whole_warp, value, distance);  // by all lanes: outside the test
    if (lane >= distance) value += below;
  }
  return value;
  // [/by_lane_test]
}

/// out[i] = the sum of the warp's elements up to in[i]; a test of the lane says which lanes add.
extern "C" __global__ void scan_warp_shuffle(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int sum = scan_by_shuffle(i < n ? in[i] : 0);
  if (i < n) out[i] = sum;
}

/// One step of a scan: adds the value of the lane `distance` below, if there is one.
template <int distance>
__device__ int add_from_below(int value) {
  // [by_predicate]
  int sum;  // one operand for both, "+r"(value), would cost a loop of scans two moves in machine code
  asm volatile(
      "{ .reg .s32 total; .reg .pred is_there;\n\t"
      "shfl.sync.up.b32 total|is_there, %1, %2, 0, 0xffffffff;\n\t"  // no lane there: its own value
      "@is_there add.s32 total, total, %1; mov.s32 %0, total; }"     // last: %0 and %1 may be one register
      : "=r"(sum)
      : "r"(value), "n"(distance));
  return sum;
  // [/by_predicate]
}

/// out[i] = the sum of the warp's elements up to in[i]; the shuffle says which lanes add.
extern "C" __global__ void scan_warp_shuffle_ptx(const int* in, int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = i < n ? in[i] : 0;
  sum = add_from_below<1>(sum);
  sum = add_from_below<2>(sum);
  sum = add_from_below<4>(sum);
  sum = add_from_below<8>(sum);
  sum = add_from_below<16>(sum);
  if (i < n) out[i] = sum;
}

/// All threads of a block call it, with their values scanned in each warp. Afterwards warp_totals[w] is the
/// sum of warps 0 to w. Two block barriers.
template <class T>
__device__ void scan_warp_totals(T scanned, T* warp_totals) {
  // [totals]
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  if (lane == 31) warp_totals[warp] = scanned;
  __syncthreads();  // or warp 0 could read a total that is not there yet
  if (warp == 0) {
    const T total = scan_by_shuffle(lane < warps ? warp_totals[lane] : T{0});
    if (lane < warps) warp_totals[lane] = total;
  }
  __syncthreads();  // or a warp could read totals that are not scanned yet
  // [/totals]
}

/// The scan of one block: see kernels.hpp.
template <bool is_inclusive, class T>
__device__ void scan_block(const T* in, T* out, T* sums, unsigned n) {
  // [block]
  __shared__ T warp_totals[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  const T scanned = scan_by_shuffle(i < n ? in[i] : T{0});
  T sum = scanned;
  if constexpr (!is_inclusive) {
    sum = __shfl_up_sync(whole_warp, scanned, 1);  // the sum of the lanes below, without a subtraction
    if (lane == 0) sum = T{0};
  }
  scan_warp_totals(scanned, warp_totals);
  if (warp > 0) sum += warp_totals[warp - 1];

  if (i < n) out[i] = sum;
  if (sums != nullptr && threadIdx.x == 0) sums[blockIdx.x] = warp_totals[blockDim.x / 32 - 1];
  // [/block]
}

extern "C" __global__ void scan_block_inclusive_int(const int* in, int* out, int* sums, unsigned n) {
  scan_block<true>(in, out, sums, n);
}
extern "C" __global__ void scan_block_exclusive_int(const int* in, int* out, int* sums, unsigned n) {
  scan_block<false>(in, out, sums, n);
}
extern "C" __global__ void scan_block_inclusive_float(const float* in, float* out, float* sums, unsigned n) {
  scan_block<true>(in, out, sums, n);
}
extern "C" __global__ void scan_block_exclusive_float(const float* in, float* out, float* sums, unsigned n) {
  scan_block<false>(in, out, sums, n);
}
extern "C" __global__ void scan_block_inclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  scan_block<true>(in, out, sums, n);
}
extern "C" __global__ void scan_block_exclusive_double(const double* in, double* out, double* sums,
                                                       unsigned n) {
  scan_block<false>(in, out, sums, n);
}

/// The exclusive scan of `sums` in place, by one block that walks along it.
extern "C" __global__ void scan_sums(int* sums, unsigned count) {
  // [scan_sums]
  __shared__ int warp_totals[32];
  const unsigned warp = threadIdx.x / 32;
  int ahead = 0;  // the sum of all rounds before; the same in every thread
  for (unsigned begin = 0; begin < count; begin += blockDim.x) {
    const unsigned i = begin + threadIdx.x;
    const int value = i < count ? sums[i] : 0;
    const int scanned = scan_by_shuffle(value);
    scan_warp_totals(scanned, warp_totals);
    if (i < count) sums[i] = ahead + (warp > 0 ? warp_totals[warp - 1] : 0) + scanned - value;
    ahead += warp_totals[blockDim.x / 32 - 1];
    __syncthreads();  // or the next round could overwrite totals that a warp still has to read
  }
  // [/scan_sums]
}

/// out[i] += the sum that belongs to the block.
extern "C" __global__ void add_sums(int* out, const int* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

/// The map that applies `first` and then `second`.
__device__ Affine then(Affine first, Affine second) {
  // [then]
  return {first.scale * second.scale, first.shift * second.scale + second.shift};
  // [/then]
}

/// The maps of a warp, one after the other, lane 0's first: lane 0 gets the result. All lanes must call it.
__device__ Affine warp_then(Affine map) {
  // [warp_then]
  for (unsigned distance = 1; distance < 32; distance *= 2) {  // a lane has `distance` maps; these come next
    const unsigned scale = __shfl_down_sync(whole_warp, map.scale, distance);
    const unsigned shift = __shfl_down_sync(whole_warp, map.shift, distance);
    map = then(map, {scale, shift});
  }
  return map;
  // [/warp_then]
}

/// out[b] = the maps of block b, applied one after the other.
extern "C" __global__ void reduce_affine(const Affine* in, Affine* out, unsigned n) {
  // [affine]
  __shared__ Affine warp_maps[32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  Affine map = warp_then(i < n ? in[i] : Affine{1, 0});
  if (lane == 0) warp_maps[warp] = map;
  __syncthreads();  // or the first warp could read a map before its warp has stored it

  if (warp == 0) {
    map = warp_then(lane < blockDim.x / 32 ? warp_maps[lane] : Affine{1, 0});
    if (lane == 0) out[blockIdx.x] = map;
  }
  // [/affine]
}

/// Scans the rows of the thread's warp, one after the other, each from left to right. Returns the sum of all
/// of them, in every lane.
__device__ int scan_rows(int4 (&rows)[tile_rows]) {
  // [rows]
  int ahead = 0;  // the sum of the rows before
#pragma unroll
  for (int4& row : rows) {
    row.y += row.x;
    row.z += row.y;
    row.w += row.z;
    const int scanned = scan_by_shuffle(row.w);
    const int before = ahead + scanned - row.w;
    row.x += before;
    row.y += before;
    row.z += before;
    row.w += before;
    ahead += __shfl_sync(whole_warp, scanned, 31);
  }
  return ahead;
  // [/rows]
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
  const unsigned lane = threadIdx.x % 32;
  if (lane == 0) publish(&states[tile], word_of(launch, tile == 0 ? Known::prefix : Known::total, total));
  if (tile == 0) return 0;

  // [look_back]
  int ahead = 0;
  for (int looked_at = static_cast<int>(tile) - 1 - static_cast<int>(lane);; looked_at -= 32) {
    unsigned long long word = 0;
    do {  // lane 0 looks at the tile just ahead, lane 1 at the one before; before tile 0, a prefix of 0
      word = looked_at >= 0 ? poll(&states[looked_at]) : word_of(launch, Known::prefix, 0);
    } while (__any_sync(whole_warp, known_of(launch, word) == Known::nothing));

    const unsigned prefixes = __ballot_sync(whole_warp, known_of(launch, word) == Known::prefix);
    const unsigned last = prefixes != 0 ? __ffs(prefixes) - 1 : 31;  // a prefix includes all tiles before it
    int sum = lane <= last ? value_of(word) : 0;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      sum += __shfl_xor_sync(whole_warp, sum, distance);
    ahead += sum;
    if (prefixes != 0) break;
  }
  // [/look_back]
  if (lane == 0) publish(&states[tile], word_of(launch, Known::prefix, ahead + total));
  return ahead;
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
  // [device]
  constexpr unsigned warps = tile_threads / 32;
  __shared__ int warp_totals[warps];  // in the end: the sum of everything ahead of the warp
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  const auto [launch, tile] = draw_tile(drawn);
  int4 rows[tile_rows];
  load_tile(in, n, tile, rows);
  const int total_of_warp = scan_rows(rows);
  if (lane == 31) warp_totals[warp] = total_of_warp;
  __syncthreads();  // or warp 0 could read a total that is not there yet

  if (warp == 0) {
    const int total = lane < warps ? warp_totals[lane] : 0;
    const int scanned = scan_by_shuffle(total);
    const int ahead = look_back(states, launch, tile, __shfl_sync(whole_warp, scanned, 31));
    if (lane < warps) warp_totals[lane] = ahead + scanned - total;
  }
  __syncthreads();  // or a warp could go on before warp 0 has found what lies ahead
  store_tile(out, n, tile, rows, warp_totals[warp]);
  // [/device]
}
