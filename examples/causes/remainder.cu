// Why is chapter 2's kernel faster than chapter 1's: because of the division behind `%`, or because its
// threads are side by side? Four kernels, which differ in one thing at a time. docs/causes.md is the lesson.
//
//     ./warpwise exec -I. examples/causes/remainder.cu
//     nvcc -arch=native -O3 -I. examples/causes/remainder.cu -o a && ./a 26 15

#include "examples/sums.cuh"

namespace {

constexpr unsigned threads = 256;

/// Which pair thread `tid` adds at a stride: where it begins, or `threads` for none.
struct ByRemainder {  // chapter 1
  __device__ static unsigned pair(unsigned tid, unsigned stride) {
    return tid % (2 * stride) == 0 ? tid : threads;
  }
};
struct ByMask {  // the same threads; the stride is a power of two, which the compiler cannot know
  __device__ static unsigned pair(unsigned tid, unsigned stride) {
    return (tid & (2 * stride - 1)) == 0 ? tid : threads;
  }
};
struct SideBySide {  // chapter 2
  __device__ static unsigned pair(unsigned tid, unsigned stride) { return 2 * stride * tid; }
};
struct SideBySideAndDivision {  // chapter 2 with chapter 1's division, whose result changes nothing
  __device__ static unsigned pair(unsigned tid, unsigned stride) {
    return 2 * stride * tid + (tid % (2 * stride) == threads ? 1 : 0);
  }
};

template <class Rule>
__global__ void sum(const float* in, float* out) {
  __shared__ float partial[threads];
  const unsigned tid = threadIdx.x;
  partial[tid] = in[blockIdx.x * size_t{threads} + tid];
  __syncthreads();  // or a level could read what its owner has not stored yet
#pragma unroll 1
  for (unsigned stride = 1; stride < threads; stride *= 2) {
    const unsigned left = Rule::pair(tid, stride);
    if (left < threads) partial[left] += partial[left + stride];
    __syncthreads();  // or the next level could read a sum before this level has stored it
  }
  if (tid == 0) out[blockIdx.x] = partial[0];
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 14);
  const unsigned blocks = static_cast<unsigned>(table.n / threads);
  table.head("which thread adds a pair");
  table.row("tid % (2 * stride) == 0, chapter 1", blocks,
            [&] { sum<ByRemainder><<<blocks, threads>>>(table.in, table.out); });
  table.row("(tid & (2 * stride - 1)) == 0: the same threads", blocks,
            [&] { sum<ByMask><<<blocks, threads>>>(table.in, table.out); });
  table.row("2 * stride * tid, chapter 2", blocks,
            [&] { sum<SideBySide><<<blocks, threads>>>(table.in, table.out); });
  table.row("2 * stride * tid, and a division nobody needs", blocks,
            [&] { sum<SideBySideAndDivision><<<blocks, threads>>>(table.in, table.out); });
  return table.status();
}
