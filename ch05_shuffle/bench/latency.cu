// How long a warp waits for one step of a tree, measured with one warp, in which each step needs the result
// of the step before. A step is a shuffle and an addition, or a store to shared memory, __syncwarp(), a load
// and an addition. Prints the clocks per step. Exit status 1: a sum is wrong, so the steps were not made.
//
//     latency

#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::measuring;

constexpr unsigned rounds = 820, steps = 5 * rounds, whole_warp = 0xffffffffu;

/// The sum of each lane at the end, and the clocks that lane 0 counted.
struct Result {
  unsigned values[32];
  long long clocks;
};

struct ByShuffle {
  __device__ unsigned step(unsigned value, unsigned distance) const {
    return value + __shfl_xor_sync(whole_warp, value, distance);
  }
};

/// One __syncwarp() per step is enough, because the steps use two arrays in turn: a lane that stores has
/// waited until all lanes have read that array.
struct BySharedMemory {
  volatile unsigned* here;
  volatile unsigned* there;
  __device__ unsigned step(unsigned value, unsigned distance) {
    here[threadIdx.x] = value;
    __syncwarp();
    value += here[threadIdx.x ^ distance];
    volatile unsigned* const used = here;
    here = there;
    there = used;
    return value;
  }
};

template <class Exchange>
__device__ void time_steps(Exchange exchange, Result* result) {
  unsigned value = threadIdx.x;
  const long long begin = clock64();
#pragma unroll 2
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) value = exchange.step(value, distance);
  }
  const long long end = clock64();
  result->values[threadIdx.x] = value;
  if (threadIdx.x == 0) result->clocks = end - begin;
}

__global__ void by_shuffle(Result* result) { time_steps(ByShuffle{}, result); }

__global__ void by_shared_memory(Result* result) {
  __shared__ unsigned slots[2][32];
  time_steps(BySharedMemory{slots[0], slots[1]}, result);
}

/// The same steps on the host.
std::vector<unsigned> expected_values() {
  std::vector<unsigned> values(32);
  for (unsigned lane = 0; lane < 32; ++lane) values[lane] = lane;
  for (unsigned round = 0; round < rounds; ++round)
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const std::vector<unsigned> before = values;
      for (unsigned lane = 0; lane < 32; ++lane) values[lane] += before[lane ^ distance];
    }
  return values;
}

/// Prints the median of 31 launches. Returns whether the values are right.
bool report(const char* name, void (*kernel)(Result*), Result* result) {
  std::vector<float> clocks;
  for (unsigned launch = 0; launch < 31; ++launch) {
    kernel<<<1, 32>>>(result);
    clocks.push_back(static_cast<float>(value_at(result).clocks));
  }
  const Result last = value_at(result);
  const bool is_right = std::vector<unsigned>(last.values, last.values + 32) == expected_values();
  std::printf("%-36s %6.1f clocks a step%s\n", name, median(clocks) / steps, is_right ? "" : "  WRONG");
  return is_right;
}

}  // namespace

int main() {
  Result* const result = allocate<Result>(1);
  std::printf("one warp, %u steps that each need the step before, median of 31\n", steps);
  bool is_right = report("shuffle, add", by_shuffle, result);
  is_right &= report("store, __syncwarp, load, add", by_shared_memory, result);
  return is_right ? 0 : 1;
}
