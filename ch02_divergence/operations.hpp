#pragma once
/// \file Given: two operations that cost enough for a branch between them to matter. Host and device code use
/// them: kernels call them, and checks compute with them what a kernel should have written.

#if defined(__CUDACC__)
#define WARPWISE_ON_BOTH_SIDES __host__ __device__
#else
#define WARPWISE_ON_BOTH_SIDES
#endif

namespace warpwise::ch02 {

/// PTX instructions of one call of `stir` or of `shake`, one more or less: 32 rounds of six (shifts, xors,
/// multiplications), unrolled, without a branch.
inline constexpr unsigned operation_instructions = 32 * 6;

/// 32 steps of a xorshift generator (G. Marsaglia, "Xorshift RNGs", J. Stat. Software 8(14), 2003).
WARPWISE_ON_BOTH_SIDES inline unsigned stir(unsigned x) {
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int round = 0; round < 32; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

/// 32 rounds of multiplications by odd numbers and shifts.
WARPWISE_ON_BOTH_SIDES inline unsigned shake(unsigned x) {
#if defined(__CUDACC__)
#pragma unroll
#endif
  for (int round = 0; round < 32; ++round) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
  }
  return x;
}

}  // namespace warpwise::ch02
