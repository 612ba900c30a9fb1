#pragma once
/// \file What the random kernels share: short names of types, and the little that CUDA C++ cannot say.
///
/// A NaN becomes one pattern wherever its bits are looked at: which NaN an operation gives is not specified
/// for double, and its sign is not for float.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using s8 = signed char;
using s16 = short;
using s32 = int;
using s64 = long long;
using f32 = float;
using f64 = double;

#if __CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ == 0 && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
// CUDA 12.0 declares these two for compute_80 and newer alone.
__device__ inline u16 __bfloat16_as_ushort(__nv_bfloat16 x) { return static_cast<__nv_bfloat16_raw>(x).x; }
__device__ inline __nv_bfloat16 __ushort_as_bfloat16(u16 bits) {
  __nv_bfloat16_raw raw;
  raw.x = bits;
  return raw;
}
#endif

__constant__ u32 constant_table[16] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                       0x082efa98, 0xec4e6c89, 0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c,
                                       0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917};

__device__ inline u32 bits_of(f32 x) { return x != x ? 0x7fffffffu : __float_as_uint(x); }
__device__ inline u64 bits_of(f64 x) {
  return x != x ? 0x7fffffffffffffffull : static_cast<u64>(__double_as_longlong(x));
}
__device__ inline u16 bits_of(__half x) { return __hisnan(x) ? u16(0x7fff) : __half_as_ushort(x); }
__device__ inline u16 bits_of(__nv_bfloat16 x) {
  const f32 wide = __bfloat162float(x);
  return wide != wide ? u16(0x7fff) : __bfloat16_as_ushort(x);
}

/// Instructions for which there is no intrinsic (PTX ISA 9.7.1 and 9.7.8).
__device__ inline u32 extract(u32 a, u32 at, u32 length) {
  u32 d;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(at), "r"(length));
  return d;
}
__device__ inline s32 extract_signed(s32 a, u32 at, u32 length) {
  s32 d;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(at), "r"(length));
  return d;
}
__device__ inline u64 extract_wide(u64 a, u32 at, u32 length) {
  u64 d;
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(at), "r"(length));
  return d;
}
__device__ inline u32 insert(u32 a, u32 b, u32 at, u32 length) {
  u32 d;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(at), "r"(length));
  return d;
}
__device__ inline u32 highest_bit(u32 a) {
  u32 d;
  asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}
__device__ inline u32 highest_bit_signed(s32 a) {
  u32 d;
  asm("bfind.s32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}
template <int Table>
__device__ inline u32 three_way(u32 a, u32 b, u32 c) {
  u32 d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return d;
}
__device__ inline u32 permute_forward(u32 a, u32 b, u32 c) {
  u32 d;
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ inline u32 permute_signs(u32 a, u32 b, u32 c) {
  u32 d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
__device__ inline s32 add_saturated(s32 a, s32 b) {
  s32 d;
  asm("add.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
__device__ inline u64 add_with_carry(u64 a, u32 b) {
  u32 low, high;
  asm("add.cc.u32 %0, %2, %4;\n\taddc.u32 %1, %3, %5;"
      : "=r"(low), "=r"(high)
      : "r"(static_cast<u32>(a)), "r"(static_cast<u32>(a >> 32)), "r"(b), "r"(b ^ 0x55u));
  return static_cast<u64>(high) << 32 | low;
}

__device__ inline u32 fold(u32 hash, u32 word) { return __funnelshift_l(hash, hash, 5) * 0x01000193u ^ word; }
__device__ inline u32 fold(u32 hash, u64 word) {
  return fold(fold(hash, static_cast<u32>(word)), static_cast<u32>(word >> 32));
}
