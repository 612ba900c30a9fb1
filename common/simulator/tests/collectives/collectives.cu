/// \file CUB's warp and block collectives, as its documentation shows them, and cooperative groups: tiles,
/// coalesced groups, partitions, reduce and scan. All kernels: one block of 128 threads;
/// library_collectives_test.cpp says what `out` must hold. CUB's have 512 values of `in`, of which thread t
/// has 4t .. 4t + 3 ("blocked"); those of groups have 128, and in[t] is thread t's.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

constexpr int threads = 128, items = 4, values = threads * items;

struct Most {
  template <class T>
  __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Less {
  template <class T>
  __device__ bool operator()(const T& a, const T& b) const {
    return a < b;
  }
};
struct Differs {
  __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};

/// out[0 .. 3]: each warp's sum of in[t]; [4 .. 7]: its largest; [8 .. 11]: sum of its first 20 lanes;
/// [16 .. 31]: sums of tiles of 8 lanes; [128 ..], [256 ..]: inclusive and exclusive sums within each warp;
/// [384 ..]: sum of each segment that starts where in[t] % 4 == 0, at its first lane, others 0
extern "C" __global__ void warp_reduce_and_scan(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int>;
  using Tile = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int>;
  __shared__ typename Reduce::TempStorage reduce[4];
  __shared__ typename Tile::TempStorage tile[16];
  __shared__ typename Scan::TempStorage scan[4];
  const int t = threadIdx.x, warp = t / 32, value = in[t];
  const int sum = Reduce(reduce[warp]).Sum(value);
  __syncwarp();
  const int most = Reduce(reduce[warp]).Reduce(value, Most{});
  __syncwarp();
  const int part = Reduce(reduce[warp]).Sum(value, 20);
  __syncwarp();
  const bool is_head = value % 4 == 0;
  const int segment = Reduce(reduce[warp]).HeadSegmentedSum(value, is_head);
  if (t % 32 == 0) {
    out[warp] = sum;
    out[4 + warp] = most;
    out[8 + warp] = part;
  }
  const int of_tile = Tile(tile[t / 8]).Sum(value);
  if (t % 8 == 0) out[16 + t / 8] = of_tile;
  int inclusive, exclusive;
  Scan(scan[warp]).InclusiveSum(value, inclusive);
  __syncwarp();
  Scan(scan[warp]).ExclusiveSum(value, exclusive);
  out[128 + t] = inclusive;
  out[256 + t] = exclusive;
  out[384 + t] = is_head || t % 32 == 0 ? segment : 0;
}

/// out: each warp's 128 values, ascending
extern "C" __global__ void warp_sort(const int* in, int* out) {
  using Sort = cub::WarpMergeSort<int, items>;
  __shared__ typename Sort::TempStorage storage[4];
  int mine[items];
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i];
  Sort(storage[threadIdx.x / 32]).Sort(mine, Less{});
  for (int i = 0; i < items; ++i) out[threadIdx.x * items + i] = mine[i];
}

/// out[0]: sum of all; [1]: largest; [2]: sum of in[t] of the first 77 threads
template <cub::BlockReduceAlgorithm algorithm>
__device__ void reduce_with(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, threads, algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  int mine[items];
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i];
  const int sum = Reduce(storage).Sum(mine);
  __syncthreads();
  const int most = Reduce(storage).Reduce(mine, Most{});
  __syncthreads();
  const int part = Reduce(storage).Sum(in[threadIdx.x], 77);
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = most;
    out[2] = part;
  }
}

extern "C" __global__ void block_reduce(const int* in, int* out) {
  reduce_with<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
  reduce_with<cub::BLOCK_REDUCE_RAKING>(in, out + 3);
  reduce_with<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(in, out + 6);
}

/// out[0 .. 511]: exclusive sums; [512 .. 1023]: largest so far; [1024]: the sum of all
template <cub::BlockScanAlgorithm algorithm>
__device__ void scan_with(const int* in, int* out) {
  using Scan = cub::BlockScan<int, threads, algorithm>;
  __shared__ typename Scan::TempStorage storage;
  int mine[items], sums[items], most[items], all;
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i];
  Scan(storage).ExclusiveSum(mine, sums, all);
  __syncthreads();
  Scan(storage).InclusiveScan(mine, most, Most{});
  for (int i = 0; i < items; ++i) {
    out[threadIdx.x * items + i] = sums[i];
    out[values + threadIdx.x * items + i] = most[i];
  }
  if (threadIdx.x == threads - 1) out[2 * values] = all;
}

extern "C" __global__ void block_scan(const int* in, int* out) {
  scan_with<cub::BLOCK_SCAN_RAKING>(in, out);
  scan_with<cub::BLOCK_SCAN_RAKING_MEMOIZE>(in, out + 1025);
  scan_with<cub::BLOCK_SCAN_WARP_SCANS>(in, out + 2050);
}

/// out[0 .. 511]: ascending; [512 .. 1023]: descending, and in [1024 .. 1535] where each value stood
extern "C" __global__ void block_radix_sort(const int* in, int* out) {
  using Sort = cub::BlockRadixSort<int, threads, items>;
  using SortPairs = cub::BlockRadixSort<int, threads, items, int>;
  __shared__ union {
    typename Sort::TempStorage keys;
    typename SortPairs::TempStorage pairs;
  } storage;
  int mine[items], place[items];
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i];
  Sort(storage.keys).Sort(mine);
  for (int i = 0; i < items; ++i) out[threadIdx.x * items + i] = mine[i];
  __syncthreads();
  for (int i = 0; i < items; ++i) mine[i] = in[place[i] = threadIdx.x * items + i];
  SortPairs(storage.pairs).SortDescending(mine, place);
  for (int i = 0; i < items; ++i) {
    out[values + threadIdx.x * items + i] = mine[i];
    out[2 * values + threadIdx.x * items + i] = place[i];
  }
}

/// out[0 .. 31]: how often in[i] & 31 has each value
template <cub::BlockHistogramAlgorithm algorithm>
__device__ void histogram_with(const int* in, int* out) {
  using Histogram = cub::BlockHistogram<unsigned char, threads, items, 32, algorithm>;
  __shared__ typename Histogram::TempStorage storage;
  __shared__ unsigned bins[32];
  unsigned char mine[items];
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i] & 31;
  Histogram(storage).Histogram(mine, bins);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}

extern "C" __global__ void block_histogram(const int* in, int* out) {
  histogram_with<cub::BLOCK_HISTO_ATOMIC>(in, out);
  histogram_with<cub::BLOCK_HISTO_SORT>(in, out + 32);
}

/// out[i] = 2 * in[i] + i % 4, by way of the blocked arrangement
template <cub::BlockLoadAlgorithm load, cub::BlockStoreAlgorithm store>
__device__ void copy_with(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, load>;
  using Store = cub::BlockStore<int, threads, items, store>;
  __shared__ union {
    typename Load::TempStorage load_storage;
    typename Store::TempStorage store_storage;
  } storage;
  int mine[items];
  Load(storage.load_storage).Load(in, mine);
  for (int i = 0; i < items; ++i) mine[i] = 2 * mine[i] + i;
  __syncthreads();
  Store(storage.store_storage).Store(out, mine);
}

extern "C" __global__ void block_load_store(const int* in, int* out) {
  copy_with<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>(in, out);
  copy_with<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>(in, out + values);
  copy_with<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>(in, out + 2 * values);
  copy_with<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(in, out + 3 * values);
  copy_with<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(
      in, out + 4 * values);
}

/// out[0 .. 511]: 1 where a value differs from the one before it (and at 0); [512 .. 1023]: a value less the
/// one before it ([512] is in[0]); [1024 .. 1151]: in[t] of the thread before, thread 0 its own
extern "C" __global__ void block_neighbours(const int* in, int* out) {
  using Discontinuity = cub::BlockDiscontinuity<int, threads>;
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  using Shuffle = cub::BlockShuffle<int, threads>;
  __shared__ typename Discontinuity::TempStorage discontinuity;
  __shared__ typename Difference::TempStorage difference;
  __shared__ typename Shuffle::TempStorage shuffle;
  int mine[items], flags[items], less[items], before = in[threadIdx.x];
  for (int i = 0; i < items; ++i) mine[i] = in[threadIdx.x * items + i];
  Discontinuity(discontinuity).FlagHeads(flags, mine, Differs{});
  Difference(difference).SubtractLeft(mine, less, Minus{});
  Shuffle(shuffle).Offset(before, before, -1);
  for (int i = 0; i < items; ++i) {
    out[threadIdx.x * items + i] = flags[i];
    out[values + threadIdx.x * items + i] = less[i];
  }
  out[2 * values + threadIdx.x] = before;
}

// ---- Cooperative groups

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
