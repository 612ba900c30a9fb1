// Step 5 of docs/first-kernel.md: the threads of a block reverse 64 numbers, using shared memory.
#include <cstdio>
#include <vector>

__global__ void reverse(int* values) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = values[t];
  values[t] = tile[63 - t];
}

int main() {
  const int n = 64;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = i;

  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemcpy(values, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, n>>>(values);
  cudaMemcpy(numbers.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);

  int right = 0;
  for (int i = 0; i < n; ++i) right += numbers[i] == n - 1 - i;
  std::printf("%d of %d numbers are where they should be\n", right, n);
  return 0;
}
