// A sum whose elements go to shared memory by bulk copies: one thread asks for a whole tile, and a barrier in
// shared memory says when it is there. ch05_shuffle/since.md is the lesson. The simulated GPU refuses them.
//
//     nvcc -arch=sm_90 -O3 -I. examples/since/bulk_copy.cu ch05_shuffle/solution.cu -o a && ./a 28 15

#include "ch05_shuffle/kernels.hpp"
#include "examples/sums.cuh"

namespace {

constexpr unsigned threads = 256, tile = 4096;  ///< floats: 16 KiB
constexpr unsigned tile_bytes = tile * sizeof(float);

__device__ unsigned shared_address(const void* of) {
  return static_cast<unsigned>(__cvta_generic_to_shared(of));
}

// [bulk]
/// Asks for a tile, and tells the barrier how many bytes will come.
__device__ void ask_for(unsigned to, const float* from, unsigned barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(tile_bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
      "l"(from), "r"(tile_bytes), "r"(barrier)
      : "memory");
}
/// Waits until the phase with this parity is over: all bytes have come.
__device__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred is_over;\n\t"
      "again: mbarrier.try_wait.parity.shared::cta.b64 is_over, [%0], %1;\n\t"
      "@!is_over bra again;\n\t"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

/// out[b] = the sum of the tiles that block b took; `stages` tiles are on their way.
template <unsigned stages>
__global__ void __launch_bounds__(threads) sum_bulk(const float* in, size_t tiles, float* out) {
  extern __shared__ __align__(128) float4 piece[];  // [stages][tile / 4]
  __shared__ unsigned long long arrived[stages];
  const auto ask = [&](size_t t, unsigned stage) {
    ask_for(shared_address(piece + stage * (tile / 4)), in + t * tile, shared_address(&arrived[stage]));
  };
  if (threadIdx.x == 0) {
    for (unsigned long long& one : arrived)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&one)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");  // the copies see initialised barriers
    for (unsigned stage = 0; stage < stages; ++stage)
      if (const size_t t = blockIdx.x + stage * size_t{gridDim.x}; t < tiles) ask(t, stage);
  }
  __syncthreads();  // or a thread could wait at a barrier that is not there yet
  float sum = 0.0f;
  unsigned stage = 0, parity = 0;
  for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    wait_for(shared_address(&arrived[stage]), parity);
#pragma unroll
    for (unsigned k = 0; k < tile / 4 / threads; ++k) {
      const float4 v = piece[stage * (tile / 4) + k * threads + threadIdx.x];
      sum += (v.x + v.y) + (v.z + v.w);
    }
    __syncthreads();  // or the next copy could overwrite what a thread has not read yet
    if (const size_t then = t + stages * size_t{gridDim.x}; threadIdx.x == 0 && then < tiles)
      ask(then, stage);
    if (++stage == stages) stage = 0, parity ^= 1;
  }
  sum = sums::block_sum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// [/bulk]

template <unsigned stages>
void row(sums::Table& table, const char* name, unsigned blocks_each) {
  const unsigned blocks = blocks_each * sums::multiprocessors();
  sums::require(cudaFuncSetAttribute(sum_bulk<stages>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     stages * tile_bytes),
                "cudaFuncSetAttribute");
  table.row(name, blocks, [&] {
    sum_bulk<stages><<<blocks, threads, stages * tile_bytes>>>(table.in, table.n / tile, table.out);
  });
}

}  // namespace

int main(int count, char** words) {
  sums::Table table(count, words, 20);
  float* const partials = sums::allocate<float>(4 * sums::multiprocessors());
  unsigned* const ticket = sums::allocate<unsigned>(1);
  sums::require(cudaMemset(ticket, 0, sizeof(unsigned)), "cudaMemset");
  const auto n = static_cast<unsigned>(table.n);
  table.head("tiles of 16 KiB, blocks of 256 threads");
  table.row("reduce_to_the_roof: 128 KiB in flight", 1, [&] {
    reduce_to_the_roof<<<warpwise::ch05::roof_grid(sums::multiprocessors(), n),
                         warpwise::ch05::roof_threads>>>(table.in, table.out, n, partials, ticket);
  });
  row<2>(table, "bulk, 1 block, 2 tiles: 32 KiB in flight", 1);
  row<4>(table, "bulk, 1 block, 4 tiles: 64 KiB in flight", 1);
  row<2>(table, "bulk, 2 blocks, 2 tiles each: 64 KiB in flight", 2);
  row<4>(table, "bulk, 2 blocks, 4 tiles each: 128 KiB in flight", 2);
  row<6>(table, "bulk, 2 blocks, 6 tiles each: 192 KiB in flight", 2);
  return table.status();
}
