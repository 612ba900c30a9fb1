// finding: launch at `assert(values[i] < 60);`
// An assertion that fails on the device: cudaErrorAssert from the call that waits, and from all that follow.
#include <cassert>
#include <cstdio>

#undef NDEBUG

__global__ void check(const int* values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(values[i] < 60);
  }
}

int main() {
  int values[64], *device;
  for (int i = 0; i < 64; ++i) values[i] = i;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  check<<<1, 64>>>(device, 60);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  check<<<1, 64>>>(device, 64);
  cudaError_t status = cudaDeviceSynchronize();
  printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%s\n", cudaGetErrorName(cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost)));
  return 0;
}

// output:
//   cudaSuccess
//   cudaErrorAssert: device-side assert triggered
//   cudaErrorAssert
//   cudaErrorAssert
