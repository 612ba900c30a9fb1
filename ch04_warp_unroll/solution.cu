// Chapter 4: the last warp needs no block barrier. README.md is the lesson; kernels.hpp says what each kernel
// must do.

#include "kernels.hpp"

[[maybe_unused]] constexpr unsigned lower_half = 0x0000ffffu;  // a mask that names lanes 0 to 15

extern __shared__ float partial[];  // dynamic: blockDim.x floats, shared by the threads of a block

/// Element i of `in`, or the identity of addition if there is none. Given.
__device__ float element(const float* in, unsigned i, unsigned n) { return i < n ? in[i] : 0.0f; }

/// The sum of this thread's two elements, which are `block` apart, as in chapter 3. Given.
__device__ float two_elements(const float* in, unsigned n, unsigned block) {
  const unsigned i = 2 * block * blockIdx.x + threadIdx.x;
  return element(in, i, n) + element(in, i + block, n);
}

/// values[0] = the sum of values[0] to values[31]. All lanes of a warp call this, after waiting until the
/// values are stored; the lanes below 16 do the work. Leaves garbage in values[1] to [15].
__device__ void sum_of_32(float* values, unsigned lane) {
  // [one_condition]
  if (lane < 16) {
#pragma unroll
    for (unsigned stride = 16; stride > 0; stride /= 2) {
      const float sum = values[lane] + values[lane + stride];
      __syncwarp(lower_half);  // or a lane could write its slot before another has read it
      values[lane] = sum;
      __syncwarp(lower_half);  // or the next step could read a slot before this one has written it
    }
  }
  // [/one_condition]
}

/// out[b] = the sum of the 32 elements of block b, with a condition in each step.
extern "C" __global__ void warp_sum_step_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();  // or a lane could read a value before its owner has stored it

  // [step_condition]
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    if (lane < stride) values[lane] += values[lane + stride];
    __syncwarp();  // or the next step could read a sum before this step has stored it
  }
  // [/step_condition]

  if (lane == 0) out[blockIdx.x] = values[0];
}

/// out[b] = the sum of the 32 elements of block b, with one condition around all five additions.
extern "C" __global__ void warp_sum_one_condition(const float* in, float* out, unsigned n) {
  __shared__ float values[32];
  const unsigned lane = threadIdx.x;
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();  // or a lane could read a value before its owner has stored it

  sum_of_32(values, lane);

  if (lane == 0) out[blockIdx.x] = values[0];
}

/// out[b] = the sum of the 32 elements of block b, with no condition, but zeros after the values.
extern "C" __global__ void warp_sum_padded(const float* in, float* out, unsigned n) {
  __shared__ float values[32 + 16];
  const unsigned lane = threadIdx.x;
  if (lane < 16) values[32 + lane] = 0.0f;  // what lanes 16 to 31 add in the first step
  values[lane] = element(in, 32 * blockIdx.x + lane, n);
  __syncwarp();  // or a lane could read a value before its owner has stored it

#pragma unroll
  for (unsigned stride = 16; stride > 0; stride /= 2) {
    const float sum = values[lane] + values[lane + stride];
    __syncwarp();  // or a lane could write its slot before another has read it
    values[lane] = sum;
    __syncwarp();  // or the next step could read a slot before this one has written it
  }
  if (lane == 0) out[blockIdx.x] = values[0];
}

/// out[b] = the sum of the 2 * blockDim.x elements of block b.
extern "C" __global__ void reduce_unroll_last_warp(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = two_elements(in, n, blockDim.x);
  __syncthreads();  // or the tree could read a value before its owner has stored it

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }

  // [last_warp]
  if (tid < 32) {                         // one warp goes on; the others have nothing left to do
    if (blockDim.x > 32) {                // a block of 32 has no slot 32
      partial[tid] += partial[tid + 32];  // no other thread reads what is written here
      __syncwarp();                       // or a lane could read a sum before its owner has stored it
    }
    sum_of_32(partial, tid);
  }
  // [/last_warp]

  if (tid == 0) out[blockIdx.x] = partial[0];
}

/// out[b] = the sum of the 2 * block elements of block b, for blocks of exactly `block` threads.
template <unsigned block>
__device__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  const unsigned tid = threadIdx.x;
  partial[tid] = two_elements(in, n, block);
  __syncthreads();  // or the tree could read a value before its owner has stored it

// [unrolled]
#pragma unroll  // `block` is a constant: the compiler writes the levels out, and no counter remains
  for (unsigned stride = block / 2; stride > 32; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }
  // [/unrolled]

  if (tid < 32) {
    if constexpr (block > 32) {
      partial[tid] += partial[tid + 32];
      __syncwarp();  // or a lane could read a sum before its owner has stored it
    }
    sum_of_32(partial, tid);
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

// The compiler makes code from a template only where its argument is given, as these kernels do. Unlike the
// template, they have names that the host can look up.
extern "C" __global__ void reduce_unrolled_32(const float* in, float* out, unsigned n) {
  reduce_unrolled<32>(in, out, n);
}
extern "C" __global__ void reduce_unrolled_64(const float* in, float* out, unsigned n) {
  reduce_unrolled<64>(in, out, n);
}
extern "C" __global__ void reduce_unrolled_128(const float* in, float* out, unsigned n) {
  reduce_unrolled<128>(in, out, n);
}
extern "C" __global__ void reduce_unrolled_256(const float* in, float* out, unsigned n) {
  reduce_unrolled<256>(in, out, n);
}
extern "C" __global__ void reduce_unrolled_512(const float* in, float* out, unsigned n) {
  reduce_unrolled<512>(in, out, n);
}
extern "C" __global__ void reduce_unrolled_1024(const float* in, float* out, unsigned n) {
  reduce_unrolled<1024>(in, out, n);
}

/// out[b] = the sum of the elements that the threads of block b take, in steps of the whole grid.
extern "C" __global__ void block_sum_by_warps(const float* in, float* out, unsigned n) {
  __shared__ float warp_sums[32];  // 1024 threads are 32 warps
  const unsigned tid = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) sum += in[i];

  // [by_warps]
  const unsigned lane = tid % 32;
  const unsigned warp = tid / 32;
  float* const own = partial + 32 * warp;  // no other warp uses these slots
  own[lane] = sum;
  __syncwarp();  // or a lane could read a value before its owner has stored it
  sum_of_32(own, lane);

  if (lane == 0) warp_sums[warp] = own[0];
  if (tid >= blockDim.x / 32 && tid < 32) warp_sums[tid] = 0.0f;  // for the warps that a smaller block lacks
  __syncthreads();  // or the first warp could read a sum before its warp has stored it

  if (warp == 0) sum_of_32(warp_sums, lane);
  if (tid == 0) out[blockIdx.x] = warp_sums[0];
  // [/by_warps]
}
