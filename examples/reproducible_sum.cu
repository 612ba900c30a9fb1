// The sum of the same floats, with the same bits: in every run, for every grid, in every order? Four sums,
// and what decides the order of their additions. docs/reproducible.md is the lesson.
//
//     ./warpwise exec -I. examples/reproducible_sum.cu                                   on the simulated GPU
//     nvcc -arch=native -O3 -I. examples/reproducible_sum.cu -o sums && ./sums 28 21     on a GPU
//
// Arguments: LOG2_N and RUNS that are timed. With -DBESIDE_CUB, CUB's sums stand beside; those that promise
// something need CCCL 3.1 (-I its folders cub, thrust and libcudacxx/include). Exit status 1: a sum that must
// have the same bits has not, or the exact one is not the host's.

#include <cmath>
#include <cstring>
#include <functional>
#include <set>
#include <string>

#include "exact_sum.cuh"
#include "timing.cuh"

#ifdef BESIDE_CUB
#include <cub/cub.cuh>
#if CCCL_VERSION >= 3001000
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#endif
#endif

namespace {

using warpwise::measuring::allocate;
using warpwise::measuring::mixed;
using warpwise::measuring::multiprocessors;
using warpwise::measuring::require;
using warpwise::measuring::value_at;

constexpr unsigned threads = 512;

// --- Three sums that round --------------------------------------------------------------------------------

/// Places for the sums of blocks, and the ticket that finds the last one; 0 before and after each launch.
struct Scratch {
  float* of_blocks;
  unsigned* ticket;
};

/// The sum over all threads of the block, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float of_warps[threads / 32];
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
  __syncthreads();  // or a sum could be read before its warp has stored it
  if (threadIdx.x < 32) {
    value = threadIdx.x < threads / 32 ? of_warps[threadIdx.x] : 0.0f;
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value += __shfl_down_sync(0xffffffffu, value, distance);
  }
  __syncthreads();  // or the next call could store before this one has read
  return value;
}

/// Adds the elements from `begin` that this thread takes: of each 4 * 4 * threads * `step` elements 16.
__device__ float thread_sum(const float* in, size_t n, size_t begin, size_t step) {
  constexpr unsigned tile = 4 * 4 * threads;
  float4 sum{};
  size_t i = begin;
  for (; i + tile <= n; i += tile * step) {
    const float4* const mine = reinterpret_cast<const float4*>(in + i) + threadIdx.x;
    const float4 v[4] = {__ldcs(mine), __ldcs(mine + threads), __ldcs(mine + 2 * threads),
                         __ldcs(mine + 3 * threads)};
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      sum.x += v[k].x;
      sum.y += v[k].y;
      sum.z += v[k].z;
      sum.w += v[k].w;
    }
  }
  float rest = 0.0f;
  if (i < n)
    for (size_t j = i + threadIdx.x; j < n; j += threads) rest += in[j];
  return (sum.x + sum.y) + (sum.z + sum.w) + rest;
}

/// The last block to come here adds the sums of all blocks, in the order of their numbers.
__device__ void join_blocks(float sum, Scratch scratch, float* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    scratch.of_blocks[blockIdx.x] = sum;
    __threadfence();  // my sum is there before my ticket is drawn
    is_last = atomicInc(scratch.ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // after the last ticket, all sums are there
  }
  __syncthreads();
  if (!is_last) return;
  float part = 0.0f;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += threads) part += __ldcg(scratch.of_blocks + b);
  part = block_sum(part);
  if (threadIdx.x == 0) *out = part;
}

// [three]
/// Blocks add their sums as they end: chance decides.
__global__ void __launch_bounds__(threads) sum_by_atomics(const float* in, size_t n, float* out) {
  const float sum = block_sum(thread_sum(in, n, size_t{blockIdx.x} * 16 * threads, gridDim.x));
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
/// Which elements a thread takes depends on the number of blocks: the grid decides.
__global__ void __launch_bounds__(threads)
    sum_by_grid(const float* in, size_t n, Scratch scratch, float* out) {
  const float sum = block_sum(thread_sum(in, n, size_t{blockIdx.x} * 16 * threads, gridDim.x));
  join_blocks(sum, scratch, out);
}
/// Block b sums chunk b, always in the same way, and there are as many blocks as chunks: the array decides.
constexpr size_t chunk = size_t{1} << 17;
__global__ void __launch_bounds__(threads)
    sum_by_chunks(const float* in, size_t n, Scratch scratch, float* out) {
  const size_t begin = blockIdx.x * chunk;
  const float sum = block_sum(thread_sum(in, min(n, begin + chunk), begin, 1));
  join_blocks(sum, scratch, out);
}
// [/three]

// --- Elements ---------------------------------------------------------------------------------------------

enum class Kind { uniform, cancelling, magnitudes, any_bits };
constexpr const char* names_of_kinds[] = {"from 0 to 1", "around 0, they cancel", "of 40 magnitudes",
                                          "of any magnitude"};

__device__ float element(Kind kind, size_t i) {
  const unsigned random = mixed(static_cast<unsigned>(i) + 1), other = mixed(~static_cast<unsigned>(i));
  const float fraction = static_cast<float>(random >> 8) * 0x1p-24f;
  switch (kind) {
    case Kind::uniform:
      return fraction;
    case Kind::cancelling:
      return fraction - static_cast<float>(other >> 8) * 0x1p-24f;
    case Kind::magnitudes:
      return ldexpf(fraction - 0.5f, -static_cast<int>(other % 40));
    default:
      return __uint_as_float((random & 0x807fffff) | (1 + other % 223) << 23);
  }
}
__global__ void fill(float* in, size_t n, Kind kind, bool is_reversed) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    in[i] = element(kind, is_reversed ? n - 1 - i : i);
}

/// The exact sum, rounded to a float, by the host: one 64-bit sum of fractions for each exponent, joined at
/// the end. For fewer than 2^39 finite elements.
float sum_of_host(const float* from, size_t n) {
  const std::vector<float> in = warpwise::measuring::download(from, n);
  long long of_exponent[256] = {};
  for (const float x : in) {
    unsigned bits;
    std::memcpy(&bits, &x, sizeof bits);
    const long long size = (bits & 0x7fffff) | (bits << 1 >> 24 != 0 ? 0x800000 : 0);
    of_exponent[bits << 1 >> 24] += bits >> 31 != 0 ? -size : size;
  }
  // Bit by bit, from 2^-149 up: `carry` is what is left of the sum, in units of the bit at hand.
  std::vector<bool> bit;
  __int128 carry = of_exponent[0];
  for (int e = 1; e < 256; ++e) {
    carry += of_exponent[e];
    bit.push_back(carry & 1);
    carry >>= 1;
  }
  for (int k = 0; k < 80; ++k) bit.push_back(carry >> std::min(k, 126) & 1);
  const bool is_negative = carry < 0;
  if (is_negative) {  // the complement, plus 1
    bool borrow = true;
    for (size_t k = 0; k < bit.size(); ++k) {
      const bool one = !bit[k];
      bit[k] = one != borrow;
      borrow = one && borrow;
    }
  }
  int top = static_cast<int>(bit.size()) - 1;
  while (top > 0 && !bit[static_cast<size_t>(top)]) --top;
  const int last = std::max(top - 23, 0);  // of the 24 that a float has
  double size = 0;
  for (int k = top; k >= last; --k) size = 2 * size + bit[static_cast<size_t>(k)];
  if (last > 0 && bit[static_cast<size_t>(last) - 1]) {
    bool is_above_half = false;
    for (int k = 0; k < last - 1; ++k) is_above_half = is_above_half || bit[static_cast<size_t>(k)];
    if (is_above_half || bit[static_cast<size_t>(last)]) ++size;
  }
  size = std::ldexp(size, last - 149);
  return static_cast<float>(is_negative ? -size : size);
}

// --- What each sum gives ----------------------------------------------------------------------------------

struct Memory {
  size_t n;
  float *in, *out;
  Scratch scratch;
  exact::Total* total;
};
/// Queues a sum; not every one can choose the number of its blocks.
using Sum = std::function<void(const Memory&, unsigned blocks)>;

struct Row {
  const char* name;
  Sum sum;
  bool has_grids;
  bool same_runs, same_grids, same_orders;  ///< what it promises
};

#ifdef BESIDE_CUB
#if CCCL_VERSION >= 3001000
template <class Determinism>
Sum cub_that(Determinism determinism) {
  return [determinism](const Memory& m, unsigned) {
    require(cub::DeviceReduce::Sum(m.in, m.out, m.n, cuda::execution::require(determinism)), "cub");
  };
}
#endif
void plain_cub(const Memory& m, unsigned) {
  static void* scratch = nullptr;
  static size_t bytes = 0;
  if (scratch == nullptr) {
    require(cub::DeviceReduce::Sum(scratch, bytes, m.in, m.out, m.n), "cub");
    require(cudaMalloc(&scratch, bytes), "cudaMalloc");
  }
  require(cub::DeviceReduce::Sum(scratch, bytes, m.in, m.out, m.n), "cub");
}
#endif

std::vector<Row> all_rows() {
  std::vector<Row> rows{
      {"atomics",
       [](const Memory& m, unsigned blocks) {
         require(cudaMemsetAsync(m.out, 0, sizeof(float)), "cudaMemset");
         sum_by_atomics<<<blocks, threads>>>(m.in, m.n, m.out);
       },
       true, false, false, false},
      {"the grid",
       [](const Memory& m, unsigned blocks) {
         sum_by_grid<<<blocks, threads>>>(m.in, m.n, m.scratch, m.out);
       },
       true, true, false, false},
      {"chunks",
       [](const Memory& m, unsigned) {
         sum_by_chunks<<<static_cast<unsigned>((m.n - 1) / chunk + 1), threads>>>(m.in, m.n, m.scratch,
                                                                                  m.out);
       },
       false, true, true, false},
      {"exact",
       [](const Memory& m, unsigned blocks) {
         exact::sum_exactly<<<(blocks + 1) / 2, exact::threads>>>(m.in, m.n, m.total, m.out);
       },
       true, true, true, true},
  };
#ifdef BESIDE_CUB
  rows.push_back({"CUB", plain_cub, false, true, true, false});
#if CCCL_VERSION >= 3001000
  namespace determinism = cuda::execution::determinism;
  rows.push_back({"CUB not_guaranteed", cub_that(determinism::not_guaranteed), false, false, false, false});
  rows.push_back({"CUB run_to_run", cub_that(determinism::run_to_run), false, true, true, false});
  rows.push_back({"CUB gpu_to_gpu", cub_that(determinism::gpu_to_gpu), false, true, true, false});
#endif
#endif
  return rows;
}

float result_of(const Row& row, const Memory& memory, unsigned blocks) {
  row.sum(memory, blocks);
  require(cudaGetLastError(), row.name);
  return value_at(memory.out);
}
unsigned bits_of(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Whether all keep what they promise, for elements of one kind.
bool show(const Memory& m, Kind kind, unsigned runs) {
  std::printf("\n%s floats %s\n%-19s%9s%8s%11s%15s%6s%7s%10s\n", timing::name_of(m.n),
              names_of_kinds[static_cast<int>(kind)], "decided by", "ms", "GB/s", "of grid's",
              "off by, 2^-24", "runs", "grids", "reversed");
  const unsigned full = 4 * multiprocessors();
  const auto fill_in = [&](bool is_reversed) { fill<<<full, 256>>>(m.in, m.n, kind, is_reversed); };
  fill_in(true);
  const std::vector<Row> rows = all_rows();
  std::vector<float> reversed;
  for (const Row& row : rows) reversed.push_back(result_of(row, m, full));

  fill_in(false);
  const float expected = sum_of_host(m.in, m.n);
  const double by_grid = timing::milliseconds(runs, [&] { rows[1].sum(m, full); });
  bool is_right = true;
  for (size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    const double time = timing::milliseconds(runs, [&] { row.sum(m, full); });
    const float sum = result_of(row, m, full);
    std::set<unsigned> in_runs{bits_of(sum)}, on_grids{bits_of(sum)};
    for (unsigned run = 1; run < std::max(runs, 2u); ++run) in_runs.insert(bits_of(result_of(row, m, full)));
    for (const unsigned blocks : {3u, 5u, full / 2}) on_grids.insert(bits_of(result_of(row, m, blocks)));
    const bool is_same_reversed = bits_of(reversed[r]) == bits_of(sum);

    char times[64] = "        -       -          -";
    if (runs > 0)
      std::snprintf(times, sizeof times, "%9.4f%8.0f%11.3f", time, 4e-6 * static_cast<double>(m.n) / time,
                    time / by_grid);
    const double off = std::fabs((double{sum} - expected) / expected) * 0x1p24;
    std::printf("%-19s%s%15.4g%6zu%7s%10s\n", row.name, times, off, in_runs.size(),
                row.has_grids ? std::to_string(on_grids.size()).c_str() : "-",
                is_same_reversed ? "same" : "differs");
    is_right = is_right && (!row.same_runs || in_runs.size() == 1) &&
               (!row.same_grids || on_grids.size() == 1) &&
               (!row.same_orders || (is_same_reversed && sum == expected));
  }
  return is_right;
}

}  // namespace

int main(int count, char** words) {
  const unsigned log2_n = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : 16;
  const unsigned runs = count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 0;
  const size_t n = (size_t{1} << log2_n) + (runs == 0 ? 3 : 0);
  timing::print_gpu();
#ifdef BESIDE_CUB
  std::printf("CUB of CCCL %d.%d.%d\n", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION, CCCL_PATCH_VERSION);
  cudaMemPool_t pool;  // CUB takes its scratch memory from it in each call: it keeps what it has
  unsigned long long all = ~0ull;
  require(cudaDeviceGetDefaultMemPool(&pool, 0), "cudaDeviceGetDefaultMemPool");
  require(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all), "cudaMemPoolSetAttribute");
#endif
  const Memory memory{
      n,
      allocate<float>(n),
      allocate<float>(1),
      {allocate<float>(std::max(8 * size_t{multiprocessors()}, n / chunk + 1)), allocate<unsigned>(1)},
      allocate<exact::Total>(1)};
  require(cudaMemset(memory.scratch.ticket, 0, sizeof(unsigned)), "cudaMemset");
  require(cudaMemset(memory.total, 0, sizeof(exact::Total)), "cudaMemset");
  bool is_right = true;
  for (const Kind kind : {Kind::uniform, Kind::cancelling, Kind::magnitudes, Kind::any_bits})
    is_right = show(memory, kind, runs) && is_right;
  std::printf("\n%s\n", is_right ? "each sum keeps what it promises; the exact one is the host's" : "WRONG");
  return is_right ? 0 : 1;
}
