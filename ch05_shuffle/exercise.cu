// Chapter 5: registers instead of shared memory. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"
#include "operators.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// out[i] = the element of lane `source` of the same warp.
extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  // TODO (about 2 lines)
}

/// out[i] = the element of the lane `distance` below; the first lanes keep their own.
extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines)
}

/// out[i] = the element of the lane `distance` above; the last lanes keep their own.
extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines)
}

/// out[i] = the sum of the 32 elements of the warp, in every lane.
extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  // TODO (about 4 lines)
}

/// Reduces the values of the 32 lanes of a warp. All lanes must call it. Lane 0 returns the result; the
/// others may return anything.
template <class Operator, class T>
__device__ T warp_reduce(T value) {
  // TODO (about 3 lines)
  return value;
}

/// The element of this thread, or the operator's identity if it has none.
template <class Operator, class T>
__device__ T own_element(const T* in, unsigned n) {
  // TODO (about 2 lines)
  return T{};
}

/// Lane 0 writes its warp's result to the warp's place in `out`.
template <class T>
__device__ void store_by_lane_0(T* out, T value) {
  // TODO (1 line)
}

/// out[w] = the reduction of the 32 elements of warp w: the body of the eight kernels below.
template <class Operator, class T>
__device__ void reduce_each_warp(const T* in, T* out, unsigned n) {
  // TODO (2 lines, with own_element, warp_reduce and store_by_lane_0)
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
  // TODO (about 7 lines)
  return value;
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  // TODO (about 4 lines, with block_sum)
}

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  // TODO (about 4 lines, with block_sum)
}

/// The better of two: the larger value, or of equal values the one with the lower index. `a` is no NaN.
__device__ Best better(Best a, Best b) {
  // TODO (1 line)
  return a;
}

/// The best of the 32 lanes of a warp, in lane 0.
__device__ Best warp_best(Best best) {
  // TODO (about 5 lines, with better())
  return best;
}

/// value[b], index[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  // TODO (about 16 lines, with warp_best and better())
}

/// *total += the sum of all elements.
extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  // TODO (about 4 lines, with block_sum)
}

/// This thread's share of the sum of `tiles` whole tiles of roof_threads * roof_loads float4 each. A block
/// takes one tile at a time; its next one is a whole grid further on.
__device__ float sum_of_tiles(const float4* in, unsigned tiles) {
  // TODO (about 12 lines)
  return 0.0f;
}

/// out[i] = the share of thread i of the sum of all tiles.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_tiles(const float* in, float* out, unsigned tiles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum_of_tiles(reinterpret_cast<const float4*>(in), tiles);
}

/// This thread's share of the sum of all n elements, read 16 bytes at a time wherever `in` begins.
__device__ float wide_sum(const float* in, unsigned n) {
  // TODO (about 13 lines, with sum_of_tiles)
  return 0.0f;
}

/// out[i] = the share of thread i of the sum of all n elements.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_wide(const float* in, float* out, unsigned n) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = wide_sum(in, n);
}

/// *out = the sum of all n elements.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    reduce_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  // TODO (about 12 lines, with wide_sum and block_sum)
}
