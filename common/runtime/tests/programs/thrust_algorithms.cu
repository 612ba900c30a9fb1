// Thrust over a million elements: reduce, inclusive_scan, sort, transform with a functor.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <iostream>

struct Saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

int main() {
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

// output:
//   reduce 2047502292 right
//   scan ends with 2047502292 right
//   sort 0 ... 4095 right
//   saxpy 7 7
