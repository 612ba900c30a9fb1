// Device functions that are not inlined, calls through a table, printf, constants, a large parameter.
#include <cstdio>
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
