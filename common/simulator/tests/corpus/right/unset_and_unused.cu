/// \file Values that nobody has set, and nothing depends on them.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>

// finding: none
// why: an element nobody wrote is loaded, and not chosen
namespace loaded_and_not_chosen {

__global__ void neighbours(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[65];
  const unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  const unsigned next = s[t + 1];
  out[t] = t == 63 ? 0 : next;
}

const LaunchingProgram program("loaded_and_not_chosen",
                               {{neighbours, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace loaded_and_not_chosen

// finding: none
// why: threads past n have set nothing, and store nothing
namespace loaded_and_not_used {

__global__ void scale(const float* in, float* out, unsigned n) {
  float value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  __syncthreads();
  value *= 2;
  if (threadIdx.x < n) out[threadIdx.x] = value;
}

const LaunchingProgram program("loaded_and_not_used",
                               {{scale,
                                 "grid=1 block=64 args=in:f32[64]:random,out:f32[64]:poison,n:u32:40"}});

}  // namespace loaded_and_not_used

// finding: none
// why: lanes past n bring what they have not set to a shuffle, and nobody takes it
namespace shuffled_and_not_used {

__global__ void differences(const float* in, float* out, unsigned n) {
  const unsigned lane = threadIdx.x;
  float value;
  if (lane < n) value = in[lane];
  const float next = __shfl_down_sync(0xffffffffu, value, 1);
  if (lane + 1 < n) out[lane] = next - value;
}

const LaunchingProgram program("shuffled_and_not_used",
                               {{differences,
                                 "grid=1 block=32 args=in:f32[64]:random,out:f32[64]:poison,n:u32:20"}});

}  // namespace shuffled_and_not_used

// finding: none
// why: what the last element was is asked only where there is one
namespace guarded_first_time {

__global__ void changes(const unsigned* in, unsigned* out, unsigned n) {
  unsigned last, count = 0;
  bool has_last = false;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < n; i += 7) {
    if (in[i] % 4 == 0) continue;
    if (has_last && in[i] != last) ++count;
    last = in[i];
    has_last = true;
  }
  out[threadIdx.x] = count;
}

const LaunchingProgram program("guarded_first_time",
                               {{changes,
                                 "grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison,n:u32:50"}});

}  // namespace guarded_first_time

// finding: none
// why: a flag is set under the condition under which it is asked
namespace two_conditions_alike {

__global__ void flags(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned t = threadIdx.x;
  bool is_even;
  if (t < n) is_even = in[t] % 2 == 0;
  __syncthreads();
  out[t] = t < n && is_even ? 1 : 0;
}

const LaunchingProgram program("two_conditions_alike",
                               {{flags,
                                 "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40"}});

}  // namespace two_conditions_alike

// finding: none
// why: of a thread's own array only what it has filled is added up
namespace array_filled_in_part {

__global__ void sums(const unsigned* in, unsigned* out, unsigned n) {
  unsigned own[8];
  for (unsigned i = 0; i < n; ++i) own[(i + in[0]) % 8] = in[i] * threadIdx.x;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) sum += own[(i + in[0]) % 8];
  out[threadIdx.x] = sum;
}

const LaunchingProgram program("array_filled_in_part",
                               {{sums, "grid=1 block=32 args=in:u32[64]:random,out:u32[64]:poison,n:u32:5"}});

}  // namespace array_filled_in_part

// finding: none
// why: a function gets an argument that it does not look at
namespace handed_to_a_function {

__device__ __noinline__ unsigned twice_or_zero(unsigned value, bool is_valid) {
  return is_valid ? 2 * value : 0;
}
__global__ void scale(const unsigned* in, unsigned* out, unsigned n) {
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  out[threadIdx.x] = twice_or_zero(value, threadIdx.x < n);
}

const LaunchingProgram program("handed_to_a_function",
                               {{scale,
                                 "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40"}});

}  // namespace handed_to_a_function

// finding: none
// why: threads put what they have not set into shared memory, where nobody reads it
namespace parked_in_shared_memory {

__global__ void reverse(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned s[64];
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  s[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x < n) out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

const LaunchingProgram program("parked_in_shared_memory",
                               {{reverse,
                                 "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison,n:u32:40"}});

}  // namespace parked_in_shared_memory

// finding: none
// why: a place is kept where one is found, and used where one was found
namespace last_of_a_search {

__global__ void pick(const unsigned* in, unsigned* out, unsigned limit) {
  unsigned place;
  bool is_found = false;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < 64; i += 5)
    if (in[i] > limit) {
      place = i;
      is_found = true;
    }
  out[threadIdx.x] = is_found ? in[place] : 0;
}

const LaunchingProgram program("last_of_a_search",
                               {{pick,
                                 "grid=1 block=32 args=in:u32[64]:iota,out:u32[64]:poison,limit:u32:60"}});

}  // namespace last_of_a_search

// finding: none
// why: an exchange puts a value where there was none, and the old one is not used
namespace old_value_thrown_away {

__global__ void swap(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[64];
  const unsigned t = threadIdx.x;
  const unsigned old = atomicExch(&s[t], in[t]);
  __syncthreads();
  out[t] = t < 64 ? s[63 - t] : old;
}

const LaunchingProgram program("old_value_thrown_away",
                               {{swap, "grid=1 block=64 args=in:u32[64]:random,out:u32[64]:poison"}});

}  // namespace old_value_thrown_away

// finding: none
// why: CUB loads a tile that is not full, sorts it with what nobody loaded, and stores what was there
namespace cub_tile_in_part {

__global__ void tile(const unsigned* in, unsigned* out, unsigned n) {
  using Load = cub::BlockLoad<unsigned, 64, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<unsigned, 64, 4, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
  } storage;
  unsigned items[4];
  Load(storage.load).Load(in, items, n);
  __syncthreads();
  for (unsigned& item : items) item *= 2;
  Store(storage.store).Store(out, items, n);
}

const LaunchingProgram program("cub_tile_in_part",
                               {{tile,
                                 "grid=1 block=64 args=in:u32[200]:random,out:u32[200]:poison,n:u32:200"}});

}  // namespace cub_tile_in_part

// finding: none
// why: CUB reduces a block of which only some threads have a value
namespace cub_block_in_part {

__global__ void sum(const unsigned* in, unsigned* out, unsigned n) {
  using Reduce = cub::BlockReduce<unsigned, 128>;
  __shared__ typename Reduce::TempStorage storage;
  unsigned value;
  if (threadIdx.x < n) value = in[threadIdx.x];
  const unsigned total = Reduce(storage).Sum(value, static_cast<int>(n));
  if (threadIdx.x == 0) out[0] = total;
}

const LaunchingProgram program("cub_block_in_part",
                               {{sum,
                                 "grid=1 block=128 args=in:u32[128]:random,out:u32[1]:poison,n:u32:70"}});

}  // namespace cub_block_in_part

// finding: none
// why: CUB's merge sort looks one element past those that it has written, and does not choose it
namespace cub_merge_sort {

__global__ void sort(const unsigned* in, unsigned* out) {
  using Sort = cub::BlockMergeSort<unsigned, 64, 4>;
  __shared__ typename Sort::TempStorage storage;
  unsigned items[4];
  for (unsigned k = 0; k < 4; ++k) items[k] = in[4 * threadIdx.x + k];
  Sort(storage).Sort(items, [](unsigned a, unsigned b) { return a < b; });
  for (unsigned k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = items[k];
}

const LaunchingProgram program("cub_merge_sort",
                               {{sort, "grid=1 block=64 args=in:u32[256]:random,out:u32[256]:poison"}});

}  // namespace cub_merge_sort
