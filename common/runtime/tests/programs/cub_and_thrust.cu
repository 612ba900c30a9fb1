/// \file Algorithms of CUB and Thrust over a million elements.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <iostream>
#include <vector>

#include "../../../testing/program.cuh"

/// Calls `algorithm(temporary, bytes)` twice, as CUB wants it: for the size and for the work.
template <class Algorithm>
void run_twice(Algorithm algorithm) {
  void* temporary = nullptr;
  size_t bytes = 0;
  algorithm(temporary, bytes);
  cudaMalloc(&temporary, bytes);
  algorithm(temporary, bytes);
  cudaFree(temporary);
}

// finding: none
// cub::DeviceReduce over a million elements: Sum, Min, Max, ArgMin, ArgMax, and Reduce with an operator of
// our own.
namespace cub_reduce {

struct Gcd {
  __host__ __device__ int operator()(int a, int b) const {
    while (b != 0) {
      int rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
};

/// As cuda::std::plus<long long>, which CUDA 12.0 does not have yet.
struct WideSum {
  __host__ __device__ long long operator()(long long a, long long b) const { return a + b; }
};

int run() {
  const int n = 1000003;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>((i * 2654435761u) >> 12) % 1000000 - 300;
  values[777777] = -5000;
  values[123456] = 2000000;
  int *in, *out;
  long long* out_sum;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMalloc(&out_sum, sizeof(long long));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  long long result = 0, expected = 0;
  for (int v : values) expected += v;
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::Reduce(t, b, in, out_sum, n, WideSum{}, 0LL); });
  cudaMemcpy(&result, out_sum, sizeof result, cudaMemcpyDeviceToHost);
  printf("reduce %lld %s\n", result, result == expected ? "right" : "WRONG");
  int host[2];
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::Sum(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d %s\n", host[0], host[0] == static_cast<int>(expected) ? "right" : "WRONG");
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::Min(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("min %d\n", host[0]);
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::Max(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("max %d\n", host[0]);
#if CUB_VERSION >= 200800
  long long* at;
  long long place = 0;
  cudaMalloc(&at, sizeof(long long));
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::ArgMin(t, b, in, out, at, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&place, at, sizeof place, cudaMemcpyDeviceToHost);
  printf("argmin %d at %lld\n", host[0], place);
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::ArgMax(t, b, in, out, at, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&place, at, sizeof place, cudaMemcpyDeviceToHost);
  printf("argmax %d at %lld\n", host[0], place);
#else
  cub::KeyValuePair<int, int>*pair, extreme;
  cudaMalloc(&pair, sizeof extreme);
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::ArgMin(t, b, in, pair, n); });
  cudaMemcpy(&extreme, pair, sizeof extreme, cudaMemcpyDeviceToHost);
  printf("argmin %d at %d\n", extreme.value, extreme.key);
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::ArgMax(t, b, in, pair, n); });
  cudaMemcpy(&extreme, pair, sizeof extreme, cudaMemcpyDeviceToHost);
  printf("argmax %d at %d\n", extreme.value, extreme.key);
#endif
  for (int& v : values) v = v / 12 * 12;
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  run_twice([&](void* t, size_t& b) { cub::DeviceReduce::Reduce(t, b, in, out, n, Gcd{}, 0); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("gcd %d\n", host[0] < 0 ? -host[0] : host[0]);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}

const Program program("cub_reduce", run);

}  // namespace cub_reduce
// output:
//   reduce 477662428400 right
//   sum 921058544 right
//   min -5000
//   max 2000000
//   argmin -5000 at 777777
//   argmax 2000000 at 123456
//   gcd 12
//   no error

// finding: none
// cub::DeviceScan, DeviceSelect and DeviceHistogram over a million elements.
namespace cub_scan {

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int run() {
  const int n = 1000003, bins = 64;
  std::vector<int> values(n), result(n), expected;
  for (int i = 0; i < n; ++i) values[i] = static_cast<int>((i * 2654435761u) >> 26);
  int *in, *out, *count;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  run_twice([&](void* t, size_t& b) { cub::DeviceScan::InclusiveSum(t, b, in, out, n); });
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0, wrong = 0;
  for (int i = 0; i < n; ++i) wrong += result[i] != (sum += values[i]);
  printf("inclusive: last %d, %d wrong\n", result[n - 1], wrong);
  run_twice([&](void* t, size_t& b) { cub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
  cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  sum = wrong = 0;
  for (int i = 0; i < n; sum += values[i++]) wrong += result[i] != sum;
  printf("exclusive: last %d, %d wrong\n", result[n - 1], wrong);

  run_twice([&](void* t, size_t& b) { cub::DeviceSelect::If(t, b, in, out, count, n, IsOdd{}); });
  int found = 0;
  cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(result.data(), out, found * sizeof(int), cudaMemcpyDeviceToHost);
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd{});
  printf("selected %d, %s\n", found,
         found == (int)expected.size() && std::equal(expected.begin(), expected.end(), result.begin())
             ? "right"
             : "WRONG");

  run_twice(
      [&](void* t, size_t& b) { cub::DeviceHistogram::HistogramEven(t, b, in, out, bins + 1, 0, bins, n); });
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

const Program program("cub_scan", run);

}  // namespace cub_scan
// output:
//   inclusive: last 31500035, 0 wrong
//   exclusive: last 31500021, 0 wrong
//   selected 500005, right
//   histogram: first 15626, last 15625, 0 wrong
//   no error

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
