// What this chapter writes by hand, done by CUB. beside_cub.cpp compares results and counters.

#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>

#include "../operators.hpp"

constexpr int block = 256;

struct Larger {
  __device__ float operator()(float a, float b) const { return Max::combine(a, b); }
};
struct Better {
  __device__ Best operator()(Best a, Best b) const {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
  }
};

// [cub_warp]
extern "C" __global__ void cub_warp_sum(const float* in, float* out, unsigned n) {
  using WarpReduce = cub::WarpReduce<float>;
  __shared__ WarpReduce::TempStorage storage[block / 32];  // empty inside, but the interface needs it
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float sum = WarpReduce(storage[threadIdx.x / 32]).Sum(i < n ? in[i] : Sum::identity());
  if (threadIdx.x % 32 == 0) out[i / 32] = sum;
}
// [/cub_warp]

extern "C" __global__ void cub_warp_max(const float* in, float* out, unsigned n) {
  using WarpReduce = cub::WarpReduce<float>;
  __shared__ WarpReduce::TempStorage storage[block / 32];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float largest =
      WarpReduce(storage[threadIdx.x / 32]).Reduce(i < n ? in[i] : Max::identity(), Larger{});
  if (threadIdx.x % 32 == 0) out[i / 32] = largest;
}

// [cub_block]
__device__ float cub_sum_of_block(float value) {
  using BlockReduce = cub::BlockReduce<float, block>;
  __shared__ BlockReduce::TempStorage storage;
  return BlockReduce(storage).Sum(value);  // thread 0 has it
}
// [/cub_block]

extern "C" __global__ void cub_block_sum(const float* in, float* out, unsigned n) {
  float sum = Sum::identity();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = cub_sum_of_block(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void cub_block_dot(const float* a, const float* b, float* out, unsigned n) {
  float sum = Sum::identity();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += a[i] * b[i];
  sum = cub_sum_of_block(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

extern "C" __global__ void cub_block_argmax(const float* in, float* value, unsigned* index, unsigned n) {
  using BlockReduce = cub::BlockReduce<Best, block>;
  __shared__ BlockReduce::TempStorage storage;
  Best best = no_best();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    best = Better{}(best, Best{in[i], i});
  best = BlockReduce(storage).Reduce(best, Better{});
  if (threadIdx.x == 0) {
    value[blockIdx.x] = best.value;
    index[blockIdx.x] = best.index;
  }
}
