#pragma once
/// \file Given, for the comparison with CUB: a sum or maximum of few elements. No block has more than one
/// tile, and the time is that of the round trips to memory. reduce_to_the_roof makes four of them, one after
/// the other: for the elements, to store its sum before the fence, for the ticket, and for the sums of all
/// blocks. Here a block draws its ticket while its elements are on their way. Its result is in one word
/// together with the mark that it is there, so no fence is needed. That leaves two round trips.

#include "roof_variants.cuh"

namespace warpwise::ch05 {

/// In global or shared memory. Relaxed, because only the word itself passes between threads (PTX ISA, "Memory
/// consistency model").
__device__ inline void post(unsigned long long* word, unsigned long long value) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
__device__ inline unsigned long long read(const unsigned long long* word) {
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

/// A posted result; a word that is 0 holds none.
__device__ inline unsigned long long marked(float value) { return 1ull << 32 | __float_as_uint(value); }

/// Waits for the result in `word`, and takes it out.
__device__ inline float take_posted(unsigned long long* word) {
  unsigned long long value;
  while ((value = read(word)) == 0) {
  }
  post(word, 0);  // for the next launch
  return __uint_as_float(static_cast<unsigned>(value));
}

/// The block that draws the last ticket waits for the others. Each of them has drawn a ticket, so it has
/// begun, and it waits for no other block. The results are combined in the order of the blocks, whichever is
/// the last. The last block posts its own result inside the block, so no barrier keeps its other warps from
/// looking for theirs.
template <class Rule>
__device__ void reduce_ticket_first(const float* in, float* out, unsigned n, unsigned long long* posted,
                                    unsigned* ticket) {
  __shared__ bool is_last;
  __shared__ unsigned long long own;  // of the last block
  unsigned drawn = 0;
  if (threadIdx.x == 0) drawn = atomicInc(ticket, gridDim.x - 1);  // the last one sets the counter to 0
  float value = share_of_one_tile<Rule>(in, n);
  if (threadIdx.x == 0) {
    is_last = drawn == gridDim.x - 1;
    own = 0;
  }
  value = block_reduce<Rule>(value);  // after its barrier all threads know both
  if (threadIdx.x == 0) post(is_last ? &own : posted + blockIdx.x, marked(value));
  if (!is_last) return;
  value = Rule::identity();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
    value = Rule::combine(value, take_posted(b == blockIdx.x ? &own : posted + b));
  __syncthreads();  // block_reduce may be called again
  value = block_reduce<Rule>(value);
  if (threadIdx.x == 0) *out = value;
}

}  // namespace warpwise::ch05

/// *out = the sum of the n elements, or the largest of them. Launch: a block of roof_threads for each tile
/// (roof.hpp). `posted` has a word for each block. These words and *ticket are 0 before and after a launch.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_ticket_first(const float* in, float* out, unsigned n, unsigned long long* posted, unsigned* ticket) {
  warpwise::ch05::reduce_ticket_first<warpwise::ch05::SumRule>(in, out, n, posted, ticket);
}
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    max_ticket_first(const float* in, float* out, unsigned n, unsigned long long* posted, unsigned* ticket) {
  warpwise::ch05::reduce_ticket_first<warpwise::ch05::MaxRule>(in, out, n, posted, ticket);
}
