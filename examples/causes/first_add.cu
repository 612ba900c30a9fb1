// Why is chapter 3's reduce_first_add faster than reduce_sequential: because there are half as many trees, or
// because each thread has two loads in flight? Both, one at a time. docs/causes.md is the lesson.
//
//     ./warpwise exec -I. examples/causes/first_add.cu
//     nvcc -arch=native -O3 -I. examples/causes/first_add.cu -o a && ./a 26 15

#include "examples/sums.cuh"

namespace {

constexpr unsigned threads = 256;

/// The sum of 256 values, in partial[0]; all threads must call it.
__device__ float tree(float value) {
  __shared__ float partial[threads];
  const unsigned tid = threadIdx.x;
  __syncthreads();  // or a second tree could overwrite what the first one has not read yet
  partial[tid] = value;
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    if (tid < stride) partial[tid] += partial[tid + stride];
    __syncthreads();  // or the next level could read a value before this level has stored it
  }
  return partial[0];
}

// [four]
/// A load that waits for the value `first`: its address depends on it. `zero` is 0, which no compiler can
/// know.
__device__ float load_after(const float* from, float first, unsigned zero) {
  return from[__float_as_uint(first) & zero];
}
/// Each block takes 512 elements, two for each thread.
template <bool both_in_flight, bool one_tree>
__global__ void sum(const float* in, float* out, unsigned zero) {
  const float* const mine = in + blockIdx.x * size_t{2 * threads} + threadIdx.x;
  float sum;
  if constexpr (both_in_flight) {
    const float first = mine[0], second = mine[threads];
    sum = one_tree ? tree(first + second) : tree(first) + tree(second);
  } else if constexpr (one_tree) {
    const float first = mine[0];
    sum = tree(first + load_after(mine + threads, first, zero));
  } else {
    const float first = mine[0];
    sum = tree(first);
    sum += tree(load_after(mine + threads, first, zero));
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/four]

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 14);
  const unsigned blocks = static_cast<unsigned>(table.n / (2 * threads));
  table.head("for 512 elements, 256 threads make");
  table.row("two trees; the second load after the first tree", blocks,
            [&] { sum<false, false><<<blocks, threads>>>(table.in, table.out, 0); });
  table.row("two trees; two loads in flight", blocks,
            [&] { sum<true, false><<<blocks, threads>>>(table.in, table.out, 0); });
  table.row("one tree; the second load after the first", blocks,
            [&] { sum<false, true><<<blocks, threads>>>(table.in, table.out, 0); });
  table.row("one tree; two loads in flight: reduce_first_add", blocks,
            [&] { sum<true, true><<<blocks, threads>>>(table.in, table.out, 0); });
  return table.status();
}
