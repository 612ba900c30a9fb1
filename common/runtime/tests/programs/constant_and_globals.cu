// Constant memory, device variables of several kinds, their addresses and sizes, and a table of functions.
#include <cmath>
#include <cstdio>

#define RADIUS 3
__constant__ float filter[2 * RADIUS + 1];
__constant__ int2 pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
__device__ int counter = 41;
__device__ float table[3][4];
static __device__ double factor = 0.5;
__constant__ unsigned char letters[] = "constant";

__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {twice, square};

__global__ void convolve(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; ++k)
    if (i + k >= 0 && i + k < n) sum += in[i + k] * filter[k + RADIUS];
  out[i] = sum;
}

__global__ void globals(float* out) {
  if (threadIdx.x == 0) ++counter;
  table[threadIdx.x / 4][threadIdx.x % 4] =
      (float)(pairs[threadIdx.x % 4].x * 10 + pairs[threadIdx.x % 4].y) * (float)factor;
  out[threadIdx.x] = functions[threadIdx.x % 2]((float)threadIdx.x) + letters[threadIdx.x % 8];
}

int main() {
  const int n = 300;
  float weights[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1}, in[n], out[n];
  for (int i = 0; i < n; ++i) in[i] = (float)(i % 4);
  float *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(filter, weights, sizeof weights);
  convolve<<<3, 128>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g %g %g\n", out[0], out[10], out[150], out[299]);
  float negative = -1;
  cudaMemcpyToSymbol(filter, &negative, sizeof negative, 3 * sizeof(float));
  convolve<<<3, 128>>>(d_in, d_out, n);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  printf("%g %g\n", out[10], out[150]);

  globals<<<1, 12>>>(d_out);
  cudaMemcpy(out, d_out, 12 * sizeof(float), cudaMemcpyDeviceToHost);
  int count;
  float copy[3][4];
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  cudaMemcpyFromSymbol(copy, table, sizeof copy);
  printf("counter %d, table %g %g, values %g %g %g\n", count, copy[0][1], copy[2][3], out[2], out[3],
         out[11]);
  void* address;
  size_t bytes;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  cudaMemset(address, 0, bytes);
  cudaMemcpyFromSymbol(copy, table, sizeof copy);
  printf("table of %zu bytes, now %g\n", bytes, copy[2][3]);
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(filter, weights, sizeof weights, 8)));
  cudaFree(d_in);
  cudaFree(d_out);
  return 0;
}

// output:
//   10 24 24 20
//   14 14
//   counter 42, table 17 39, values 114 124 236
//   table of 48 bytes, now 0
//   cudaErrorInvalidValue
