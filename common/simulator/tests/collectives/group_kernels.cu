/// \file Cooperative groups: tiles, coalesced groups, partitions, reduce and scan. All kernels: one block of
/// 128 threads, in[t] is thread t's value; collectives_test.cpp says what `out` must hold.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <int size>
__device__ void tile_with(const int* in, int* out) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int t = threadIdx.x, value = in[t];
  out[t] = cg::reduce(tile, value, cg::plus<int>());
  out[128 + t] = cg::reduce(tile, value, cg::less<int>());
  out[256 + t] = cg::inclusive_scan(tile, value);
  out[384 + t] = cg::exclusive_scan(tile, value, cg::plus<int>());
  out[512 + t] = cg::reduce(tile, value, cg::bit_xor<int>());
}

/// out[640 k ..] for tiles of 1, 4, 16, 32 lanes: each thread's sum, least, inclusive sum, exclusive sum, xor
/// of its tile
extern "C" __global__ void tiles(const int* in, int* out) {
  tile_with<1>(in, out);
  tile_with<4>(in, out + 640);
  tile_with<16>(in, out + 1280);
  tile_with<32>(in, out + 1920);
}

/// out[t]: sum of those of the warp whose value is odd or even as the thread's own, by coalesced_threads;
/// [128 ..]: the thread's place among them; [256 ..]: the largest of them, by binary_partition;
/// [384 ..]: their inclusive sums; [512 ..]: how many of the warp share in[t] % 3, by labeled_partition
extern "C" __global__ void partitions(const int* in, int* out) {
  const int t = threadIdx.x, value = in[t];
  if (value % 2 != 0) {
    const auto odd = cg::coalesced_threads();
    out[t] = cg::reduce(odd, value, cg::plus<int>());
    out[128 + t] = odd.thread_rank();
  } else {
    const auto even = cg::coalesced_threads();
    out[t] = cg::reduce(even, value, cg::plus<int>());
    out[128 + t] = even.thread_rank();
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  warp.sync();
  const auto alike = cg::binary_partition(warp, value % 2 != 0);
  out[256 + t] = cg::reduce(alike, value, cg::greater<int>());
  out[384 + t] = cg::inclusive_scan(alike, value);
  warp.sync();
  out[512 + t] = cg::labeled_partition(warp, value % 3).size();
}

#if __CUDA_ARCH__ < \
    800  // later ones keep such a tile's state in reserved shared memory, which the simulator has not
/// out[t]: sum of a tile of 64 threads, in which two warps meet in shared memory; [128]: the sum of all
extern "C" __global__ void wide_tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<128> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  out[threadIdx.x] = sum;
#if __CUDACC_VER_MAJOR__ > 12 || __CUDACC_VER_MINOR__ >= 1
  cg::invoke_one(tile, [&] { atomicAdd(&out[128], sum); });
#else  // CUDA 12.0 has no invoke_one
  if (tile.thread_rank() == 0) atomicAdd(&out[128], sum);
#endif
}
#endif
