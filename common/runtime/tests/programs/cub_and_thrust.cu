/// \file Sorting with CUB, and Thrust, over a million elements.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <iostream>
#include <vector>

#include "../../../testing/program.cuh"
#include "cub_twice.cuh"

// finding: none
// cub::DeviceRadixSort over a million keys, alone and with values.
namespace cub_sort {

int run() {
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
  run_twice([&](void* t, size_t& b) { cub::DeviceRadixSort::SortKeys(t, b, in, out, n); });
  cudaMemcpy(sorted.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
  std::vector<unsigned> expected = keys;
  std::sort(expected.begin(), expected.end());
  printf("keys: %u ... %u, %s\n", sorted.front(), sorted.back(), sorted == expected ? "right" : "WRONG");
  run_twice([&](void* t, size_t& b) {
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

const Program program("cub_sort", run);

}  // namespace cub_sort
// output:
//   keys: 12940 ... 4294963320, right
//   pairs by 16 bits: first 87723, last 942720, right
//   no error

// finding: none
// Thrust over a million elements: reduce, inclusive_scan, sort, transform with a functor.
namespace thrust_algorithms {

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

int run() {
  const int n = 1000003;
  thrust::host_vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>((i * 2654435761u) >> 20);
  thrust::device_vector<int> device = host;
  long expected = 0;
  for (int value : host) expected += value;
  const long sum = thrust::reduce(device.begin(), device.end(), 0L);
  std::cout << "reduce " << sum << (sum == expected ? " right" : " WRONG") << "\n";

  thrust::device_vector<int> scanned(n);
  thrust::inclusive_scan(device.begin(), device.end(), scanned.begin());
  std::cout << "scan ends with " << scanned.back()
            << (scanned.back() == static_cast<int>(expected) ? " right" : " WRONG") << "\n";

  thrust::sort(device.begin(), device.end());
  thrust::host_vector<int> sorted = device;
  std::sort(host.begin(), host.end());
  std::cout << "sort " << sorted[0] << " ... " << sorted[n - 1] << (sorted == host ? " right" : " WRONG")
            << "\n";

  thrust::device_vector<float> x(1000, 2.0f), y(1000, 1.0f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{3.0f});
  std::cout << "saxpy " << y[0] << " " << y[999] << std::endl;
  return 0;
}

const Program program("thrust_algorithms", run);

}  // namespace thrust_algorithms
// output:
//   reduce 2047502292 right
//   scan ends with 2047502292 right
//   sort 0 ... 4095 right
//   saxpy 7 7
