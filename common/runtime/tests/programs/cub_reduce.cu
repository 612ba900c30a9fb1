// cub::DeviceReduce over a million elements: Sum, Min, Max, ArgMin, ArgMax, and Reduce with an operator of
// our own.
#include <cub/cub.cuh>

#include <cstdio>
#include <vector>

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

/// Calls `algorithm(temporary, bytes)` twice, as CUB wants it: for the size and for the work.
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
  std::vector<int> values(n);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i] = static_cast<int>((i * 2654435761u) >> 12) % 1000000 - 300;
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
  run([&](void* t, size_t& b) {
    cub::DeviceReduce::Reduce(t, b, in, out_sum, n, cuda::std::plus<long long>(), 0LL);
  });
  cudaMemcpy(&result, out_sum, sizeof result, cudaMemcpyDeviceToHost);
  printf("reduce %lld %s\n", result, result == expected ? "right" : "WRONG");
  int host[2];
  run([&](void* t, size_t& b) { cub::DeviceReduce::Sum(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("sum %d %s\n", host[0], host[0] == static_cast<int>(expected) ? "right" : "WRONG");
  run([&](void* t, size_t& b) { cub::DeviceReduce::Min(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("min %d\n", host[0]);
  run([&](void* t, size_t& b) { cub::DeviceReduce::Max(t, b, in, out, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("max %d\n", host[0]);
#if CUB_VERSION >= 200800
  long long* at;
  long long place = 0;
  cudaMalloc(&at, sizeof(long long));
  run([&](void* t, size_t& b) { cub::DeviceReduce::ArgMin(t, b, in, out, at, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&place, at, sizeof place, cudaMemcpyDeviceToHost);
  printf("argmin %d at %lld\n", host[0], place);
  run([&](void* t, size_t& b) { cub::DeviceReduce::ArgMax(t, b, in, out, at, n); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&place, at, sizeof place, cudaMemcpyDeviceToHost);
  printf("argmax %d at %lld\n", host[0], place);
#else
  cub::KeyValuePair<int, int>*pair, extreme;
  cudaMalloc(&pair, sizeof extreme);
  run([&](void* t, size_t& b) { cub::DeviceReduce::ArgMin(t, b, in, pair, n); });
  cudaMemcpy(&extreme, pair, sizeof extreme, cudaMemcpyDeviceToHost);
  printf("argmin %d at %d\n", extreme.value, extreme.key);
  run([&](void* t, size_t& b) { cub::DeviceReduce::ArgMax(t, b, in, pair, n); });
  cudaMemcpy(&extreme, pair, sizeof extreme, cudaMemcpyDeviceToHost);
  printf("argmax %d at %d\n", extreme.value, extreme.key);
#endif
  for (int& v : values) v = v / 12 * 12;
  cudaMemcpy(in, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  run([&](void* t, size_t& b) { cub::DeviceReduce::Reduce(t, b, in, out, n, Gcd{}, 0); });
  cudaMemcpy(host, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("gcd %d\n", host[0] < 0 ? -host[0] : host[0]);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  (void)sum;
  return 0;
}

// output:
//   reduce 477662428400 right
//   sum 921058544 right
//   min -5000
//   max 2000000
//   argmin -5000 at 777777
//   argmax 2000000 at 123456
//   gcd 12
//   no error
