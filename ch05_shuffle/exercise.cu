// Chapter 5: registers instead of shared memory. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"
#include "operators.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// out[i] = the element of lane `source` of the same warp.
extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  // TODO (about 2 lines): every lane loads its own element; one shuffle hands the element of lane `source` to
  //      all of them.
}

/// out[i] = the element `distance` lanes below; the first lanes keep their own.
extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines): as broadcast, with the shuffle that moves values `distance` lanes up: each lane
  //      gets the value of the lane `distance` below. What does a lane get that has none there?
}

/// out[i] = the element `distance` lanes above; the last lanes keep their own.
extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines): as shift_up, in the other direction.
}

/// out[i] = the sum of the 32 elements of the warp, in every lane.
extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  // TODO (about 4 lines): five times, add the value of the lane whose number differs in one bit. Why does
  //      every lane end with the same sum?
}

/// Reduces the values of the 32 lanes of a warp, all of which must call it. Lane 0 returns the result; what
/// the others return is up to the function.
template <class Operator, class T>
__device__ T warp_reduce(T value) {
  // TODO reduce (about 3 lines): five steps. In each, a lane combines its value with the one of the lane 16,
  //      8, 4, 2, 1 further up. Name all lanes in the mask: all of them are here.
  return value;
}

/// The element of this thread, or the operator's identity where there is none.
template <class Operator, class T>
__device__ T own_element(const T* in, unsigned n) {
  // TODO own element (about 2 lines): what does a thread at or past n contribute, so that nothing changes?
  return T{};
}

/// Lane 0 writes what its warp has found to the warp's place in `out`.
template <class T>
__device__ void store_by_lane_0(T* out, T value) {
  // TODO store (1 line): one lane of the warp writes.
}

/// out[w] = the reduction of the 32 elements of warp w: the body of the eight kernels below.
template <class Operator, class T>
__device__ void reduce_each_warp(const T* in, T* out, unsigned n) {
  // TODO each warp (2 lines): load with own_element, reduce with warp_reduce, store with store_by_lane_0, all
  //      for Operator. Then all eight kernels below are done: they differ in their operator alone.
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

/// The sum over all threads of the block, in thread 0; what the others return is up to the function. Every
/// thread of the block must call it. One block barrier; a second call needs a barrier before it.
__device__ float block_sum(float value) {
  // TODO block sum (about 7 lines): every warp reduces its values and stores one, in
  //      `__shared__ float warp_sums[32];`. After a barrier (why?) the first warp, all 32 lanes of it,
  //      reduces these. What does a lane contribute that has no warp?
  return value;
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  // TODO add (about 2 lines): each thread adds elements a whole grid apart, from its own on.

  // TODO store (about 2 lines): block_sum, and one thread writes out[blockIdx.x].
}

/// *total += the sum of all elements.
extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  // TODO (about 4 lines): as reduce_shuffle, but one thread of the block adds the block's sum to *total, in a
  //      way that cannot lose the sum of another block.
}

/// The better of two: the larger value, of equal values the one with the lower index. NaN never is.
__device__ Best better(Best a, Best b) {
  // TODO better (1 line): compare the values, and of equal values the indices. What if b.value is NaN?
  return a;
}

/// The best of the 32 lanes of a warp, in lane 0.
__device__ Best warp_best(Best best) {
  // TODO warp best (about 5 lines): as warp_reduce, with better(), but two shuffles a step: a value travels
  //      with its index.
  return best;
}

/// value[b], index[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  // TODO find (about 3 lines): the best of this thread's elements, starting from no_best(): why not from the
  //      first element?

  // TODO warps (about 6 lines): warp_best; lane 0 stores value and index for its warp, in two shared arrays
  //      of 32; a barrier.

  // TODO block (about 7 lines): the first warp finds the best of the warps and stores it.
}

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  // TODO (about 4 lines): as reduce_shuffle, with a product for each element.
}

/// This thread's share of the sum of `tiles` whole tiles, of roof_threads * roof_loads float4 each: a block
/// takes one tile at a time, and goes on by the whole grid.
__device__ float sum_of_tiles(const float4* in, unsigned tiles) {
  // TODO tiles (about 12 lines): for each of its tiles, a thread loads roof_loads float4 into registers first
  //      (constants of namespace warpwise::ch05, kernels.hpp), then adds them up, so that the loads are under
  //      way together. Neighbouring threads load neighbouring float4.
  return 0.0f;
}

/// out[i] = the share of thread i of the sum of all tiles.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_tiles(const float* in, float* out, unsigned tiles) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum_of_tiles(reinterpret_cast<const float4*>(in), tiles);
}

/// This thread's share of the sum of all n elements, read 16 bytes at a time wherever they are.
__device__ float wide_sum(const float* in, unsigned n) {
  // TODO edges (about 7 lines): `in` is at a multiple of 4 bytes, a float4 must be at one of 16. How many
  //      elements lie before the first such place, how many whole float4 follow, how many elements remain?
  //      Some thread adds each of those at the two ends.

  // TODO middle (about 6 lines): the whole tiles by sum_of_tiles, then the float4 that do not fill a tile.
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
  // TODO sum (about 6 lines): wide_sum and block_sum. One thread stores the block's sum to partials, then
  //      draws a ticket with atomicInc, which sets the counter back to 0 at the last one. Two fences: which
  //      accesses do they keep in order?

  // TODO last block (about 6 lines): a `__shared__ bool` tells all threads whether theirs is the last block.
  //      The block with the last ticket, and no other, adds up the partials and writes *out.
}
