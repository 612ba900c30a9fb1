// cub::DeviceScan, DeviceSelect and DeviceHistogram over a million elements.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

template <class Algorithm>
void run(Algorithm algorithm) {
  void* temporary = nullptr;
  size_t bytes = 0;
  algorithm(temporary, bytes);
  cudaMalloc(&temporary, bytes);
  algorithm(temporary, bytes);
  cudaFree(temporary);
}

int main() {
  const int n = 1000003, bins = 64;
  std::vector<int> values(n), result(n), expected;
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>((i * 2654435761u) >> 26);
  int *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  run([&](void* t, size_t& b) { cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != (sum += values[i]);
  printf("inclusive: last %d, %d wrong\n", result[n - 1], wrong);
  run([&](void* t, size_t& b) { cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  sum = wrong = 0;
  for (int i = 0; i < n; sum += values[i++]) wrong += result[i] != sum;
  printf("exclusive: last %d, %d wrong\n", result[n - 1], wrong);

  run([&](void* t, size_t& b) { cub::DeviceSelect::If(t, b, in, out, count, n, IsOdd{}); });
  int found = 0;
  cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(result.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd{});
  printf("selected %d, %s\n", found,
         found == (int)expected.size() && std::equal(expected.begin(), expected.end(), result.begin())
             ? "right"
             : "WRONG");

  run([&](void* t, size_t& b) { cub::DeviceHistogram::HistogramEven(t, b, in, out, bins + 1, 0, bins, n); });
  cudaMemcpy(result.data(), out, bins * sizeof(int), cudaMemcpyDeviceToHost);
  wrong = 0;
  for (int bin = 0; bin < bins; ++bin) wrong += result[bin] != std::count(values.begin(), values.end(), bin);
  printf("histogram: first %d, last %d, %d wrong\n", result[0], result[bins - 1], wrong);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
  return 0;
}

// output:
//   inclusive: last 31500035, 0 wrong
//   exclusive: last 31500021, 0 wrong
//   selected 500005, right
//   histogram: first 15626, last 15625, 0 wrong
//   no error
