// Many scalar products of vectors, one block a pair at a time; and one large one in the style of a first
// book.
#include <cstdio>
#include <cstdlib>

#define imin(a, b) (a < b ? a : b)

const int N = 33 * 1024;
const int threadsPerBlock = 256;
const int blocksPerGrid = imin(32, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(float* a, float* b, float* c) {
  __shared__ float cache[threadsPerBlock];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  float temp = 0;
  while (tid < N) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

#define ACCUMULATORS 1024

__global__ void scalar_products(float* result, const float* a, const float* b, int vectors, int elements) {
  __shared__ float accumulators[ACCUMULATORS];
  for (int vector = blockIdx.x; vector < vectors; vector += gridDim.x) {
    const int base = elements * vector, end = base + elements;
    for (int i = threadIdx.x; i < ACCUMULATORS; i += blockDim.x) {
      float sum = 0;
      for (int at = base + i; at < end; at += ACCUMULATORS) sum += a[at] * b[at];
      accumulators[i] = sum;
    }
    for (int stride = ACCUMULATORS / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int i = threadIdx.x; i < stride; i += blockDim.x) accumulators[i] += accumulators[stride + i];
    }
    __syncthreads();
    if (threadIdx.x == 0) result[vector] = accumulators[0];
    __syncthreads();
  }
}

int main(void) {
  float *a, *b, c, *partial_c, *dev_a, *dev_b, *dev_partial_c;
  a = (float*)malloc(N * sizeof(float));
  b = (float*)malloc(N * sizeof(float));
  partial_c = (float*)malloc(blocksPerGrid * sizeof(float));
  cudaMalloc((void**)&dev_a, N * sizeof(float));
  cudaMalloc((void**)&dev_b, N * sizeof(float));
  cudaMalloc((void**)&dev_partial_c, blocksPerGrid * sizeof(float));
  for (int i = 0; i < N; i++) {
    a[i] = i % 16;
    b[i] = i % 3;
  }
  cudaMemcpy(dev_a, a, N * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dev_b, b, N * sizeof(float), cudaMemcpyHostToDevice);
  dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);
  cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(float), cudaMemcpyDeviceToHost);
  c = 0;
  for (int i = 0; i < blocksPerGrid; i++) c += partial_c[i];
  double expected = 0;
  for (int i = 0; i < N; i++) expected += a[i] * b[i];
  printf("Does GPU value %.6g = %.6g?\n", c, expected);

  const int vectors = 8, elements = 4096;
  float result[vectors];
  float* dev_result;
  cudaMalloc((void**)&dev_result, sizeof result);
  scalar_products<<<4, 128>>>(dev_result, dev_a, dev_b, vectors, elements);
  cudaMemcpy(result, dev_result, sizeof result, cudaMemcpyDeviceToHost);
  for (int v = 0; v < vectors; ++v) printf("%s%g", v > 0 ? " " : "", result[v]);
  printf("\n");
  cudaFree(dev_a);
  cudaFree(dev_b);
  cudaFree(dev_partial_c);
  cudaFree(dev_result);
  free(a);
  free(b);
  free(partial_c);
  return 0;
}

// output:
//   Does GPU value 253440 = 253440?
//   30715 30715 30730 30715 30715 30730 30715 30715
