// Chapter 5: registers instead of shared memory. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"
#include "operators.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// out[i] = the element of lane `source` of the same warp.
extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  // [broadcast]
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(whole_warp, in[i], source);
  // [/broadcast]
}

/// out[i] = the element of the lane `distance` below; the first lanes keep their own.
extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_up_sync(whole_warp, in[i], distance);
}

/// out[i] = the element of the lane `distance` above; the last lanes keep their own.
extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_down_sync(whole_warp, in[i], distance);
}

/// out[i] = the sum of the 32 elements of the warp, in every lane.
extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  // [butterfly]
  float sum = in[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) sum += __shfl_xor_sync(whole_warp, sum, distance);
  out[i] = sum;
  // [/butterfly]
}

/// Reduces the values of the 32 lanes of a warp. All lanes must call it. Lane 0 returns the result; the
/// others may return anything.
template <class Operator, class T>
__device__ T warp_reduce(T value) {
  // [warp_reduce]
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = Operator::combine(value, __shfl_down_sync(whole_warp, value, distance));
  return value;
  // [/warp_reduce]
}

/// The element of this thread, or the operator's identity if it has none.
template <class Operator, class T>
__device__ T own_element(const T* in, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  return i < n ? in[i] : Operator::identity();
}

/// Lane 0 writes its warp's result to the warp's place in `out`.
template <class T>
__device__ void store_by_lane_0(T* out, T value) {
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
}

/// out[w] = the reduction of the 32 elements of warp w: the body of the eight kernels below.
template <class Operator, class T>
__device__ void reduce_each_warp(const T* in, T* out, unsigned n) {
  // [each_warp]
  const T own = own_element<Operator>(in, n);  // in every lane, element or not
  store_by_lane_0(out, warp_reduce<Operator>(own));
  // [/each_warp]
}

/// out[w] = the sum of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_sum(const float* in, float* out, unsigned n) {
  reduce_each_warp<Sum>(in, out, n);
}

/// out[w] = the product of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_product(const float* in, float* out, unsigned n) {
  reduce_each_warp<Product>(in, out, n);
}

/// out[w] = the largest of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_max(const float* in, float* out, unsigned n) {
  reduce_each_warp<Max>(in, out, n);
}

/// out[w] = the smallest of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_min(const float* in, float* out, unsigned n) {
  reduce_each_warp<Min>(in, out, n);
}

/// out[w] = 1 if none of the 32 elements of warp w is 0, else 0.
extern "C" __global__ void warp_reduce_and(const unsigned* in, unsigned* out, unsigned n) {
  reduce_each_warp<LogicalAnd>(in, out, n);
}

/// out[w] = 0 if all of the 32 elements of warp w are 0, else 1.
extern "C" __global__ void warp_reduce_or(const unsigned* in, unsigned* out, unsigned n) {
  reduce_each_warp<LogicalOr>(in, out, n);
}

/// out[w] = the bits that are set in all of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_bit_and(const unsigned* in, unsigned* out, unsigned n) {
  reduce_each_warp<BitAnd>(in, out, n);
}

/// out[w] = the bits that are set in any of the 32 elements of warp w.
extern "C" __global__ void warp_reduce_bit_or(const unsigned* in, unsigned* out, unsigned n) {
  reduce_each_warp<BitOr>(in, out, n);
}

/// The sum over all threads of the block, in thread 0; the others may return anything. Every thread of the
/// block must call it. A second call needs a barrier before it.
__device__ float block_sum(float value) {
  __shared__ float warp_sums[32];  // 1024 threads have 32 warps; smaller blocks leave the rest unwritten
  // [block_sum]
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  value = warp_reduce<Sum>(value);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();  // or the first warp could read a sum before its warp has stored it

  if (warp == 0) {
    value = lane < blockDim.x / 32 ? warp_sums[lane] : Sum::identity();
    value = warp_reduce<Sum>(value);
  }
  return value;
  // [/block_sum]
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  // [reduce_shuffle]
  float sum = Sum::identity();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];

  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
  // [/reduce_shuffle]
}

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  float sum = Sum::identity();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];

  sum = block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

/// The better of two: the larger value, or of equal values the one with the lower index. `a` is no NaN.
__device__ Best better(Best a, Best b) {
  // [better]
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  // [/better]
}

/// The best of the 32 lanes of a warp, in lane 0.
__device__ Best warp_best(Best best) {
  // [warp_best]
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    const Best other{__shfl_down_sync(whole_warp, best.value, distance),
                     __shfl_down_sync(whole_warp, best.index, distance)};
    best = better(best, other);
  }
  return best;
  // [/warp_best]
}

/// value[b], index[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  __shared__ float warp_values[32];
  __shared__ unsigned warp_indices[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;

  Best best = no_best();  // not the first element, which may be NaN
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    best = better(best, Best{in[i], i});

  best = warp_best(best);
  if (lane == 0) {
    warp_values[warp] = best.value;
    warp_indices[warp] = best.index;
  }
  __syncthreads();  // or the first warp could read what its warp has not stored yet

  if (warp == 0) {
    best = lane < blockDim.x / 32 ? Best{warp_values[lane], warp_indices[lane]} : no_best();
    best = warp_best(best);
    if (lane == 0) {
      value[blockIdx.x] = best.value;
      index[blockIdx.x] = best.index;
    }
  }
}

/// *total += the sum of all elements.
extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  float sum = Sum::identity();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];

  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);  // blocks in any order, but never two at once
}

/// This thread's share of the sum of `tiles` whole tiles of roof_threads * roof_loads float4 each. A block
/// takes one tile at a time; its next one is a whole grid further on.
__device__ float sum_of_tiles(const float4* in, unsigned tiles) {
  using warpwise::ch05::roof_loads;
  using warpwise::ch05::roof_threads;
  // [tiles]
  constexpr unsigned tile = roof_threads * roof_loads;  // float4 that a block takes at once
  const float4* mine = in + size_t{blockIdx.x} * tile + threadIdx.x;
  float4 sums{};
  for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x, mine += size_t{gridDim.x} * tile) {
    float4 v[roof_loads];
#pragma unroll
    for (unsigned k = 0; k < roof_loads; ++k) v[k] = __ldcs(mine + k * roof_threads);  // all on their way ...
#pragma unroll
    for (unsigned k = 0; k < roof_loads; ++k) {  // ... before the first is waited for
      sums.x += v[k].x;
      sums.y += v[k].y;
      sums.z += v[k].z;
      sums.w += v[k].w;
    }
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
  // [/tiles]
}

/// out[i] = the share of thread i of the sum of all tiles.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_tiles(const float* in, float* out, unsigned tiles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum_of_tiles(reinterpret_cast<const float4*>(in), tiles);
}

/// This thread's share of the sum of all n elements, read 16 bytes at a time wherever `in` begins.
__device__ float wide_sum(const float* in, unsigned n) {
  using warpwise::ch05::roof_loads;
  using warpwise::ch05::roof_threads;
  const unsigned thread = blockIdx.x * roof_threads + threadIdx.x;
  // [edges]
  // The first 0 to 3 elements lie before a 16-byte boundary, the last 0 to 3 after one.
  const unsigned misplaced = static_cast<unsigned>(reinterpret_cast<size_t>(in) / sizeof(float) % 4);
  const unsigned head = min((4 - misplaced) % 4, n);
  const unsigned quads = (n - head) / 4;
  const unsigned tail = head + 4 * quads;
  float sum = Sum::identity();
  if (thread < head) sum += in[thread];
  if (thread < n - tail) sum += in[tail + thread];
  // [/edges]
  // [middle]
  const float4* const in4 = reinterpret_cast<const float4*>(in + head);
  constexpr unsigned tile = roof_threads * roof_loads;
  sum += sum_of_tiles(in4, quads / tile);
  // What is left is smaller than a tile.
  for (unsigned i = quads / tile * tile + thread; i < quads; i += gridDim.x * roof_threads) {
    const float4 v = in4[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  return sum;
  // [/middle]
}

/// out[i] = the share of thread i of the sum of all n elements.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_wide(const float* in, float* out, unsigned n) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = wide_sum(in, n);
}

/// *out = the sum of all n elements.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  __shared__ bool is_last;  // whether this block is the last to finish
  // [ticket]
  float sum = block_sum(wide_sum(in, n));
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();                                              // my sum is there before my ticket is drawn
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;  // the last ticket sets the counter to 0
    __threadfence();                                              // after the last ticket, all sums are there
  }
  __syncthreads();  // all threads know is_last, and block_sum may be called again
  if (!is_last) return;
  // [/ticket]

  sum = Sum::identity();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partials[b];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *out = sum;
}
