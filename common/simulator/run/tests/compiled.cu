/// \file What becomes of C++ that needs more than straight code. All kernels: one block of 128 threads,
/// thread t writes out[t]; compiled_test.cpp says what.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cassert>

namespace cg = cooperative_groups;

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

/// out[t] = ackermann(2, t % 8) = 2 (t % 8) + 3
extern "C" __global__ void recursion(const int*, int* out) {
  out[threadIdx.x] = ackermann(2, threadIdx.x % 8);
}

struct Shape {
  int side;
  __device__ explicit Shape(int s) : side(s) {}
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area() const override { return side * side; }
};
struct Line : Shape {
  using Shape::Shape;
  __device__ int area() const override { return 2 * side; }
};

/// out[t] = t * t or, where t is odd, 2 t; each object lies in memory of the device's own malloc
extern "C" __global__ void virtual_calls(const int*, int* out) {
  const int t = threadIdx.x;
  Shape* shape = t % 2 == 0 ? static_cast<Shape*>(new Square(t)) : new Line(t);
  out[t] = shape->area();
  delete shape;
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ __noinline__ int negated(int x) { return -x; }
__device__ int (*const functions[])(int) = {twice, square, negated};

/// out[t] = one of three functions of t, through a pointer
extern "C" __global__ void function_pointers(const int* in, int* out) {
  out[threadIdx.x] = functions[in[threadIdx.x] % 3](threadIdx.x);
}

/// out[t]: eight ways, by in[t]
extern "C" __global__ void jump_table(const int* in, int* out) {
  const int t = threadIdx.x;
  int y;
  switch (in[t]) {
    case 0:
      y = in[t + 1] * 3;
      break;
    case 1:
      y = __popc(t);
      break;
    case 2:
      y = atomicAdd(out + 128, 1) >= 0 ? 2 : 0;
      break;
    case 3:
      y = 1000 / (t + 1);
      break;
    case 4:
      y = __brev(t);
      break;
    case 5:
      y = __clz(t);
      break;
    case 6:
      atomicMax(out + 129, t);
      y = 7;
      break;
    case 7:
      y = t * t;
      break;
    default:
      y = -1;
  }
  out[t] = y;
}

/// out[t] = in[127 - t], 0 for those from 100 on: 16 bytes a copy, zeros beyond in[99]
extern "C" __global__ void pipeline_copy(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const int t = threadIdx.x;
  if (t < 32) __pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16, t < 25 ? 0 : 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = tile[127 - t];
}

/// out[t] = in[127 - t]
extern "C" __global__ void group_copy(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
  cg::wait(block);
  out[threadIdx.x] = tile[127 - threadIdx.x];
}

#if __CUDACC_VER_MAJOR__ > 12 || __CUDACC_VER_MINOR__ >= 1  // CUDA 12.0 has no atomicAdd of vectors
/// out[0 .. 5]: sums of 1, 2 over a float2 and of 1, 2, 3, 4 over a float4
extern "C" __global__ void vector_atomics(const int*, float* out) {
  atomicAdd(reinterpret_cast<float2*>(out), make_float2(1, 2));
  atomicAdd(reinterpret_cast<float4*>(out + 4), make_float4(1, 2, 3, 4));
}
#endif

/// asserts that t < 5
extern "C" __global__ void assertion(const int*, int* out) {
  assert(threadIdx.x < 5);
  out[threadIdx.x] = 1;
}
