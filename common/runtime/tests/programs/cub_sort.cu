// cub::DeviceRadixSort over a million keys, alone and with values.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

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
  const int n = 1000003;
  std::vector<unsigned> keys(n), sorted(n);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (i + 1) * 2654435761u;
    keys[i] = (keys[i] ^ (keys[i] >> 15)) * 2246822519u;
    order[i] = i;
  }
  unsigned *in, *out;
  int *values_in, *values_out;
  cudaMalloc(&in, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  cudaMalloc(&values_in, n * sizeof(int));
  cudaMalloc(&values_out, n * sizeof(int));
  cudaMemcpy(in, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(values_in, order.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  run([&](void* t, size_t& b) { cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
  cudaMemcpy(sorted.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::vector<unsigned> expected = keys;
  std::sort(expected.begin(), expected.end());
  printf("keys: %u ... %u, %s\n", sorted.front(), sorted.back(), sorted == expected ? "right" : "WRONG");
  run([&](void* t, size_t& b) {
    cub::DeviceRadixSort::SortPairsDescending(t, b, in, out, values_in, values_out, n, 8, 24);
  });
  cudaMemcpy(order.data(), values_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return (keys[a] >> 8 & 0xffff) > (keys[b] >> 8 & 0xffff); });
  printf("pairs by 16 bits: first %d, last %d, %s\n", order.front(), order.back(),
         order == places ? "right" : "WRONG");
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
  cudaFree(values_in);
  cudaFree(values_out);
  return 0;
}

// output:
//   keys: 12940 ... 4294963320, right
//   pairs by 16 bits: first 87723, last 942720, right
//   no error
