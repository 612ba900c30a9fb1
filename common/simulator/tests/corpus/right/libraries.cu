/// \file Collectives of CUB and of cooperative groups.
#include "../launching_program.cuh"  // first: it has host code, so that NVRTC ends there

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>

// finding: none
// why: CUB's warp reduction, one temporary storage a warp
namespace cub_warp_reduce {

__global__ void sums(const unsigned* in, unsigned* out) {
  using Reduce = cub::WarpReduce<unsigned>;
  __shared__ typename Reduce::TempStorage storage[4];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const unsigned sum = Reduce(storage[t / 32]).Sum(in[i]);
  if (t % 32 == 0) out[i / 32] = sum;
}

const LaunchingProgram program("cub_warp_reduce",
                               {{sums, "grid=2 block=128 args=in:u32[256]:random,out:u32[8]:poison"}});

}  // namespace cub_warp_reduce

// finding: none
// why: CUB's block reduction, its storage used twice with a barrier between
namespace cub_block_reduce {

__global__ void sum_and_max(const unsigned* in, unsigned* out) {
  using Reduce = cub::BlockReduce<unsigned, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
  const unsigned sum = Reduce(storage).Sum(value);
  __syncthreads();
  const unsigned largest =
      Reduce(storage).Reduce(value, [](unsigned a, unsigned b) { return a < b ? b : a; });
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = sum;
    out[2 * blockIdx.x + 1] = largest;
  }
}

const LaunchingProgram program("cub_block_reduce",
                               {{sum_and_max, "grid=2 block=128 args=in:u32[256]:random,out:u32[4]:poison"}});

}  // namespace cub_block_reduce

// finding: none
// why: CUB's block scan over several elements a thread
namespace cub_block_scan {

__global__ void scan(const unsigned* in, unsigned* out) {
  using Scan = cub::BlockScan<unsigned, 128>;
  __shared__ typename Scan::TempStorage storage;
  unsigned items[4];
  for (unsigned k = 0; k < 4; ++k) items[k] = in[4 * threadIdx.x + k];
  Scan(storage).InclusiveSum(items, items);
  for (unsigned k = 0; k < 4; ++k) out[4 * threadIdx.x + k] = items[k];
}

const LaunchingProgram program("cub_block_scan",
                               {{scan, "grid=1 block=128 args=in:u32[512]:random,out:u32[512]:poison"}});

}  // namespace cub_block_scan

// finding: none
// why: the lanes that are in the branch form a group, elect a leader and share one atomic
namespace coalesced_group {

namespace cg = cooperative_groups;
__global__ void compact(const unsigned* in, unsigned* used, unsigned* seen) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3 == 0) {
    const auto group = cg::coalesced_threads();
    unsigned first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(used, group.size());
    const unsigned slot = group.shfl(first, 0) + group.thread_rank();
    seen[slot] = 1;
  }
}

const LaunchingProgram program(
    "coalesced_group",
    {{compact, "grid=2 block=64 args=in:u32[128]:random,used:u32[1]:zero,seen:u32[128]:zero"}});

}  // namespace coalesced_group

// finding: none
// why: tiles of eight reduce on their own, in code that diverges between tiles
namespace tiles_of_cooperative_groups {

namespace cg = cooperative_groups;
__global__ void tiles(const unsigned* in, unsigned* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned result = 0;
  if (i / 8 % 2 == 0) {
    result = cg::reduce(tile, in[i], cg::plus<unsigned>());
  } else {
    result = in[i];
    for (unsigned d = 4; d > 0; d /= 2) result = max(result, tile.shfl_xor(result, d));
  }
  if (tile.thread_rank() == 0) out[i / 8] = result;
}

const LaunchingProgram program("tiles_of_cooperative_groups",
                               {{tiles, "grid=2 block=64 args=in:u32[128]:random,out:u32[16]:poison"}});

}  // namespace tiles_of_cooperative_groups

// finding: none
// why: the warps of a tile tell each other through shared memory, and each tells its lanes by a shuffle
namespace tiles_of_several_warps {

namespace cg = cooperative_groups;
__global__ void tiles(const unsigned* in, unsigned* out) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto tile = cg::tiled_partition<128>(cg::this_thread_block(memory));
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned sum = cg::reduce(tile, in[i], cg::plus<unsigned>());
  tile.sync();
  const unsigned fourth = tile.shfl(in[i], 3);
  tile.sync();
  out[i] = sum + fourth + tile.any(in[i] % 64 == 7);
}

const LaunchingProgram program("tiles_of_several_warps",
                               {{tiles, "grid=2 block=256 args=in:u32[512]:random,out:u32[512]:poison"}});

}  // namespace tiles_of_several_warps
