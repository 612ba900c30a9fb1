// finding: out-of-bounds at `p[i] = 1;`
// A kernel that writes through a wild pointer: the error comes late, and stays.
#include <cstdio>

__global__ void wild(int* p, int i) { p[i] = 1; }

int main() {
  int* good;
  cudaMalloc(&good, 4096);
  wild<<<1, 1>>>(good, 3);
  printf("in bounds: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  wild<<<1, 1>>>(nullptr, 5);
  printf("waiting: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  int value;
  printf("copying: %s\n", cudaGetErrorName(cudaMemcpy(&value, good, 4, cudaMemcpyDeviceToHost)));
  printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("last again: %s\n", cudaGetErrorName(cudaGetLastError()));
  printf("allocating: %s\n", cudaGetErrorName(cudaMalloc(&good, 4)));
  return 0;
}

// output:
//   in bounds: cudaSuccess
//   waiting: an illegal memory access was encountered
//   copying: cudaErrorIllegalAddress
//   last: cudaErrorIllegalAddress
//   last again: cudaSuccess
//   allocating: cudaErrorIllegalAddress
