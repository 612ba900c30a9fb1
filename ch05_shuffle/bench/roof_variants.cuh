#pragma once
/// \file Given, for the comparison with CUB: reduce_to_the_roof with other operators, by one block alone, and
/// for few elements.
/// A sum, a maximum and a maximum with its index differ in a rule. How the blocks divide the elements among
/// them, and how the last one finishes, is the same. One block alone draws no ticket.

#include "../kernels.hpp"
#include "../operators.hpp"

namespace warpwise::ch05 {

struct SumRule {
  using Value = float;
  __device__ static Value identity() { return 0.0f; }
  __device__ static float no_element() { return 0.0f; }
  __device__ static Value of(float value, unsigned) { return value; }
  __device__ static Value combine(Value a, Value b) { return a + b; }
  __device__ static Value from_below(Value value, unsigned distance) {
    return __shfl_down_sync(0xffffffffu, value, distance);
  }
};

/// The largest value. NaN loses against every number.
struct MaxRule {
  using Value = float;
  __device__ static Value identity() { return Max::identity(); }
  __device__ static float no_element() { return Max::identity(); }
  __device__ static Value of(float value, unsigned) { return value; }
  __device__ static Value combine(Value a, Value b) { return fmaxf(a, b); }
  __device__ static Value from_below(Value value, unsigned distance) {
    return __shfl_down_sync(0xffffffffu, value, distance);
  }
};

/// The largest value, and the lowest index at which it occurs.
struct ArgMaxRule {
  using Value = Best;
  __device__ static Value identity() { return no_best(); }
  __device__ static float no_element() { return nanf(""); }  // with any index it is never the best
  __device__ static Value of(float value, unsigned index) { return {value, index}; }
  __device__ static Value combine(Value a, Value b) {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
  __device__ static Value from_below(Value best, unsigned distance) {
    return {__shfl_down_sync(0xffffffffu, best.value, distance),
            __shfl_down_sync(0xffffffffu, best.index, distance)};
  }
};

/// The reduction over all threads of the block, in thread 0. A second call needs a barrier before it.
template <class Rule, unsigned threads = roof_threads>
__device__ typename Rule::Value block_reduce(typename Rule::Value value) {
  constexpr unsigned warps = threads / 32;
  __shared__ typename Rule::Value of_warps[warps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = Rule::combine(value, Rule::from_below(value, distance));
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();  // or the first warp could read what its warp has not stored yet
  if (warp == 0) {
    value = lane < warps ? of_warps[lane] : Rule::identity();
    for (unsigned distance = warps / 2; distance > 0; distance /= 2)
      value = Rule::combine(value, Rule::from_below(value, distance));
  }
  return value;
}

/// The reduction of this thread's share of the n elements, read 16 bytes at a time wherever they are.
template <class Rule>
__device__ typename Rule::Value wide_share(const float* in, unsigned n) {
  const unsigned thread = blockIdx.x * roof_threads + threadIdx.x;
  const unsigned misplaced = static_cast<unsigned>(reinterpret_cast<size_t>(in) / sizeof(float) % 4);
  const unsigned head = min((4 - misplaced) % 4, n), quads = (n - head) / 4, tail = head + 4 * quads;
  auto value = Rule::identity();
  const auto take = [&](float element, unsigned index) {
    value = Rule::combine(value, Rule::of(element, index));
  };
  const auto take_four = [&](const float4& four, unsigned quad) {
    const unsigned first = head + 4 * quad;
    take(four.x, first);
    take(four.y, first + 1);
    take(four.z, first + 2);
    take(four.w, first + 3);
  };
  if (thread < head) take(in[thread], thread);
  if (thread < n - tail) take(in[tail + thread], tail + thread);

  const float4* const in4 = reinterpret_cast<const float4*>(in + head);
  constexpr unsigned tile = roof_threads * roof_loads;
  for (unsigned t = blockIdx.x; t < quads / tile; t += gridDim.x) {
    const unsigned first = t * tile + threadIdx.x;
    float4 v[roof_loads];
#pragma unroll
    for (unsigned k = 0; k < roof_loads; ++k) v[k] = __ldcs(in4 + first + k * roof_threads);
#pragma unroll
    for (unsigned k = 0; k < roof_loads; ++k) take_four(v[k], first + k * roof_threads);
  }
  for (unsigned i = quads / tile * tile + thread; i < quads; i += gridDim.x * roof_threads)
    take_four(in4[i], i);
  return value;
}

/// The reduction of this thread's share, if no block has more than one tile of `threads` * `loads` float4.
/// Every load is on its way before the first is waited for. For this to be true in the machine code, too,
/// missing elements have a value, and four are combined before they meet the rest.
template <class Rule, unsigned threads = roof_threads, unsigned loads = roof_loads>
__device__ typename Rule::Value share_of_one_tile(const float* in, unsigned n) {
  const unsigned misplaced = static_cast<unsigned>(reinterpret_cast<size_t>(in) / sizeof(float) % 4);
  const unsigned head = min((4 - misplaced) % 4, n), quads = (n - head) / 4, tail = head + 4 * quads;
  const float4* const in4 = reinterpret_cast<const float4*>(in + head);
  const unsigned mine = blockIdx.x * threads * loads + threadIdx.x;
  float4 v[loads];
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    const float nothing = Rule::no_element();
    v[k] = {nothing, nothing, nothing, nothing};
    if (mine + k * threads < quads) v[k] = in4[mine + k * threads];
  }
  auto value = Rule::identity();
  if (mine < head) value = Rule::of(in[mine], mine);
  if (mine < n - tail) value = Rule::combine(value, Rule::of(in[tail + mine], tail + mine));
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    const unsigned first = head + 4 * (mine + k * threads);
    const auto low = Rule::combine(Rule::of(v[k].x, first), Rule::of(v[k].y, first + 1));
    const auto high = Rule::combine(Rule::of(v[k].z, first + 2), Rule::of(v[k].w, first + 3));
    value = Rule::combine(value, Rule::combine(low, high));
  }
  return value;
}

/// The reduction of all n elements by one block, in thread 0; n is at most alone_elements.
template <class Rule, unsigned threads = alone_threads>
__device__ typename Rule::Value reduce_alone(const float* in, unsigned n) {
  constexpr unsigned loads = alone_elements / 4 / threads;
  return block_reduce<Rule, threads>(share_of_one_tile<Rule, threads, loads>(in, n));
}

/// `store` writes a value to the result or, with true, to the blocks' own places; `load` reads from the
/// latter.
template <class Rule, class Store, class Load>
__device__ void reduce_by(const float* in, unsigned n, unsigned* ticket, Store store, Load load) {
  __shared__ bool is_last;
  auto value = block_reduce<Rule>(wide_share<Rule>(in, n));
  if (threadIdx.x == 0) {
    store(blockIdx.x, value, true);
    __threadfence();                                              // mine is there before my ticket is drawn
    is_last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;  // the last one sets the counter to 0
    __threadfence();                                              // after the last ticket, all are there
  }
  __syncthreads();  // all threads know is_last, and block_reduce may be called again
  if (!is_last) return;
  value = Rule::identity();
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) value = Rule::combine(value, load(b));
  value = block_reduce<Rule>(value);
  if (threadIdx.x == 0) store(0, value, false);
}

}  // namespace warpwise::ch05

/// *out = the sum of the n elements, or the largest of them and *index = its lowest index; one block.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::alone_threads)
    sum_alone(const float* in, float* out, unsigned n) {
  const float sum = warpwise::ch05::reduce_alone<warpwise::ch05::SumRule>(in, n);
  if (threadIdx.x == 0) *out = sum;
}
extern "C" __global__ void __launch_bounds__(warpwise::ch05::alone_threads)
    max_alone(const float* in, float* out, unsigned n) {
  const float largest = warpwise::ch05::reduce_alone<warpwise::ch05::MaxRule>(in, n);
  if (threadIdx.x == 0) *out = largest;
}
extern "C" __global__ void __launch_bounds__(warpwise::ch05::alone_argmax_threads)
    argmax_alone(const float* in, float* value, unsigned* index, unsigned n) {
  using warpwise::ch05::alone_argmax_threads, warpwise::ch05::ArgMaxRule;
  const Best best = warpwise::ch05::reduce_alone<ArgMaxRule, alone_argmax_threads>(in, n);
  if (threadIdx.x == 0) {
    *value = best.value;
    *index = best.index;
  }
}

/// *out = the largest of the n elements; launched like reduce_to_the_roof.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    max_to_the_roof(const float* in, float* out, unsigned n, float* partials, unsigned* ticket) {
  using warpwise::ch05::MaxRule;
  warpwise::ch05::reduce_by<MaxRule>(
      in, n, ticket,
      [&](unsigned place, float value, bool is_partial) { (is_partial ? partials : out)[place] = value; },
      [&](unsigned block) { return partials[block]; });
}

/// *value, *index = the largest of the n elements and its lowest index; `indices` has a word for each block,
/// too.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    argmax_to_the_roof(const float* in, float* value, unsigned* index, unsigned n, float* partials,
                       unsigned* indices, unsigned* ticket) {
  using warpwise::ch05::ArgMaxRule;
  warpwise::ch05::reduce_by<ArgMaxRule>(
      in, n, ticket,
      [&](unsigned place, const Best& best, bool is_partial) {
        (is_partial ? partials : value)[place] = best.value;
        (is_partial ? indices : index)[place] = best.index;
      },
      [&](unsigned block) {
        return Best{partials[block], indices[block]};
      });
}

// --- A sum or maximum of few elements ----------------------------------------------------------------------
//
// No block has more than one tile, and the time is that of the round trips to memory. reduce_to_the_roof
// makes four of them, one after the other: for the elements, to store its sum before the fence, for the
// ticket, and for the sums of all blocks. Here a block draws its ticket while its elements are on their way.
// Its result is in one word together with the mark that it is there, so no fence is needed. That leaves two
// round trips.

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
/// (kernels.hpp). `posted` has a word for each block. These words and *ticket are 0 before and after a
/// launch.
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    sum_ticket_first(const float* in, float* out, unsigned n, unsigned long long* posted, unsigned* ticket) {
  warpwise::ch05::reduce_ticket_first<warpwise::ch05::SumRule>(in, out, n, posted, ticket);
}
extern "C" __global__ void __launch_bounds__(warpwise::ch05::roof_threads)
    max_ticket_first(const float* in, float* out, unsigned n, unsigned long long* posted, unsigned* ticket) {
  warpwise::ch05::reduce_ticket_first<warpwise::ch05::MaxRule>(in, out, n, posted, ticket);
}
