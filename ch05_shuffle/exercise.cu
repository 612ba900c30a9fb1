// Chapter 5: registers instead of shared memory. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"
#include "operators.hpp"

[[maybe_unused]] constexpr unsigned whole_warp = 0xffffffffu;  // the mask that names all 32 lanes

/// out[i] = the element of lane `source` of the same warp.
extern "C" __global__ void broadcast(const float* in, float* out, unsigned source) {
  // TODO (about 2 lines): load this lane's element, and let one shuffle give the element of lane `source` to
  //      all lanes.
}

/// out[i] = the element of the lane `distance` below; the first lanes keep their own.
extern "C" __global__ void shift_up(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines): as in broadcast, but with the shuffle that moves values `distance` lanes up: each
  //      lane gets the value of the lane `distance` below. What does a lane get if there is no such lane?
}

/// out[i] = the element of the lane `distance` above; the last lanes keep their own.
extern "C" __global__ void shift_down(const float* in, float* out, unsigned distance) {
  // TODO (about 2 lines): as in shift_up, but in the other direction.
}

/// out[i] = the sum of the 32 elements of the warp, in every lane.
extern "C" __global__ void butterfly_sum(const float* in, float* out) {
  // TODO (about 4 lines): five times, add the value of the lane whose number differs in one bit. Why does
  //      every lane end up with the same sum?
}

/// Reduces the values of the 32 lanes of a warp. All lanes must call it. Lane 0 returns the result; the
/// others may return anything.
template <class Operator, class T>
__device__ T warp_reduce(T value) {
  // TODO reduce (about 3 lines): in five steps, combine this lane's value with the value of the lane 16, 8,
  //      4, 2, 1 further up. Name all lanes in the mask, because all of them are here.
  return value;
}

/// The element of this thread, or the operator's identity if it has none.
template <class Operator, class T>
__device__ T own_element(const T* in, unsigned n) {
  // TODO own element (about 2 lines): return it. What must a thread at or past n return to change nothing?
  return T{};
}

/// Lane 0 writes its warp's result to the warp's place in `out`.
template <class T>
__device__ void store_by_lane_0(T* out, T value) {
  // TODO store (1 line): let one lane of the warp write.
}

/// out[w] = the reduction of the 32 elements of warp w: the body of the eight kernels below.
template <class Operator, class T>
__device__ void reduce_each_warp(const T* in, T* out, unsigned n) {
  // TODO each warp (2 lines): load with own_element, reduce with warp_reduce, store with store_by_lane_0, all
  //      for Operator. Then all eight kernels below are done: they differ only in their operator.
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
/// block must call it. One block barrier; a second call needs a barrier before it.
__device__ float block_sum(float value) {
  // TODO block sum (about 7 lines): reduce each warp's values, and store one sum per warp in
  //      `__shared__ float warp_sums[32];`. After a barrier (why?), let all 32 lanes of the first warp reduce
  //      these sums. What does a lane contribute if there is no such warp?
  return value;
}

/// out[b] = the sum of the elements that block b took.
extern "C" __global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  // TODO add (about 2 lines): add elements a whole grid apart, beginning with the thread's own.

  // TODO store (about 2 lines): call block_sum, and write out[blockIdx.x] from one thread.
}

/// *total += the sum of all elements.
extern "C" __global__ void reduce_atomic(const float* in, float* total, unsigned n) {
  // TODO (about 4 lines): as in reduce_shuffle, but one thread of the block adds the block's sum to *total,
  //      in a way that cannot lose the sum of another block.
}

/// The better of two: the larger value, or of equal values the one with the lower index. Never a NaN.
__device__ Best better(Best a, Best b) {
  // TODO better (1 line): compare the values, and the indices of equal values. What if b.value is NaN?
  return a;
}

/// The best of the 32 lanes of a warp, in lane 0.
__device__ Best warp_best(Best best) {
  // TODO warp best (about 5 lines): as in warp_reduce, but with better(), and with two shuffles per step,
  //      because each value carries its index along.
  return best;
}

/// value[b], index[b] = the largest of the elements that block b took.
extern "C" __global__ void reduce_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  // TODO find (about 3 lines): find the best of this thread's elements, starting from no_best(). Why not from
  //      the first element?

  // TODO warps (about 6 lines): call warp_best, store each warp's value and index from lane 0 in two shared
  //      arrays of 32, and wait at a barrier.

  // TODO block (about 7 lines): find the best of the warps in the first warp, and store it.
}

/// out[b] = the sum of a[i] * b[i] over the elements that block b took.
extern "C" __global__ void dot_product(const float* a, const float* b, float* out, unsigned n) {
  // TODO (about 4 lines): as in reduce_shuffle, with a product for each element.
}

/// This thread's share of the sum of `tiles` whole tiles of roof_threads * roof_loads float4 each. A block
/// takes one tile at a time; its next one is a whole grid further on.
__device__ float sum_of_tiles(const float4* in, unsigned tiles) {
  // TODO tiles (about 12 lines): for each of the tiles, first load roof_loads float4 into registers, then add
  //      them up, so that the loads are on their way together. Neighbouring threads load neighbouring float4.
  //      The constants are in namespace warpwise::ch05, kernels.hpp.
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
  // TODO edges (about 7 lines): add the elements at the two ends, one per thread. `in` is at a multiple of 4
  //      bytes, but a float4 must be at a multiple of 16. How many elements lie before the first such place,
  //      how many whole float4 follow, and how many elements remain?

  // TODO middle (about 6 lines): add the whole tiles with sum_of_tiles, then the float4 that do not fill one.
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
  // TODO sum (about 6 lines): call wide_sum and block_sum. In one thread, store the block's sum in partials,
  //      then draw a ticket with atomicInc, which sets the counter back to 0 at the last ticket. You need two
  //      fences: which accesses do they keep in order?

  // TODO last block (about 6 lines): tell all threads, in a `__shared__ bool`, whether theirs is the last
  //      block. In the block with the last ticket, and in no other, add up the partials and write *out.
}
