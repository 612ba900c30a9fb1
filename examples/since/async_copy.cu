// A sum whose elements go to shared memory by cp.async, several pieces ahead, beside loads into registers.
// ch05_shuffle/since.md is the lesson.
//
//     ./warpwise exec -I. -arch=sm_80 examples/since/async_copy.cu ch05_shuffle/solution.cu
//     nvcc -arch=native -O3 -I. examples/since/async_copy.cu ch05_shuffle/solution.cu -o a && ./a 28 15

#include <cuda_pipeline.h>

#include "ch05_shuffle/kernels.hpp"
#include "examples/sums.cuh"

namespace {

constexpr unsigned threads = 512;

// [async]
/// out[b] = the sum of what block b took; n is a multiple of 4. Each thread copies for itself, so it need not
/// wait for others: `stages` pieces of 16 bytes are on their way.
template <unsigned stages>
__global__ void __launch_bounds__(threads) sum_async(const float4* in, size_t quads, float* out) {
  __shared__ float4 piece[stages][threads];
  const size_t step = gridDim.x * size_t{threads};
  size_t next = blockIdx.x * size_t{threads} + threadIdx.x;
  const auto copy_to = [&](unsigned stage) {
    if (next < quads) __pipeline_memcpy_async(&piece[stage][threadIdx.x], in + next, sizeof(float4));
    __pipeline_commit();  // also where there is nothing to copy: the pieces are counted
    next += step;
  };
  for (unsigned stage = 0; stage < stages; ++stage) copy_to(stage);
  float sum = 0.0f;
  unsigned stage = 0;
  for (size_t i = blockIdx.x * size_t{threads} + threadIdx.x; i < quads; i += step) {
    __pipeline_wait_prior(stages - 1);  // the oldest piece is there
    const float4 v = piece[stage][threadIdx.x];
    sum += (v.x + v.y) + (v.z + v.w);
    copy_to(stage);
    stage = stage + 1 == stages ? 0 : stage + 1;
  }
  sum = sums::block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/async]

template <unsigned stages>
void row(sums::Table& table, const char* name) {
  const unsigned blocks = 4 * sums::multiprocessors();
  table.row(name, blocks, [&] {
    sum_async<stages><<<blocks, threads>>>(reinterpret_cast<const float4*>(table.in), table.n / 4, table.out);
  });
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 16);
  float* const partials = sums::allocate<float>(4 * sums::multiprocessors());
  unsigned* const ticket = sums::allocate<unsigned>(1);
  sums::require(cudaMemset(ticket, 0, sizeof(unsigned)), "cudaMemset");
  const auto n = static_cast<unsigned>(table.n);
  table.head("16 bytes a load or copy, 4 blocks of 512 threads");
  table.row("reduce_to_the_roof: four loads in flight", 1, [&] {
    reduce_to_the_roof<<<warpwise::ch05::roof_grid(sums::multiprocessors(), n), threads>>>(
        table.in, table.out, n, partials, ticket);
  });
  row<1>(table, "cp.async, one in flight");
  row<2>(table, "cp.async, two in flight");
  row<4>(table, "cp.async, four in flight");
  row<5>(table, "cp.async, five in flight");
  return table.status();
}
