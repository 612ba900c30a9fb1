// accepted: partners half a block away; regrouping in shared memory; passes that end where their group ends

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const float* const first = in + blockIdx.x * blockDim.x;
  partial[tid] = first + tid < in + n ? first[tid] : 0.0f;
  __syncthreads();

  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  __shared__ unsigned tile[1024];  // so that global memory is read and written in order
  const unsigned tid = threadIdx.x;
  const unsigned begin = blockIdx.x * blockDim.x;
  if (begin + tid < n) tile[tid] = in[begin + tid];
  __syncthreads();

  const unsigned warp = tid / 32;
  const unsigned mine = warp / 2 * 64 + warp % 2 + 2 * (tid % 32);
  if (begin + mine < n) tile[mine] = warp % 2 == 0 ? stir(tile[mine]) : shake(tile[mine]);
  __syncthreads();

  if (begin + tid < n) out[begin + tid] = tile[tid];
}

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int home = 1;
    int away = 1;
    if (home_goals[i] > away_goals[i]) {
      home = 3;
      away = 0;
    }
    if (home_goals[i] < away_goals[i]) {
      home = 0;
      away = 3;
    }
    home_points[i] += home;
    away_points[i] += away;
  }
}

extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned slots[];
  __shared__ unsigned counts[32];

  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = blockDim.x / 32;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

  const int value = i < n ? in[i] : -1;
  const unsigned vote = __ballot_sync(0xffffffff, value >= 0);
  const unsigned count = __popc(vote);
  atomicExch(&counts[warp], count);  // all lanes, the same number
  slots[threadIdx.x] = 0;
  if (warp == 0) slots[blockDim.x + lane] = 0;
  const unsigned front = __syncthreads_count(value >= 0);

  unsigned rank = __popc(vote & ~(0xffffffffu << lane));
  for (unsigned w = 0; w < warp; ++w) rank += counts[w];
  const unsigned back = (front + 31) / 32;  // the warp of slots with which the negatives begin
  const unsigned rank_negative = threadIdx.x - rank;
  slots[value >= 0 ? rank : 32 * back + rank_negative] = value;
  __syncthreads();

  for (unsigned w = warp; w < back; w += warps) slots[32 * w + lane] = stir(slots[32 * w + lane]);
  for (unsigned w = back + warp; 32 * w < 32 * back + blockDim.x - front; w += warps)
    slots[32 * w + lane] = shake(slots[32 * w + lane]);
  __syncthreads();

  const unsigned gap = 32 * back - front;
  if (i < n) out[i] = slots[threadIdx.x + (threadIdx.x < front ? 0 : gap)];
}

extern "C" __global__ void sum_convergent(float* values) {
  for (unsigned width = 2 * blockDim.x; width > 1; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width / 2) values[threadIdx.x] += values[threadIdx.x + width / 2];
  }
}

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned last = 2 * blockDim.x - 1;
  for (unsigned width = 2 * blockDim.x; width > 1; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width / 2) values[last - threadIdx.x] += values[last - threadIdx.x - width / 2];
  }
}
