/// \file Whole kernels: several launches, recursion, templates, wide loads.
#include "../launching_program.cuh"

// finding: none
// why: two launches between two buffers: the second reads what the first wrote
namespace level_by_level {

__global__ void pair_sums(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[2 * i] + in[2 * i + 1];
}

const LaunchingProgram program("level_by_level",
                               {{pair_sums, "grid=2 block=128 args=in:u32[512]:random,a:u32[256]:poison"},
                                {pair_sums, "grid=1 block=128 args=a,b:u32[128]:poison"}});

}  // namespace level_by_level

// finding: none
// why: each thread calls a function that calls itself, to a depth of its own
namespace recursion {

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void table(unsigned* out) { out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3 % 4); }

const LaunchingProgram program("recursion", {{table, "grid=1 block=32 args=out:u32[32]:poison"}});

}  // namespace recursion

// finding: none
// why: the loop over the levels is unrolled by the compiler; the kernel's name is mangled
namespace template_over_the_block_size {

template <unsigned B>
__global__ void reduce_unrolled(const float* in, float* out) {
  __shared__ float partial[B];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * B + t];
  __syncthreads();
#pragma unroll
  for (unsigned stride = B / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t < 32) {
    float value = partial[t];
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (t == 0) out[blockIdx.x] = value;
  }
}
template __global__ void reduce_unrolled<128>(const float*, float*);

const LaunchingProgram program("template_over_the_block_size",
                               {{reduce_unrolled<128>,
                                 "grid=2 block=128 args=in:f32[256]:random,out:f32[2]:poison"}});

}  // namespace template_over_the_block_size

// finding: none
// why: 16-byte loads with a head and a tail, warp sums, one atomic a block on a cleared total
namespace to_the_roof {

__global__ void sum(const unsigned* in, unsigned* out, unsigned skip, unsigned n) {
  __shared__ unsigned sums[4];
  in += skip;
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, threads = gridDim.x * blockDim.x;
  const unsigned head = min(n, static_cast<unsigned>((16 - reinterpret_cast<size_t>(in) % 16) % 16 / 4));
  const unsigned quads = (n - head) / 4, tail = head + 4 * quads;
  unsigned value = i < head ? in[i] : 0;
  for (unsigned q = i; q < quads; q += threads) {
    const uint4 v = reinterpret_cast<const uint4*>(in + head)[q];
    value += v.x + v.y + v.z + v.w;
  }
  if (tail + i < n) value += in[tail + i];
  for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (t % 32 == 0) sums[t / 32] = value;
  __syncthreads();
  if (t == 0) atomicAdd(out, sums[0] + sums[1] + sums[2] + sums[3]);
}

const LaunchingProgram program(
    "to_the_roof",
    {{sum, "grid=2 block=128 args=in:u32[1003]:random,out:u32[1]:zero,skip:u32:1,n:u32:1002"}});

}  // namespace to_the_roof

// finding: none
// why: the lanes of one load read two buffers, in whichever order these lie in memory
namespace one_load_of_two_buffers {

__global__ void interleave(const unsigned* a, const unsigned* b, unsigned* out) {
  const unsigned t = threadIdx.x;
  out[t] = (t % 2 == 0 ? a : b)[t];
  unsigned* const own = (t % 2 == 0 ? out + 32 : const_cast<unsigned*>(b)) + t;
  *own = t;
}

const LaunchingProgram program(
    "one_load_of_two_buffers",
    {{interleave, "grid=1 block=32 args=a:u32[32]:random,b:u32[32]:random,out:u32[64]:poison"},
     {interleave, "grid=1 block=32 args=b:u32[32]:random,a:u32[32]:random,out:u32[64]:poison"}});

}  // namespace one_load_of_two_buffers

// finding: none
// why: chapter 1's reduction, its barrier in front of each level
namespace tree_of_pairs {

__global__ void sum(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[t];
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0) partial[t] += partial[t + stride];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

const LaunchingProgram program("tree_of_pairs",
                               {{sum,
                                 "grid=2 block=64 shared=256 args=in:f32[64]:random,out:f32[2]:poison"}});

}  // namespace tree_of_pairs

// finding: none
// why: threads of all blocks store the same value in one word, and none of them reads it
namespace all_blocks_say_the_same {

__global__ void any_large(const unsigned* in, unsigned* out) {
  if (in[threadIdx.x] > 9) *out = 1;
}

const LaunchingProgram program("all_blocks_say_the_same",
                               {{any_large, "grid=2 block=64 args=in:u32[64]:random,out:u32[1]:zero"}});

}  // namespace all_blocks_say_the_same

// finding: none
// why: whole lines, halves of lines and single words of the same memory, each block its own
namespace wide_and_narrow_reads_of_one_line {

__global__ void mix(const float* in, float* out) {
  float* mine = out + blockIdx.x * 128;
  const unsigned t = threadIdx.x;
  mine[t] = in[t];
  mine[64 + t] = in[64 + t];
  __syncthreads();
  float sum = mine[t + 1] + mine[2 * t % 128];
  if (t < 32) {
    const float4 four = reinterpret_cast<const float4*>(mine)[t];
    sum += four.x + four.w;
  }
  __syncthreads();
  mine[t] = sum;
}

const LaunchingProgram program("wide_and_narrow_reads_of_one_line",
                               {{mix, "grid=2 block=64 args=in:f32[128]:random,out:f32[256]:poison"}});

}  // namespace wide_and_narrow_reads_of_one_line
