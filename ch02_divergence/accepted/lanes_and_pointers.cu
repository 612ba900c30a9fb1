// accepted: pointers; one half of the block for even and one for odd; ranks by counting flags

#include "../kernels.hpp"
#include "../operations.hpp"

using warpwise::ch02::shake;
using warpwise::ch02::stir;

__device__ void add_pair(float* left, unsigned distance) { *left = *left + *(left + distance); }

extern "C" __global__ void reduce_contiguous(const float* in, float* out, unsigned n) {
  extern __shared__ float partial[];  // blockDim.x floats, shared by the threads of the block

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  unsigned at_work = blockDim.x / 2;
  for (unsigned level = 0; at_work > 0; ++level) {
    if (tid < at_work) add_pair(partial + (tid << (level + 1)), 1u << level);
    at_work /= 2;
    __syncthreads();
  }

  if (tid == 0) out[blockIdx.x] = *partial;
}

extern "C" __global__ void alternate_by_warp(const unsigned* in, unsigned* out, unsigned n) {
  const unsigned half = blockDim.x / 2;  // one warp at least
  const unsigned i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % half) + threadIdx.x / half;
  if (i >= n) return;
  if (threadIdx.x < half) {
    out[i] = stir(in[i]);
  } else {
    out[i] = shake(in[i]);
  }
}

extern "C" __global__ void score_matches(const int* home_goals, const int* away_goals, int* home_points,
                                         int* away_points, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int sign = (home_goals[i] > away_goals[i]) - (home_goals[i] < away_goals[i]);
  const int is_draw = 1 - sign * sign;
  home_points[i] += (3 * sign * sign + 3 * sign) / 2 + is_draw;
  away_points[i] += (3 * sign * sign - 3 * sign) / 2 + is_draw;
}

extern "C" __global__ void partition_by_sign(const int* in, unsigned* out, unsigned n) {
  extern __shared__ unsigned shared[];
  unsigned* flags = shared;                 // blockDim.x, later the elements
  unsigned* grouped = shared + blockDim.x;  // blockDim.x + 32

  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + tid;
  int value = -1;
  if (i < n) value = in[i];
  const unsigned flag = value >= 0 ? 1 : 0;
  flags[tid] = flag;
  grouped[tid] = 7;
  if (tid < 32) grouped[blockDim.x + tid] = 7;
  __syncthreads();

  unsigned ahead = 0;
  unsigned all = 0;
  for (unsigned other = 0; other < blockDim.x; ++other) {
    ahead += other < tid ? flags[other] : 0;
    all += flags[other];
  }
  const unsigned boundary = (all + 31) & ~31u;
  grouped[flag ? ahead : boundary + tid - ahead] = static_cast<unsigned>(value);
  __syncthreads();

  const auto process = [&](unsigned slot) {
    const unsigned x = grouped[slot];
    if (slot < boundary) {
      grouped[slot] = stir(x);
    } else {
      grouped[slot] = shake(x);
    }
  };
  process(tid);
  if (tid < 32) process(blockDim.x + tid);
  __syncthreads();

  const unsigned from = tid < all ? tid : tid - all + boundary;
  if (i < n) out[i] = grouped[from];
}

extern "C" __global__ void sum_convergent(float* values) {
  float* mine = values + threadIdx.x;
  for (unsigned at_work = blockDim.x; at_work != 0; at_work >>= 1) {
    if (threadIdx.x < at_work) add_pair(mine, at_work);
    __syncthreads();
  }
}

extern "C" __global__ void sum_convergent_mirrored(float* values) {
  const unsigned from_the_end = blockDim.x - 1 - threadIdx.x;
  float* mine = values + 2 * blockDim.x - 1 - from_the_end;
  for (unsigned at_work = blockDim.x; at_work != 0; at_work >>= 1) {
    if (from_the_end < at_work) *mine += *(mine - at_work);
    __syncthreads();
  }
}
