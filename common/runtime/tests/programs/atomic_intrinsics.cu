// Every atomic function once, from many threads; each result is the same in whatever order they come.
#include <cstdio>
#include <cstring>

__global__ void atomics(int* data, unsigned long long* wide, float* real, double* fine) {
  const unsigned id = blockDim.x * blockIdx.x + threadIdx.x;
  atomicAdd(&data[0], 10);
  atomicSub(&data[1], 10);
  atomicExch(&data[2], id | 7);
  atomicMax(&data[3], (int)id);
  atomicMin(&data[4], -(int)id);
  atomicInc((unsigned*)&data[5], 17);
  atomicDec((unsigned*)&data[6], 137);
  atomicCAS(&data[7], 5, (int)(id | 1024));
  atomicAnd(&data[8], 2 * id + 7);
  atomicOr(&data[9], 1 << (id % 32));
  atomicXor(&data[10], (int)id);
  atomicAdd(wide, 1ull << 33);
  atomicMax(wide + 1, (unsigned long long)id << 32);
  atomicAdd(real, 0.5f);
  atomicAdd(fine, 0.25);
}

/// An atomic maximum of floats, made from compare-and-swap.
__device__ float atomicMaxFloat(float* address, float value) {
  int* as_int = (int*)address;
  int old = *(volatile int*)as_int, assumed;  // others may change it meanwhile
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

__global__ void maximum(float* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicMaxFloat(out, __sinf(0.0f) + (float)((threadIdx.x * 37) % 101));
  atomicAdd_block(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd_system(out + 1, (float)count);
}

int main() {
  int data[11];
  memset(data, 0, sizeof data);
  data[8] = data[10] = 0xff;
  data[2] = -1;
  int* d;
  unsigned long long wide[2] = {0, 0}, *dw;
  float real[3] = {0, -1, 0}, *dr;
  double fine = 0, *df;
  cudaMalloc(&d, sizeof data);
  cudaMalloc(&dw, sizeof wide);
  cudaMalloc(&dr, sizeof real);
  cudaMalloc(&df, sizeof fine);
  cudaMemcpy(d, data, sizeof data, cudaMemcpyHostToDevice);
  cudaMemcpy(dw, wide, sizeof wide, cudaMemcpyHostToDevice);
  cudaMemcpy(dr, real, sizeof real, cudaMemcpyHostToDevice);
  cudaMemcpy(df, &fine, sizeof fine, cudaMemcpyHostToDevice);
  atomics<<<64, 256>>>(d, dw, dr, df);
  maximum<<<1, 100>>>(dr + 1);
  cudaMemcpy(data, d, sizeof data, cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, dw, sizeof wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(real, dr, sizeof real, cudaMemcpyDeviceToHost);
  cudaMemcpy(&fine, df, sizeof fine, cudaMemcpyDeviceToHost);
  data[2] &= 7;
  for (int i = 0; i < 11; ++i) printf("%s%d", i > 0 ? " " : "", data[i]);
  printf("\n%llu %llu %g %g %g %g\n", wide[0], wide[1], real[0], real[1], real[2], fine);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFree(dw);
  cudaFree(dr);
  cudaFree(df);
}

// output:
//   163840 -163840 7 16383 -16383 4 38 0 1 -1 255
//   140737488355328 70364449210368 8192 100 100 4096
//   cudaSuccess
