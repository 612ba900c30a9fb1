#pragma once
/// \file A sum of floats without any rounding, so that the order of the additions cannot matter. It is
/// rounded once, at the end. docs/reproducible.md is the lesson.

#include <cuda_runtime.h>

namespace exact {

// --- The total: a wide integer ----------------------------------------------------------------------------

/// A float is an integer times 2^-149, and the largest is below 2^277 of these units. The total has 320 bits,
/// as digits of 32 bits. A digit has 64 bits, so that carries can wait: it may be negative, or too large.
constexpr int digits = 10;

/// What is no number: bits that are collected by OR.
constexpr unsigned plus_infinity = 1, minus_infinity = 2, not_a_number = 4;

constexpr unsigned threads = 512;

/// The digits of one thread of a block, in shared memory: digit k of thread t is digit[k][t]. So the threads
/// of a warp use different banks, whichever digits they need.
using Digits = long long[digits][threads];

/// digit[...] += units * 2^shift, for |units| < 2^53: 53 and up to 31 more bits are in at most three digits.
/// No digit changes by more than 2^32.
__device__ inline void add_units(Digits& digit, long long units, int shift) {
  const unsigned long long size = units < 0 ? -units : units;
  const unsigned long long low = size << (shift % 32), high = size >> 32 >> (32 - shift % 32);
  const auto add = [&](int k, unsigned long long part) {
    digit[shift / 32 + k][threadIdx.x] +=
        units < 0 ? -static_cast<long long>(part) : static_cast<long long>(part);
  };
  add(0, low & 0xffffffff);
  add(1, low >> 32);
  if (high != 0) add(2, high);
}

/// Adds any float, given as its bits.
__device__ inline void add_float(Digits& digit, unsigned& special, unsigned bits) {
  const int exponent = bits >> 23 & 255;
  const int fraction = bits & 0x7fffff;
  if (exponent == 255) {
    special |= fraction != 0 ? not_a_number : bits >> 31 != 0 ? minus_infinity : plus_infinity;
  } else {
    const int size = exponent == 0 ? fraction : fraction | 0x800000;
    add_units(digit, bits >> 31 != 0 ? -size : size, exponent == 0 ? 0 : exponent - 1);
  }
}

// --- The fast way: two sums that do not round -------------------------------------------------------------

// [window]
/// Two sums of doubles, each with a unit: what is added to it is a multiple of the unit, and it never gets so
/// large that a double cannot hold all multiples. `high` takes from an element what is a multiple of
/// 2^(unit + 42), and `low` what is left. That is all, if the element is a multiple of 2^unit.
struct Window {
  double high = 0, low = 0;
  int unit = 0;
  unsigned limit = 0;  ///< elements must be below; as bits. 0: no window is open
};
constexpr int between = 42;                 ///< bits between the two units
constexpr unsigned window_elements = 1024;  ///< 2^10, for which 10 of a double's bits are kept free

/// x goes into `sum`, rounded to the sum's unit; returns what the rounding has left, exactly.
__device__ inline double leave(double& sum, double x) {
  const double before = sum;
  sum = before + x;
  return x - (sum - before);  // T. Dekker's FastTwoSum: exact, because |sum| > |x|
}
// [/window]

/// A sum starts in the middle of the doubles whose last bit is its unit: 1.5 * 2^52 units.
__device__ inline double start_of(int unit) {
  return __hiloint2double((1023 + 52 + unit) << 20 | 0x80000, 0);
}

/// What the window has collected goes into the digits, and the window is closed.
__device__ inline void close(Window& window, Digits& digit) {
  if (window.limit == 0) return;
  const int units[] = {window.unit + between, window.unit};
  const double sums[] = {window.high, window.low};
  for (int k = 0; k < 2; ++k) {
    const long long in_units = __double_as_longlong(sums[k]) - __double_as_longlong(start_of(units[k]));
    add_units(digit, in_units, units[k] + 149);
  }
  window.limit = 0;
}

/// A window for elements up to `largest` (its bits), with room for some that are 2^8 times larger.
__device__ inline void open(Window& window, unsigned largest) {
  const int top = static_cast<int>(largest >> 23) - 126 + 8;  // largest < 2^(top - 8)
  window.unit = max(top - 2 * between + 1, -149);             // floats have no bits below 2^-149
  window.limit = static_cast<unsigned>(min(window.unit + 2 * between - 1, 128) + 127) << 23;
  window.high = start_of(window.unit + between);
  window.low = start_of(window.unit);
}

/// Adds 16 elements, given as their bits: by the window if it holds all their bits, else one by one.
__device__ inline void add_batch(Window& window, Digits& digit, unsigned& special, const uint4 (&v)[4]) {
  const unsigned bits[16] = {v[0].x, v[0].y, v[0].z, v[0].w, v[1].x, v[1].y, v[1].z, v[1].w,
                             v[2].x, v[2].y, v[2].z, v[2].w, v[3].x, v[3].y, v[3].z, v[3].w};
  unsigned largest = 0;
#pragma unroll
  for (unsigned x : bits) largest = max(largest, x & 0x7fffffff);  // floats are in the order of their bits
  const bool is_finite = largest < 0x7f800000;
  if (largest >= window.limit && is_finite) {
    close(window, digit);
    open(window, largest);
  }
  const double high = window.high, low = window.low;
  unsigned long long left = !is_finite;
#pragma unroll
  for (unsigned x : bits) {
    const double rest = leave(window.high, __uint_as_float(x));
    left |= __double_as_longlong(leave(window.low, rest));
  }
  if (left << 1 == 0) return;  // all rests are 0 or -0
  window.high = high;          // as if nothing had been added
  window.low = low;
#pragma unroll
  for (unsigned x : bits) add_float(digit, special, x);
}

// --- The kernel -------------------------------------------------------------------------------------------

/// Of all blocks; all 0 before the first launch, and 0 again after each.
struct Total {
  unsigned long long digit[digits + 1];
  unsigned special, ticket;
};

/// The total as a float, rounded to nearest, ties to even.
__device__ inline float rounded(const long long (&digit)[digits + 1], unsigned special) {
  if (special != 0)
    return __int_as_float(special == plus_infinity    ? 0x7f800000
                          : special == minus_infinity ? 0xff800000
                                                      : 0x7fffffff);
  unsigned word[digits + 1];
  long long carry = 0;
  for (int k = 0; k <= digits; ++k) {
    carry += digit[k];
    word[k] = static_cast<unsigned>(carry);
    carry >>= 32;
  }
  const bool is_negative = carry < 0;
  unsigned borrow = is_negative;  // the absolute value: the complement, plus 1
  int top = 0;
  for (int k = 0; k <= digits; ++k) {
    const unsigned long long sum =
        (is_negative ? ~word[k] : word[k]) + static_cast<unsigned long long>(borrow);
    word[k] = static_cast<unsigned>(sum);
    borrow = static_cast<unsigned>(sum >> 32);
    if (word[k] != 0) top = k;
  }
  // 33 bits or more, and in the last one whether anything follows: enough to round to 24.
  unsigned long long first = static_cast<unsigned long long>(word[top]) << 32;
  if (top > 0) first |= word[top - 1];
  for (int k = 0; k < top - 1; ++k) first |= word[k] != 0;
  const float size = ldexpf(__ull2float_rn(first), 32 * (top - 1) - 149);
  return is_negative ? -size : size;
}

/// *out = the sum of all n elements of `in`, rounded once. `in` is a multiple of 16 bytes. Any grid: no block
/// may get more than 2^31 elements, and two blocks fit on a multiprocessor.
static __global__ void __launch_bounds__(threads, 2)
    sum_exactly(const float* in, size_t n, Total* total, float* out) {
  constexpr unsigned tile = 4 * threads;  // uint4 that a block takes at once
  __shared__ Digits digit;
  for (auto& one : digit) one[threadIdx.x] = 0;
  unsigned special = 0;
  Window window;
  const size_t tiles = n / (4 * tile);
  unsigned room = window_elements / 16;
  for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const uint4* const mine = reinterpret_cast<const uint4*>(in) + t * tile + threadIdx.x;
    const uint4 v[4] = {__ldcs(mine), __ldcs(mine + threads), __ldcs(mine + 2 * threads),
                        __ldcs(mine + 3 * threads)};
    add_batch(window, digit, special, v);
    if (--room == 0) {
      close(window, digit);
      room = window_elements / 16;
    }
  }
  close(window, digit);
  for (size_t i = tiles * 4 * tile + blockIdx.x * size_t{threads} + threadIdx.x; i < n;
       i += size_t{gridDim.x} * threads)
    add_float(digit, special, __float_as_uint(in[i]));
  if (special != 0) atomicOr(&total->special, special);

  __syncthreads();  // or a digit could be read before its thread has added to it
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp < digits) {  // a warp adds one digit of all threads
    long long sum = 0;
    for (unsigned thread = lane; thread < threads; thread += 32) sum += digit[warp][thread];
    for (unsigned distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, distance);
    // Integers: the order in which the blocks come does not matter. What is above 32 bits is carried now.
    if (lane == 0 && sum != 0) {
      atomicAdd(&total->digit[warp], static_cast<unsigned long long>(sum & 0xffffffff));
      atomicAdd(&total->digit[warp + 1], static_cast<unsigned long long>(sum >> 32));
    }
  }
  __shared__ bool is_last;
  __syncthreads();  // or the ticket could be drawn before all digits are added
  if (threadIdx.x == 0) {
    __threadfence();
    is_last = atomicInc(&total->ticket, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();  // after the last ticket, all digits are there
  }
  __shared__ long long all[digits + 1];
  __syncthreads();
  if (!is_last) return;
  if (threadIdx.x <= digits) {
    all[threadIdx.x] = static_cast<long long>(__ldcg(&total->digit[threadIdx.x]));
    total->digit[threadIdx.x] = 0;
  }
  __syncthreads();  // or a digit could be missing
  if (threadIdx.x != 0) return;
  *out = rounded(all, __ldcg(&total->special));
  total->special = 0;
}

}  // namespace exact
