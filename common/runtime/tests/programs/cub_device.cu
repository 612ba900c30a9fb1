/// \file Reductions and scans of CUB over a million elements. Those that take longest to compile:
/// cub_and_thrust.cu.
#include <algorithm>
#include <cstdio>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#include <iterator>
#include <vector>

#include "../../../testing/program.cuh"
#include "cub_twice.cuh"

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
