// Sums with thread block clusters: blocks that run at the same time and reach each other's shared memory.
// ch05_shuffle/since.md is the lesson. The simulated GPU refuses clusters of several blocks.
//
//     nvcc -arch=sm_90 -O3 -I. examples/since/clusters.cu ch05_shuffle/solution.cu -o a && ./a 28 15

#include <cooperative_groups.h>

#include "ch05_shuffle/kernels.hpp"
#include "examples/sums.cuh"

namespace {

namespace cg = cooperative_groups;
using warpwise::ch05::roof_threads;

/// What a thread adds of n elements (a multiple of 4): four loads of 16 bytes in flight.
__device__ float thread_sum(const float* in, size_t n) {
  const float4* const in4 = reinterpret_cast<const float4*>(in);
  const size_t step = gridDim.x * size_t{4 * roof_threads};
  float sum = 0.0f;
  for (size_t i = blockIdx.x * size_t{4 * roof_threads} + threadIdx.x; i < n / 4; i += step) {
    float4 v[4] = {};
#pragma unroll
    for (unsigned k = 0; k < 4; ++k)
      if (i + k * roof_threads < n / 4) v[k] = __ldcs(in4 + i + k * roof_threads);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
  }
  return sum;
}

// [cluster]
/// out[c] = the sum of what the eight blocks of cluster c took. Their sums go to the first block's shared
/// memory.
__global__ void __cluster_dims__(8) __launch_bounds__(roof_threads)
    sum_by_clusters(const float* in, float* out, size_t n) {
  __shared__ float of_blocks[8];
  const cg::cluster_group cluster = cg::this_cluster();
  const float sum = sums::block_sum(thread_sum(in, n));
  cluster.sync();  // the first block has begun: nobody may write into the shared memory of one that has not
  if (threadIdx.x == 0) cluster.map_shared_rank(of_blocks, 0)[cluster.block_rank()] = sum;
  cluster.sync();  // or the first block could read, or end, before the others have stored
  if (cluster.block_rank() != 0 || threadIdx.x != 0) return;
  float all = 0.0f;
  for (const float one : of_blocks) all += one;
  out[blockIdx.x / 8] = all;
}
// [/cluster]

void rows(sums::Table& table, size_t n) {
  const unsigned most = 4 * sums::multiprocessors();
  sums::Table some = table;
  some.n = n;
  // The sum of the first n elements, by one block of the chapter's kernel.
  float* const partials = sums::allocate<float>(most);
  unsigned* const ticket = sums::allocate<unsigned>(1);
  sums::require(cudaMemset(ticket, 0, sizeof(unsigned)), "cudaMemset");
  const auto chapters = [&](unsigned blocks) {
    reduce_to_the_roof<<<blocks, roof_threads>>>(some.in, some.out, static_cast<unsigned>(n), partials,
                                                 ticket);
  };
  chapters(1);
  some.sum = warpwise::measuring::value_at(some.out);
  char title[64];
  std::snprintf(title, sizeof title, "%s floats", timing::name_of(n));
  some.head(title);
  some.row("reduce_to_the_roof: a ticket joins the blocks", 1,
           [&] { chapters(warpwise::ch05::roof_grid(sums::multiprocessors(), static_cast<unsigned>(n))); });
  if (n <= size_t{1} << 18) {
    some.row("one block", 1, [&] { chapters(1); });
    some.row("one cluster of 8 blocks", 1,
             [&] { sum_by_clusters<<<8, roof_threads>>>(some.in, some.out, n); });
  } else {
    const unsigned clusters = most / 8;
    some.row("clusters of 8, a sum for each cluster", clusters,
             [&] { sum_by_clusters<<<8 * clusters, roof_threads>>>(some.in, some.out, n); });
  }
  table.is_right = table.is_right && some.is_right;
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 20);
  for (size_t n = size_t{1} << 12; n <= size_t{1} << 18 && n <= table.n; n *= 4) rows(table, n);
  rows(table, table.n);
  return table.status();
}
