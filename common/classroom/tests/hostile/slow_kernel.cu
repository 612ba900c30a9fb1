// hostile: right in the end, after as many steps as a launch may take
// earns: 0
#define reduce_naive reduce_slowly
#define sum_in_place sum_slowly
//@ solution
#undef reduce_naive
#undef sum_in_place
__device__ void waste(volatile float* where) {
  for (int i = 0; i < 100000; ++i) asm volatile("add.u32 %0, %0, 1;" : "+r"(i));
}
extern "C" __global__ void reduce_naive(const float* in, float* out, unsigned n) {
  for (int i = 0; i < 100000; ++i) asm volatile("");
  for (int i = 0; i < 100000; ++i) asm volatile("{.reg .u32 t; mov.u32 t, 0;}");
  if (threadIdx.x == 0) out[blockIdx.x] = n != 0 ? in[0] : 0;
}
extern "C" __global__ void sum_in_place(float* values) {
  for (int i = 0; i < 100000; ++i) asm volatile("{.reg .u32 t; mov.u32 t, 0;}");
}
