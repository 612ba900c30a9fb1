#pragma once
/// \file Sums of floats in an order that does not depend on how many GPUs there are. The array is cut into
/// chunks; one block sums one chunk, always in the same way; the sums of the chunks are added by one block,
/// always in the same way.

#include <cuda_runtime.h>

#include "common/measuring/measuring.cuh"

namespace beyond {

constexpr unsigned chunk_threads = 512;
constexpr unsigned chunk_loads = 4;            ///< 16-byte loads that a thread has in flight
constexpr unsigned chunk_elements = 1u << 17;  ///< floats per chunk: 256 for each thread
constexpr unsigned whole_warp = 0xffffffffu;

/// Each thread adds its 256 elements as four sums of 64; from then on, pairs are added. The error grows with
/// 64 + log2(n), not with n. Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
/// section 4.2.
struct Pairwise {
  using Value = float;
  __device__ static Value zero() { return 0.0f; }
  __device__ static Value add(Value a, float b) { return a + b; }
  __device__ static Value join(Value a, Value b) { return a + b; }
  __device__ static Value from_below(Value v, unsigned distance) {
    return __shfl_down_sync(whole_warp, v, distance);
  }
};

/// A sum and what rounding took away from it. The order is the same as above. Source: A. Neumaier,
/// "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", 1974; the exact error of an
/// addition: D. Knuth, "The Art of Computer Programming", vol. 2, section 4.2.2.
struct Compensated {
  struct Value {
    float sum, rest;
  };
  __device__ static Value zero() { return {0.0f, 0.0f}; }
  __device__ static Value add(Value a, float b) {
    const float sum = __fadd_rn(a.sum, b), of_b = __fsub_rn(sum, a.sum);
    const float error = __fadd_rn(__fsub_rn(a.sum, __fsub_rn(sum, of_b)), __fsub_rn(b, of_b));
    return {sum, __fadd_rn(a.rest, error)};
  }
  __device__ static Value join(Value a, Value b) {
    Value both = add(a, b.sum);
    both.rest = __fadd_rn(both.rest, b.rest);
    return both;
  }
  __device__ static Value from_below(Value v, unsigned distance) {
    return {__shfl_down_sync(whole_warp, v.sum, distance), __shfl_down_sync(whole_warp, v.rest, distance)};
  }
};

/// The sum over all threads of the block, in thread 0. The number of warps must be a power of two.
template <class Rule>
__device__ typename Rule::Value block_join(typename Rule::Value value) {
  __shared__ typename Rule::Value of_warps[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned distance = 16; distance > 0; distance /= 2)
    value = Rule::join(value, Rule::from_below(value, distance));
  if (lane == 0) of_warps[warp] = value;
  __syncthreads();  // or the first warp could read what its warp has not stored yet
  if (warp == 0) {
    value = lane < blockDim.x / 32 ? of_warps[lane] : Rule::zero();
    for (unsigned distance = 16; distance > 0; distance /= 2)
      value = Rule::join(value, Rule::from_below(value, distance));
  }
  return value;
}

/// sums[first_chunk + b] = the sum of chunk b of `in`, which has n elements and starts at a chunk.
template <class Rule>
__global__ void __launch_bounds__(chunk_threads)
    chunk_sums(const float* in, size_t n, typename Rule::Value* sums, size_t first_chunk) {
  const float* const chunk = in + size_t{blockIdx.x} * chunk_elements;
  const size_t left = n - size_t{blockIdx.x} * chunk_elements;
  typename Rule::Value part[4] = {Rule::zero(), Rule::zero(), Rule::zero(), Rule::zero()};
  if (left >= chunk_elements) {
    const float4* const chunk4 = reinterpret_cast<const float4*>(chunk);
    for (unsigned i = threadIdx.x; i < chunk_elements / 4; i += chunk_loads * chunk_threads) {
      float4 v[chunk_loads];
#pragma unroll
      for (unsigned k = 0; k < chunk_loads; ++k) v[k] = __ldcs(chunk4 + i + k * chunk_threads);
#pragma unroll
      for (unsigned k = 0; k < chunk_loads; ++k) {
        part[0] = Rule::add(part[0], v[k].x);
        part[1] = Rule::add(part[1], v[k].y);
        part[2] = Rule::add(part[2], v[k].z);
        part[3] = Rule::add(part[3], v[k].w);
      }
    }
  } else {
    for (unsigned i = threadIdx.x; i < left; i += chunk_threads)
      part[i % 4] = Rule::add(part[i % 4], chunk[i]);
  }
  const auto sum = block_join<Rule>(Rule::join(Rule::join(part[0], part[1]), Rule::join(part[2], part[3])));
  if (threadIdx.x == 0) sums[first_chunk + blockIdx.x] = sum;
}

__device__ inline void store(float* out, float sum) { *out = sum; }
__device__ inline void store(float* out, Compensated::Value sum) { *out = sum.sum + sum.rest; }

/// *out = the sum of all chunks; one block of 1024 threads, the same on every GPU.
template <class Rule>
__global__ void __launch_bounds__(1024)
    join_chunks(const typename Rule::Value* sums, unsigned chunks, float* out) {
  auto sum = Rule::zero();
  for (unsigned c = threadIdx.x; c < chunks; c += blockDim.x) sum = Rule::join(sum, sums[c]);
  sum = block_join<Rule>(sum);
  if (threadIdx.x == 0) store(out, sum);
}

// --- In any order: integers. The largest element decides how many bits are left for the fraction. ---------

/// *largest = the largest |in[i]|; it must be at least 0 beforehand. The maximum is taken of integers: floats
/// that are not negative have the same order as their bits.
static __global__ void __launch_bounds__(chunk_threads)
    largest_size(const float* in, size_t n, float* largest) {
  float most = 0;
  const size_t step = size_t{gridDim.x} * chunk_threads * chunk_loads;
  const float4* const in4 = reinterpret_cast<const float4*>(in);
  for (size_t i = size_t{blockIdx.x} * chunk_threads * chunk_loads + threadIdx.x; i < n / 4; i += step) {
#pragma unroll
    for (unsigned k = 0; k < chunk_loads; ++k) {
      if (i + k * chunk_threads >= n / 4) continue;
      const float4 v = __ldcs(in4 + i + k * chunk_threads);
      most = fmaxf(most, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) most = fmaxf(most, fabsf(in[n - 1 - threadIdx.x]));
  for (unsigned distance = 16; distance > 0; distance /= 2)
    most = fmaxf(most, __shfl_xor_sync(whole_warp, most, distance));
  if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<int*>(largest), __float_as_int(most));
}

/// 2^k, chosen so that n elements of at most `largest`, times 2^k, sum up to less than 2^62.
__device__ inline double scale_for(float largest, size_t n) {
  const int bits = 62 - (ilogb(static_cast<double>(fmaxf(largest, 1e-37f))) + 1) -
                   (64 - __clzll(static_cast<long long>(n)));
  return scalbn(1.0, bits);
}

/// v[k] = in[i + k * chunk_threads] if that index is below `count`; all loads are in flight at once.
template <class Quad>
__device__ void load_those_there(Quad (&v)[chunk_loads], const Quad* in, size_t i, size_t count) {
#pragma unroll
  for (unsigned k = 0; k < chunk_loads; ++k)
    if (i + k * chunk_threads < count) v[k] = __ldcs(in + i + k * chunk_threads);
}

/// *sum += the parts of all threads of the warp.
__device__ inline void add_all(long long* sum, long long part) {
  for (unsigned distance = 16; distance > 0; distance /= 2)
    part += __shfl_xor_sync(whole_warp, part, distance);
  if (threadIdx.x % 32 == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(part));
}

/// *sum += in[0] + ... + in[n - 1], in units of 1 / scale_for(*largest, all). With integers, any order is
/// right.
static __global__ void __launch_bounds__(chunk_threads)
    fixed_point_sum(const float* in, size_t n, const float* largest, size_t all, long long* sum) {
  const double scale = scale_for(*largest, all);
  long long part = 0;
  const size_t step = size_t{gridDim.x} * chunk_threads * chunk_loads;
  const float4* const in4 = reinterpret_cast<const float4*>(in);
  for (size_t i = size_t{blockIdx.x} * chunk_threads * chunk_loads + threadIdx.x; i < n / 4; i += step) {
    float4 v[chunk_loads] = {};
    load_those_there(v, in4, i, n / 4);
#pragma unroll
    for (unsigned k = 0; k < chunk_loads; ++k)
      part += __double2ll_rn(v[k].x * scale) + __double2ll_rn(v[k].y * scale) +
              __double2ll_rn(v[k].z * scale) + __double2ll_rn(v[k].w * scale);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) part += __double2ll_rn(in[n - 1 - threadIdx.x] * scale);
  add_all(sum, part);
}

/// *out = the sum as a float.
static __global__ void to_float(const long long* sum, const float* largest, size_t all, float* out) {
  *out = static_cast<float>(static_cast<double>(*sum) / scale_for(*largest, all));
}

// --- Input and tests --------------------------------------------------------------------------------------

using warpwise::measuring::mixed;
/// Element i of the array, in units of 2^-31: from 0 to 1, in eight magnitudes. It has 24 bits, so it is
/// exact as a float, and the sum of 2^30 of them is exact in 64 bits.
__device__ inline long long units_of(size_t i) {
  const unsigned random = mixed(static_cast<unsigned>(i) + 1);
  return static_cast<long long>(random >> 8) << (random % 8);
}
static __global__ void fill(float* out, size_t begin, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    out[i] = static_cast<float>(static_cast<double>(units_of(begin + i)) * 0x1p-31);
}
/// *units += the exact sum of elements begin ... begin + n - 1, computed from the rule that made them.
static __global__ void exact_sum(size_t begin, size_t n, unsigned long long* units) {
  unsigned long long part = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    part += static_cast<unsigned long long>(units_of(begin + i));
  atomicAdd(units, part);
}
/// Integers from -8 to 7.
__device__ inline int small_int(size_t i) {
  return static_cast<int>(mixed(static_cast<unsigned>(i) + 1) >> 28) - 8;
}
static __global__ void fill_ints(int* out, size_t begin, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    out[i] = small_int(begin + i);
}
/// Counts the places where out[i] is not out[i - 1] plus element i; `before` is the sum before out[0].
static __global__ void count_breaks(const int* out, size_t begin, size_t n, int before, unsigned* breaks) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    if (out[i] != (i == 0 ? before : out[i - 1]) + small_int(begin + i)) atomicAdd(breaks, 1u);
}

// --- For the scan only ------------------------------------------------------------------------------------

/// *sum += in[0] + ... + in[n - 1].
static __global__ void __launch_bounds__(chunk_threads) int_sum(const int* in, size_t n, long long* sum) {
  long long part = 0;
  const size_t step = size_t{gridDim.x} * chunk_threads * chunk_loads;
  const int4* const in4 = reinterpret_cast<const int4*>(in);
  for (size_t i = size_t{blockIdx.x} * chunk_threads * chunk_loads + threadIdx.x; i < n / 4; i += step) {
    int4 v[chunk_loads] = {};
    load_those_there(v, in4, i, n / 4);
#pragma unroll
    for (unsigned k = 0; k < chunk_loads; ++k) part += v[k].x + v[k].y + v[k].z + v[k].w;
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) part += in[n - 1 - threadIdx.x];
  add_all(sum, part);
}
/// totals[rank] = *sum, and 0 for the others. Added up over all ranks, that gives the totals of all.
static __global__ void place_total(const long long* sum, long long* totals, int rank, int ranks) {
  if (threadIdx.x < static_cast<unsigned>(ranks))
    totals[threadIdx.x] = static_cast<int>(threadIdx.x) == rank ? *sum : 0;
}
/// Adds the total of the ranks before this one to the first element of this rank's stretch; sign -1 takes it
/// away again.
static __global__ void carry_into_first(int* in, const long long* totals, int rank, int sign) {
  long long before = 0;
  for (int r = 0; r < rank; ++r) before += totals[r];
  in[0] += sign * static_cast<int>(before);
}

}  // namespace beyond
