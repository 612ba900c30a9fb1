// Tensor cores as adders: a matrix of elements times a matrix of ones. ch05_shuffle/since.md is the lesson.
// The simulated GPU refuses them.
//
//     nvcc -arch=native -O3 -I. examples/since/tensor_cores.cu ch05_shuffle/solution.cu -o a && ./a 28 15

#include <mma.h>

#include <cmath>

#include "ch05_shuffle/kernels.hpp"
#include "examples/sums.cuh"

namespace {

using namespace nvcuda;
constexpr unsigned threads = 512;

// [tensor]
using Elements = wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;
using Ones = wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, 16, 16, 8, float>;

/// out[b] = the sum of what block b took. One instruction of a warp adds 128 elements to 16 sums of rows,
/// each of which it has 16 times over: once for each column of ones. Which element is where makes no
/// difference. Rounded: an element keeps 11 of its 24 bits. Split: what that leaves is added too, in two more
/// products.
/// Apart: each product is added to the sums by the ordinary adders.
template <bool is_split, bool is_apart>
__global__ void __launch_bounds__(threads, 2)
    sum_by_tensor_cores(const float4* in, size_t quads, float* out) {
  static_assert(Elements::num_elements == 4, "a lane holds 4 of the 128 elements");
  Ones ones;
  Sums sums;
  wmma::fill_fragment(ones, 1.0f);
  wmma::fill_fragment(sums, 0.0f);
  const auto add = [&](const float(&v)[4]) {
    Elements a;
    for (unsigned k = 0; k < 4; ++k) a.x[k] = wmma::__float_to_tf32(v[k]);
    if constexpr (is_apart) {
      Sums zero, product;
      wmma::fill_fragment(zero, 0.0f);
      wmma::mma_sync(product, a, ones, zero);
      for (unsigned k = 0; k < Sums::num_elements; ++k) sums.x[k] += product.x[k];
    } else {
      wmma::mma_sync(sums, a, ones, sums);
    }
  };
  const size_t step = gridDim.x * size_t{4 * threads};
  for (size_t i = blockIdx.x * size_t{4 * threads} + threadIdx.x; i < quads; i += step) {
    float4 v[4];  // quads is a multiple of 4 * threads: all lanes of a warp are here
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) v[k] = __ldcs(in + i + k * threads);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      float rest[4] = {v[k].x, v[k].y, v[k].z, v[k].w};
      add(rest);
      if constexpr (is_split) {
        for (unsigned part = 0; part < 2; ++part) {
          for (float& one : rest) one -= wmma::__float_to_tf32(one);
          add(rest);
        }
      }
    }
  }
  float sum = 0.0f;
  for (unsigned k = 0; k < Sums::num_elements; ++k) sum += sums.x[k];
  sum = sums::block_sum(sum / 16);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/tensor]

/// Floats from 0 to 1, with all their bits.
__global__ void fill_fractions(float* in, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    in[i] = static_cast<float>(warpwise::measuring::mixed(static_cast<unsigned>(i) + 1) >> 8) * 0x1p-24f;
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 20);
  float* const partials = sums::allocate<float>(4 * sums::multiprocessors());
  unsigned* const ticket = sums::allocate<unsigned>(1);
  sums::require(cudaMemset(ticket, 0, sizeof(unsigned)), "cudaMemset");
  const auto n = static_cast<unsigned>(table.n);
  const unsigned blocks = 2 * sums::multiprocessors();
  const auto chapters = [&] {
    reduce_to_the_roof<<<warpwise::ch05::roof_grid(sums::multiprocessors(), n), threads>>>(
        table.in, table.out, n, partials, ticket);
  };
  const auto tensor = [&](auto is_split, auto is_apart) {
    sum_by_tensor_cores<decltype(is_split)::value, decltype(is_apart)::value>
        <<<blocks, threads>>>(reinterpret_cast<const float4*>(table.in), table.n / 4, table.out);
  };
  const std::true_type yes;
  const std::false_type no;
  table.head("integers from -8 to 7");
  table.row("reduce_to_the_roof", 1, chapters);
  table.row("tensor cores, tf32", blocks, [&] { tensor(no, no); });
  table.row("tensor cores, each float as three of tf32", blocks, [&] { tensor(yes, no); });
  table.row("the same, each product added apart", blocks, [&] { tensor(yes, yes); });

  // Not exact: how far is each off?
  fill_fractions<<<8 * sums::multiprocessors(), 256>>>(table.in, table.n);
  double exact = 0;
  for (const float one : sums::download(table.in, table.n))
    exact += one;  // 24 + 29 bits: a double holds them
  const auto error_of = [&](const char* name, unsigned parts) {
    double sum = 0;
    for (const float part : sums::download(table.out, parts)) sum += part;
    std::printf("%-52s%18.2g\n", name, std::fabs(sum - exact) / exact);
  };
  std::printf("\n%-52s%18s\n", "floats from 0 to 1", "relative error");
  chapters();
  error_of("reduce_to_the_roof", 1);
  tensor(no, no);
  error_of("tensor cores, tf32", blocks);
  tensor(yes, no);
  error_of("tensor cores, each float as three of tf32", blocks);
  tensor(yes, yes);
  error_of("the same, each product added apart", blocks);
  return table.status();
}
