// reduce_to_the_roof beside cub::DeviceReduce on a GPU: the same input, the same stream, in turns. Then the
// results of this chapter's other reductions are compared with CUB's. Build and run: roof.md, section 7.
//
//     beside_cub [LARGEST]    sums 2^20 to 2^LARGEST floats; 30 if it is not given
//
// Exit status 0: all results agree. The times are printed, not judged; those of a simulated GPU mean nothing.

#include <cub/device/device_reduce.cuh>
#include <functional>

#include "../kernels.hpp"
#include "../solution.cu"  // the very kernels that the checks run
#include "common/measuring/arrays.cuh"

namespace {

using namespace warpwise::measuring;
using warpwise::ch05::roof_grid;
using warpwise::ch05::roof_threads;

/// -1, 0 and 1 in equal parts: the sums of 2^30 of them are exact in float.
__global__ void fill_steps(float* out, size_t n) {
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x)
    out[i] = static_cast<float>(mixed(static_cast<unsigned>(i)) % 3) - 1.0f;
}
/// Integers from -4000 to 4000, so each value occurs many times; `negated` changes their sign.
__global__ void fill_numbers(float* out, float* negated, unsigned* words, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = static_cast<float>(mixed(i + 1) % 8001) - 4000.0f;
    negated[i] = -out[i];
    words[i] = mixed(i + 2) % 1000 == 0 ? 1u << mixed(i + 3) % 16 * 2 : 0;
  }
}

struct Times {
  double ours, cubs;  ///< milliseconds, median of 30
};
/// In turns, so that both run at the same clock rates and find the same data in the caches.
Times time_both(const std::function<void()>& ours, const std::function<void()>& cubs) {
  Stopwatch stopwatch;
  std::vector<float> our_times, cub_times;
  for (int repetition = -5; repetition < 30; ++repetition) {
    const float our_time = stopwatch.time(ours);
    const float cub_time = stopwatch.time(cubs);
    if (repetition < 0) continue;  // warming up
    our_times.push_back(our_time);
    cub_times.push_back(cub_time);
  }
  return {median(our_times), median(cub_times)};
}

/// One value per warp, again and again, until one is left. `kernel` is a warp_reduce_*.
template <class T>
T level_by_level(void (*kernel)(const T*, T*, unsigned), const T* in, unsigned n) {
  T* results[2] = {allocate<T>(n / 32 + 8), allocate<T>(n / 32 + 8)};
  int level = 0;
  for (; n > 1 || level == 0; n = (n + 31) / 32, ++level) {
    kernel<<<(n + 255) / 256, 256>>>(level == 0 ? in : results[level % 2], results[(level + 1) % 2], n);
    require(cudaGetLastError(), "warp_reduce");
  }
  const T result = value_at(results[level % 2]);
  require(cudaFree(results[0]), "cudaFree");
  require(cudaFree(results[1]), "cudaFree");
  return result;
}

bool are_equal(const char* what, double ours, double cubs) {
  std::printf("  %-28s ours %12.0f   CUB %12.0f   %s\n", what, ours, cubs,
              ours == cubs ? "equal" : "DIFFERENT");
  return ours == cubs;
}

/// The best of all blocks, by the rule that reduce_argmax follows inside a block.
Best argmax(const float* in, unsigned n) {
  constexpr unsigned blocks = 256;
  float* const values = allocate<float>(blocks);
  unsigned* const indices = allocate<unsigned>(blocks);
  reduce_argmax<<<blocks, 256>>>(in, values, indices, n);
  require(cudaGetLastError(), "reduce_argmax");
  const auto value = download(values, blocks);
  const auto index = download(indices, blocks);
  Best best{value[0], index[0]};
  for (unsigned b = 1; b < blocks; ++b)
    if (value[b] > best.value || (value[b] == best.value && index[b] < best.index))
      best = {value[b], index[b]};
  require(cudaFree(values), "cudaFree");
  require(cudaFree(indices), "cudaFree");
  return best;
}

struct BitOrOfWords {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a | b; }
};

bool compare_results(unsigned log) {
  Cub prepared;
  const auto cub = [&](const auto& call) {
    prepared.prepare(call);
    prepared.run(call);
  };
  const int n = (1 << log) + 3;
  float* const in = allocate<float>(n);
  float* const negated = allocate<float>(n);
  unsigned* const words = allocate<unsigned>(n);
  fill_numbers<<<1024, 256>>>(in, negated, words, n);
  float* const value = allocate<float>(1);
  unsigned* const word = allocate<unsigned>(1);
  using Index = cuda::std::int64_t;
  Index* const index = allocate<Index>(1);

  std::printf("\nThe other reductions, n = 2^%u + 3\n", log);
  cub([&](void* scratch, size_t& bytes) { return cub::DeviceReduce::Max(scratch, bytes, in, value, n); });
  bool is_right = are_equal("Max: warp_reduce_max", level_by_level(warp_reduce_max, in, n), value_at(value));
  cub([&](void* scratch, size_t& bytes) { return cub::DeviceReduce::Min(scratch, bytes, in, value, n); });
  is_right &= are_equal("Min: warp_reduce_min", level_by_level(warp_reduce_min, in, n), value_at(value));
  cub([&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::Reduce(scratch, bytes, words, word, n, BitOrOfWords{}, 0u);
  });
  is_right &=
      are_equal("Reduce: warp_reduce_bit_or", level_by_level(warp_reduce_bit_or, words, n), value_at(word));
  cub([&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::ArgMax(scratch, bytes, in, value, index, Index{n});
  });
  const Best most = argmax(in, n);
  is_right &= are_equal("ArgMax: reduce_argmax, value", most.value, value_at(value));
  is_right &= are_equal("ArgMax: reduce_argmax, index", most.index, static_cast<double>(value_at(index)));
  // [argmin]
  cub([&](void* scratch, size_t& bytes) {
    return cub::DeviceReduce::ArgMin(scratch, bytes, in, value, index, Index{n});
  });
  // [/argmin]
  const Best least = argmax(negated, n);
  is_right &= are_equal("ArgMin: of -in, value", -least.value, value_at(value));
  is_right &= are_equal("ArgMin: of -in, index", least.index, static_cast<double>(value_at(index)));
  return is_right;
}

/// Every n from 0 to 4100, and around 2^20, at each of the four alignments, compared with sums from the host.
bool sum_every_size(const float* in, unsigned multiprocessors, float* sum, float* partials,
                    unsigned* ticket) {
  constexpr unsigned around = 1u << 20, spread = 3;
  const auto values = download(in, around + spread + 4);
  unsigned right = 0, wrong = 0;
  for (unsigned offset = 0; offset < 4; ++offset) {
    float expected = 0.0f;  // of the n values from `offset` on; exact
    for (unsigned n = 0; n <= around + spread; expected += values[offset + n++]) {
      if (n > 4100 && n < around - spread) continue;
      reduce_to_the_roof<<<roof_grid(multiprocessors, n), roof_threads>>>(in + offset, sum, n, partials,
                                                                          ticket);
      require(cudaGetLastError(), "reduce_to_the_roof");
      ++(value_at(sum) == expected ? right : wrong);
    }
  }
  std::printf("\nEvery n from 0 to 4100 and 2^20 - 3 to 2^20 + 3, 4 alignments: %u right, %u wrong\n", right,
              wrong);
  return wrong == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int asked = argc > 1 ? std::atoi(argv[1]) : 30;
  const auto largest = static_cast<unsigned>(std::clamp(asked, 20, 30));
  cudaDeviceProp device{};
  require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  int runtime = 0;
  require(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  std::printf("%s, %d multiprocessors, CUDA runtime %d.%d\n", device.name, device.multiProcessorCount,
              runtime / 1000, runtime % 1000 / 10);
  std::printf("Sum of n floats, median of 30, in turns; GB/s read\n");
  std::printf("  %5s %22s %22s %9s\n", "n", "reduce_to_the_roof", "cub::DeviceReduce::Sum", "speed-up");

  const size_t most = (size_t{1} << largest) + 8;  // some checks need a few more
  size_t free_bytes = 0, all_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &all_bytes), "cudaMemGetInfo");
  const unsigned multiprocessors = static_cast<unsigned>(device.multiProcessorCount);
  const size_t held = std::min(most, free_bytes / sizeof(float) / 10 * 9);
  float* const in = allocate<float>(held);
  fill_steps<<<1024, 256>>>(in, held);
  float* const our_sum = allocate<float>(1);
  float* const cub_sum = allocate<float>(1);
  float* const partials = allocate<float>(roof_grid(multiprocessors, 1u << 31));
  unsigned* const ticket = allocate<unsigned>(1);
  require(cudaMemset(ticket, 0, sizeof(unsigned)), "cudaMemset");

  bool is_right = true;
  for (unsigned log = 20; log <= largest && size_t{1} << log <= held; ++log) {
    const unsigned n = 1u << log;
    const unsigned blocks = roof_grid(multiprocessors, n);
    const auto sum_ours = [&] {
      reduce_to_the_roof<<<blocks, roof_threads>>>(in, our_sum, n, partials, ticket);
      require(cudaGetLastError(), "reduce_to_the_roof");
    };
    const auto sum_by_cub = [&](void* scratch, size_t& bytes) {
      return cub::DeviceReduce::Sum(scratch, bytes, in, cub_sum, static_cast<int>(n));
    };
    Cub cub;
    cub.prepare(sum_by_cub);
    const Times times = time_both(sum_ours, [&] { cub.run(sum_by_cub); });
    const bool is_equal = value_at(our_sum) == value_at(cub_sum);
    is_right &= is_equal;
    const auto speed = [n](double milliseconds) { return n * 4.0 / milliseconds / 1e6; };
    std::printf("  2^%-3u %10.4f ms %5.0f GB/s %10.4f ms %5.0f GB/s %9.3f %s\n", log, times.ours,
                speed(times.ours), times.cubs, speed(times.cubs), times.cubs / times.ours,
                is_equal ? "" : "DIFFERENT SUMS");
  }
  is_right &= sum_every_size(in, multiprocessors, our_sum, partials, ticket);
  require(cudaFree(in), "cudaFree");
  is_right &= compare_results(std::min(largest, 24u));
  std::printf(is_right ? "\nAll results are equal.\n" : "\nRESULTS DIFFER.\n");
  return is_right ? 0 : 1;
}
