/// \file Values that nobody has set, and what then depends on them.
#include "../launching_program.cuh"

// finding: uninitialised at `sum += in[i];`
// why: the sum starts with whatever its register held
namespace sum_without_a_start {

__global__ void sums(const float* in, float* out, unsigned n) {
  float sum;
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  out[threadIdx.x] = sum;
}

const LaunchingProgram program("sum_without_a_start",
                               {{sums,
                                 "grid=1 block=32 args=in:f32[64]:random,out:f32[64]:poison,n:u32:64"}});

}  // namespace sum_without_a_start

// finding: uninitialised at `out[threadIdx.x] = value;`
// why: threads past n store what they have not loaded
namespace load_for_some_threads {

__global__ void copy(const float* in, float* out, unsigned n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  out[threadIdx.x] = value;
}

const LaunchingProgram program("load_for_some_threads",
                               {{copy,
                                 "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison,n:u32:40"}});

}  // namespace load_for_some_threads

// finding: uninitialised at `value += __shfl_down_sync(0xffffffffu, value, d);`
// why: lanes past n bring a register that they have not set to the sum of the warp
namespace unset_in_a_shuffle {

__global__ void sum(const float* in, float* out, unsigned n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
#pragma unroll 1
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (threadIdx.x == 0) out[0] = value;
}

const LaunchingProgram program("unset_in_a_shuffle",
                               {{sum, "grid=1 block=32 args=in:f32[64]:random,out:f32[64]:poison,n:u32:20"}});

}  // namespace unset_in_a_shuffle

// finding: uninitialised at `partial[threadIdx.x] = value;`
// why: what one thread has not set another one adds up
namespace unset_in_shared_memory {

__global__ void sum(const float* in, float* out, unsigned n) {
  __shared__ float partial[64];
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  partial[threadIdx.x] = value;
  __syncthreads();
  for (unsigned stride = 32; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = partial[0];
}

const LaunchingProgram program("unset_in_shared_memory",
                               {{sum, "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison,n:u32:40"}});

}  // namespace unset_in_shared_memory

// finding: uninitialised at `atomicAdd(out, value);`
// why: threads past n add what they have not loaded
namespace unset_in_an_atomic {

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  atomicAdd(out, value);
}

const LaunchingProgram program("unset_in_an_atomic",
                               {{sum, "grid=1 block=64 args=in:u32[64]:random,out:u32[1]:zero,n:u32:40"}});

}  // namespace unset_in_an_atomic

// finding: uninitialised at `if (value > 30)`
// why: threads past n ask what they have not loaded
namespace unset_in_a_condition {

__global__ void mark(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  __syncthreads();
  if (value > 30)
    atomicExch(&out[threadIdx.x], value);
  else
    out[threadIdx.x] = 0;
}

const LaunchingProgram program("unset_in_a_condition",
                               {{mark,
                                 "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40"}});

}  // namespace unset_in_a_condition

// finding: uninitialised at `out[threadIdx.x] = in[place % 64] + place;`
// why: threads past n go to a place that they have not loaded
namespace unset_in_an_index {

__global__ void gather(const unsigned* in, unsigned* out, unsigned n) {
  unsigned place;
  if (threadIdx.x < n) place = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = in[place % 64] + place;
}

const LaunchingProgram program("unset_in_an_index",
                               {{gather,
                                 "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40"}});

}  // namespace unset_in_an_index

// finding: uninitialised at `const unsigned odd = __ballot_sync(0xffffffffu, value % 2 != 0);`
// why: lanes past n vote on what they have not loaded
namespace unset_in_a_vote {

__global__ void count(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  const unsigned odd = __ballot_sync(0xffffffffu, value % 2 != 0);
  out[threadIdx.x] = __popc(odd) + (threadIdx.x < n ? value : 0);
}

const LaunchingProgram program("unset_in_a_vote",
                               {{count,
                                 "grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison,n:u32:20"}});

}  // namespace unset_in_a_vote

// finding: uninitialised at `while (i < 64 && s[i] != 0) ++i;`
// why: the search runs on behind the elements that were written
namespace unwritten_in_a_condition {

__global__ void search(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = in[threadIdx.x] | 1;
  __syncthreads();
  unsigned i = threadIdx.x;
#pragma unroll 1
  while (i < 64 && s[i] != 0) ++i;
  out[threadIdx.x] = i;
}

const LaunchingProgram program("unwritten_in_a_condition",
                               {{search, "grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace unwritten_in_a_condition

// finding: uninitialised at `out[threadIdx.x] = in[s[threadIdx.x] % 64];`
// why: half the table of places is not written
namespace unwritten_in_an_index {

__global__ void gather(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  if (threadIdx.x < 32) s[threadIdx.x] = 63 - threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = in[s[threadIdx.x] % 64];
}

const LaunchingProgram program("unwritten_in_an_index",
                               {{gather, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace unwritten_in_an_index

// finding: uninitialised at `s[t].kind = t % 16;` or `if (s[63 - t].is_last) out[t] = s[63 - t].kind;`
// why: one field of the word is set, and another one decides
namespace bit_field_that_nobody_sets {

struct Marks {
  unsigned char kind : 4, is_last : 1;
};

__global__ void mark(unsigned* out) {
  __shared__ Marks s[64];
  const unsigned t = threadIdx.x;
  s[t].kind = t % 16;
  __syncthreads();
  if (s[63 - t].is_last) out[t] = s[63 - t].kind;
}

const LaunchingProgram program("bit_field_that_nobody_sets",
                               {{mark, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace bit_field_that_nobody_sets

// finding: uninitialised at `out[t] = s[63 - t].is_last;` or `s[t].kind = t % 16;`
// why: one field of the word is set, and another one is the result
namespace bit_field_that_is_taken_out {

struct Marks {
  unsigned kind : 4, is_last : 1;
};

__global__ void mark(unsigned* out) {
  __shared__ Marks s[64];
  const unsigned t = threadIdx.x;
  s[t].kind = t % 16;
  __syncthreads();
  out[t] = s[63 - t].is_last;
}

const LaunchingProgram program("bit_field_that_is_taken_out",
                               {{mark, "grid=1 block=64 args=out:u32[64]:poison"}});

}  // namespace bit_field_that_is_taken_out

// finding: uninitialised at `data[i] *= 2;`
// why: the array is doubled where it lies, and nobody has filled it: no bit-field, though the lowest bit is known
namespace doubled_where_it_lies {

__global__ void twice(unsigned* data) {
  const unsigned i = threadIdx.x;
  data[i] *= 2;
}

const LaunchingProgram program("doubled_where_it_lies",
                               {{twice, "grid=1 block=64 args=data:u32[64]:poison"}});

}  // namespace doubled_where_it_lies

// finding: uninitialised at `s[t] = places[t] << 8 | in[t] % 256;`
// why: half of the places are not written; packed beside a part that is known they lie in shared memory for a while
namespace half_of_a_packed_word {

__global__ void pack(const unsigned* in, unsigned* out) {
  __shared__ unsigned places[64], s[64];
  const unsigned t = threadIdx.x;
  if (t < 32) places[t] = t;
  __syncthreads();
  s[t] = places[t] << 8 | in[t] % 256;
  __syncthreads();
  out[t] = s[63 - t];
}

const LaunchingProgram program("half_of_a_packed_word",
                               {{pack, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace half_of_a_packed_word
