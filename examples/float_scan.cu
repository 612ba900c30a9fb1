// A scan of floats in one launch, by look-back: does each run give the same bits? docs/reproducible.md is the
// lesson.
//
//     ./warpwise exec -I. examples/float_scan.cu
//     nvcc -arch=native -O3 -I. examples/float_scan.cu -o scan && ./scan 24 50     on a GPU
//
// Arguments: LOG2_N and RUNS. With -DBESIDE_CUB, CUB's scan stands beside. Exit status 1: a result is further
// off than rounding explains.

#include <cmath>
#include <set>

#include "timing.cuh"

#ifdef BESIDE_CUB
#include <cub/cub.cuh>
#endif

namespace {

using warpwise::measuring::allocate;
using warpwise::measuring::mixed;
using warpwise::measuring::require;

constexpr unsigned threads = 512;

/// The sum of the values up to and with this thread's; `all` gets that of the block.
__device__ float block_scan(float value, float& all) {
  __shared__ float of_warps[threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, value, distance);
    if (lane >= distance) value += before;
  }
  if (lane == 31) of_warps[warp] = value;
  __syncthreads();  // or a sum could be read before its warp has stored it
  float before = 0.0f;
  all = 0.0f;
  for (unsigned w = 0; w < threads / 32; ++w) {
    if (w == warp) before = all;
    all += of_warps[w];
  }
  return before + value;
}

/// What a tile has announced, in one word: a float, and above it what the float is.
constexpr unsigned long long nothing = 0, own_sum = 1ull << 32, sum_up_to_here = 2ull << 32;

// [look_back]
/// The sum of all tiles before `tile`: from the nearest back, to the first that already knows its own.
__device__ float look_back(unsigned long long* announced, unsigned tile) {
  float sum = 0.0f;
  while (tile > 0) {
    unsigned long long word = nothing;
    while (word == nothing) word = atomicAdd(announced + tile - 1, 0ull);
    sum +=
        __uint_as_float(static_cast<unsigned>(word));  // which one ends the loop decides how sums are joined
    if (word >= sum_up_to_here) break;
    --tile;
  }
  return sum;
}
// [/look_back]
__device__ void announce(unsigned long long* announced, unsigned tile, unsigned long long what, float value) {
  atomicExch(announced + tile, what | __float_as_uint(value));
}

/// out[i] = in[0] + ... + in[i]; n is a multiple of `threads`. *ticket and announced[] are 0 at the start.
__global__ void __launch_bounds__(threads)
    scan(const float* in, float* out, unsigned long long* announced, unsigned* ticket) {
  __shared__ unsigned my_tile;
  __shared__ float before;
  if (threadIdx.x == 0) my_tile = atomicAdd(ticket, 1);  // tiles begin in order, so nobody waits for ever
  __syncthreads();
  const unsigned tile = my_tile;
  const size_t i = tile * size_t{threads} + threadIdx.x;
  float all;
  const float own = block_scan(in[i], all);
  if (threadIdx.x == 0) {
    announce(announced, tile, own_sum, all);
    before = look_back(announced, tile);
    announce(announced, tile, sum_up_to_here, before + all);
  }
  __syncthreads();  // or a thread could read `before` before it is known
  out[i] = before + own;
}

__global__ void fill(float* in, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    in[i] = static_cast<float>(mixed(static_cast<unsigned>(i) + 1) >> 8) * 0x1p-24f;
}

/// How many different results `runs` runs of `scan` give, and how far the last element of the last is off.
template <class Scan>
bool show(const char* name, const std::vector<float>& in, const float* out, unsigned runs, const Scan& scan) {
  double exact = 0;
  for (const float x : in) exact += x;
  std::set<std::vector<float>> results;
  std::vector<float> result;
  for (unsigned run = 0; run < runs; ++run) {
    scan();
    result = warpwise::measuring::download(out, in.size());
    results.insert(result);
  }
  const double off = std::fabs(result.back() - exact) / exact;
  std::printf("%-29s%5u runs, %3zu different results; the last sum is off by %.1g\n", name, runs,
              results.size(), off);
  return off < 1e-4;
}

}  // namespace

int main(int count, char** words) {
  const size_t n = size_t{1} << (count > 1 ? std::atoi(words[1]) : 14);
  const unsigned runs = count > 2 ? static_cast<unsigned>(std::atoi(words[2])) : 3;
  timing::print_gpu();
  const auto tiles = static_cast<unsigned>(n / threads);
  float* const in = allocate<float>(n);
  float* const out = allocate<float>(n);
  auto* const announced = allocate<unsigned long long>(tiles);
  unsigned* const ticket = allocate<unsigned>(1);
  fill<<<512, 256>>>(in, n);
  const std::vector<float> elements = warpwise::measuring::download(in, n);
  std::printf("scan of %s floats\n", timing::name_of(n));
  bool is_right = show("look-back", elements, out, runs, [&] {
    require(cudaMemset(announced, 0, tiles * sizeof *announced), "cudaMemset");
    require(cudaMemset(ticket, 0, sizeof *ticket), "cudaMemset");
    scan<<<tiles, threads>>>(in, out, announced, ticket);
    require(cudaGetLastError(), "scan");
  });
#ifdef BESIDE_CUB
  void* scratch = nullptr;
  size_t bytes = 0;
  require(cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n), "cub");
  require(cudaMalloc(&scratch, bytes), "cudaMalloc");
  is_right = show("cub::DeviceScan, its default", elements, out, runs,
                  [&] { require(cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n), "cub"); }) &&
             is_right;
#endif
  return is_right ? 0 : 1;
}
