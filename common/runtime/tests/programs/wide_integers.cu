// 128-bit integers, which nvcc builds from chains of 32- and 64-bit words, and the flag that those chains
// leave behind: after a subtraction it is set where nothing was borrowed.
#include <cstdio>

typedef unsigned long long u64;
typedef unsigned __int128 u128;

__global__ void flags(unsigned* out, unsigned five, unsigned three) {
  asm("{.reg .u32 z; sub.cc.u32 z, %1, %2; addc.u32 %0, 0, 0;}" : "=r"(out[0]) : "r"(five), "r"(three));
  asm("{.reg .u32 z; sub.cc.u32 z, %2, %1; addc.u32 %0, 0, 0;}" : "=r"(out[1]) : "r"(five), "r"(three));
  asm("{.reg .u32 z; add.cc.u32 z, %1, %2; subc.u32 %0, 0, 0;}" : "=r"(out[2]) : "r"(five), "r"(three));
  asm("{.reg .u32 z; add.cc.u32 z, %1, %2; subc.u32 %0, 0, 0;}" : "=r"(out[3]) : "r"(five), "r"(~0u));
  asm("{.reg .u32 z; sub.cc.u32 z, %1, %2; subc.u32 %0, 0, 0;}" : "=r"(out[4]) : "r"(five), "r"(three));
  asm("{.reg .u32 z; sub.cc.u32 z, %2, %1; subc.u32 %0, 0, 0;}" : "=r"(out[5]) : "r"(five), "r"(three));
  asm("{.reg .u32 z; sub.cc.u32 z, %1, %2; madc.lo.u32 %0, 2, 3, 0;}" : "=r"(out[6]) : "r"(five), "r"(three));
}

__global__ void divide(const u128* a, const u128* b, u128* quotient, u128* rest, __int128* signed_quotient) {
  const unsigned i = threadIdx.x;
  quotient[i] = a[i] / b[i];
  rest[i] = a[i] % b[i];
  signed_quotient[i] = -static_cast<__int128>(a[i] >> 1) / static_cast<__int128>(b[i] >> 1 | 1);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 7 * sizeof *out);
  flags<<<1, 1>>>(out, 5, 3);
  cudaDeviceSynchronize();
  printf("flags:");
  for (int i = 0; i < 7; ++i) printf(" %x", out[i]);

  const int n = 256;
  u128 *a, *b, *quotient, *rest;
  __int128* signed_quotient;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  cudaMallocManaged(&quotient, n * sizeof *quotient);
  cudaMallocManaged(&rest, n * sizeof *rest);
  cudaMallocManaged(&signed_quotient, n * sizeof *signed_quotient);
  u64 state = 1;
  const auto word = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < n; ++i) {  // of all widths
    a[i] = ((u128)word() << 64 | word()) >> (i * 7 % 128);
    b[i] = ((u128)word() << 64 | word()) >> (i * 11 % 128) | 1;
  }
  divide<<<1, n>>>(a, b, quotient, rest, signed_quotient);
  cudaDeviceSynchronize();
  int right = 0;
  for (int i = 0; i < n; ++i)
    right += quotient[i] == a[i] / b[i] && rest[i] == a[i] % b[i] &&
             signed_quotient[i] == -(__int128)(a[i] >> 1) / (__int128)(b[i] >> 1 | 1);
  printf("\n%d of %d divisions are right\n", right, n);
}

// output:
//   flags: 1 0 ffffffff 0 0 ffffffff 7
//   256 of 256 divisions are right
