// Steps 2, 3 and 4 of docs/first-kernel.md: doubles 2000 numbers, with one thread for each number.
#include <cstdio>
#include <vector>

__global__ void twice(int* values, int n) {
  int i = threadIdx.x;
  values[i] = 2 * values[i];
}

int main() {
  const int n = 2000;
  std::vector<int> numbers(n, 1);

  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemcpy(values, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, n>>>(values, n);
  cudaMemcpy(numbers.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);

  int right = 0;
  for (int number : numbers) right += number == 2;
  std::printf("%d of %d numbers are doubled\n", right, n);
  return 0;
}
