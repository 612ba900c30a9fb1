// What the compiler makes of CUDA, for files_test.cpp, which knows some of the lines by number.
#include <cooperative_groups.h>
#include <cstdio>
#include <cub/block/block_reduce.cuh>

// Tree reduction in shared memory, with a static and a dynamic array and a launch bound.
extern __shared__ float dynamic[];
extern "C" __global__ void __launch_bounds__(256, 2) reduce_static(const float* in, float* out, int n) {
  __shared__ float partial[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
#pragma unroll 1
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
extern "C" __global__ void reduce_dynamic(const float4* in, float* out) {
  float4 v = in[threadIdx.x];
  dynamic[threadIdx.x] = v.x + v.y + v.z + v.w;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0.5f;
    for (int i = 0; i < blockDim.x; ++i) sum += dynamic[i];
    atomicAdd(out, sum);
  }
}

// Device functions that are not inlined, calls through a table, printf, constants, a large parameter.
struct Table {
  int values[20];
};
__constant__ float weights[4] = {1.0f, 0.5f, -0.25f, 3.0e-5f};
__device__ int counter = 7;
__device__ int* pointer_to_counter = &counter;
__noinline__ __device__ float twice(float x) { return 2 * x; }
__noinline__ __device__ float square(float x) { return x * x; }
typedef float (*Op)(float);
__device__ Op operations[2] = {twice, square};
__noinline__ __device__ Table rotate(Table t, int by) {
  Table r;
  for (int i = 0; i < 20; ++i) r.values[i] = t.values[(i + by) % 20];
  return r;
}
extern "C" __global__ void call_them(float* out, Table t, int which) {
  Table r = rotate(t, which);
  float x = operations[which](weights[which & 3]) + twice(r.values[which]);
  if (threadIdx.x == 0) printf("%d %f\n", *pointer_to_counter, x);
  switch (which) {
    case 0:
      x += out[1];
      break;
    case 1:
      x *= out[2];
      __nanosleep(1);
      break;
    case 2:
      x = sinf(x);
      break;
    case 3:
      x -= out[9];
      __threadfence();
      break;
    case 4:
      x /= out[7];
      break;
    case 5:
      x = sqrtf(x);
      break;
    default:
      __trap();
  }
  out[threadIdx.x] = x;
}

// CUB's block reduction: lines inlined out of the toolkit's headers.
extern "C" __global__ void cub_sum(const int* in, int* out) {
  using BlockReduce = cub::BlockReduce<int, 128>;
  __shared__ typename BlockReduce::TempStorage storage;
  int sum = BlockReduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) *out = sum;
}

// Warp primitives, inline PTX with scopes and labels of its own, cooperative groups.
namespace cg = cooperative_groups;
__device__ __forceinline__ float add_from_below(float x, int by) {
  float r;
  asm volatile(
      "{\n\t.reg .f32 t;\n\t.reg .pred p;\n\tshfl.sync.up.b32 t|p, %1, %2, 0, 0xffffffff;\n\t"
      "@!p bra DONE;\n\tadd.f32 t, t, %1;\n\tDONE:\n\tmov.f32 %0, t;\n\t}"
      : "=f"(r)
      : "f"(x), "r"(by));
  return r;
}
extern "C" __global__ void scan_warp(const float* in, float* out, int* keys) {
  float x = in[threadIdx.x];
  x = add_from_below(x, 1);
  x = add_from_below(x, 2);
  unsigned peers = __match_any_sync(0xffffffffu, keys[threadIdx.x]);
  int all = 0;
  __match_all_sync(0xffffffffu, keys[threadIdx.x], &all);
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  x += tile.shfl_down(x, 4);
  unsigned long long packed;
  asm("mov.b64 %0, {%1, %2};" : "=l"(packed) : "r"(peers), "r"(__popc(__ballot_sync(~0u, x > 1.0f))));
  out[threadIdx.x] = x + all + (float)packed;
}
