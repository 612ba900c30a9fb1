// Times scan_device and the scan in three launches beside cub::DeviceScan on a GPU. Exit status 1: a result
// is wrong, or scan_device takes more than 1.15 times CUB's time for 2^28 elements.

#include <cub/device/device_scan.cuh>

#include "../solution.cu"
#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::measuring;

constexpr unsigned most = 1u << 28, repetitions = 21, block = 1024;

/// Integers from -8 to 7 that look random and depend on their place.
__global__ void fill(int* values, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = static_cast<int>(mixed(i) >> 28) - 8;
}

/// Counts places where a and b differ.
__global__ void compare(const int* a, const int* b, unsigned n, unsigned* differences) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (a[i] != b[i]) atomicAdd(differences, 1u);
}

template <class Call>
double milliseconds_of(const Call& call) {
  return median_time(call, repetitions);
}

struct Arrays {
  int* in = allocate<int>(most);
  int* out = allocate<int>(most);
  int* expected = allocate<int>(most);
  int* sums = allocate<int>(most / block);
  unsigned* differences = allocate<unsigned>(1);
  unsigned long long* states = allocate<unsigned long long>(warpwise::ch06::tiles_for(most));
  unsigned long long* drawn = allocate<unsigned long long>(1);
};

bool is_right(const Arrays& arrays, unsigned n) {
  require(cudaMemset(arrays.differences, 0, 4), "cudaMemset");
  compare<<<1056, 256>>>(arrays.out, arrays.expected, n, arrays.differences);
  return value_at(arrays.differences) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Fewer elements for a trial run on the simulated GPU.
  const unsigned largest = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : most;
  const Arrays arrays;
  require(cudaMemset(arrays.states, 0, 8ull * warpwise::ch06::tiles_for(most)), "cudaMemset");
  require(cudaMemset(arrays.drawn, 0, 8), "cudaMemset");
  fill<<<1056, 256>>>(arrays.in, largest);

  void* scratch = nullptr;
  size_t scratch_bytes = 0;
  require(cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, arrays.in, arrays.expected,
                                        static_cast<int>(largest)),
          "DeviceScan");
  require(cudaMalloc(&scratch, scratch_bytes), "cudaMalloc");

  bool is_good = true;
  std::printf("%10s %12s %15s %12s %8s\n", "n", "CUB, ms", "3 launches, ms", "1 launch, ms", "of CUB's");
  for (const unsigned n : {1u << 20, 1u << 22, 1u << 24, (1u << 24) + 3, 1u << 26, 1u << 28}) {
    if (n > largest) break;
    const double cub_time = milliseconds_of([&] {
      require(cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, arrays.in, arrays.expected,
                                            static_cast<int>(n)),
              "DeviceScan");
    });
    const unsigned blocks = (n + block - 1) / block;
    require(cudaMemset(arrays.out, 0xCD, n * 4ull), "cudaMemset");
    const double three = milliseconds_of([&] {
      scan_block_inclusive_int<<<blocks, block>>>(arrays.in, arrays.out, arrays.sums, n);
      scan_sums<<<1, block>>>(arrays.sums, blocks);
      add_sums<<<blocks, block>>>(arrays.out, arrays.sums, n);
    });
    const bool is_three_right = is_right(arrays, n);
    require(cudaMemset(arrays.out, 0xCD, n * 4ull), "cudaMemset");
    const double one = milliseconds_of([&] {
      scan_device<<<warpwise::ch06::tiles_for(n), warpwise::ch06::tile_threads>>>(
          arrays.in, arrays.out, n, arrays.states, arrays.drawn);
    });
    const bool is_one_right = is_right(arrays, n);
    std::printf("%10u %12.4f %15.4f %12.4f %8.3f%s%s\n", n, cub_time, three, one, one / cub_time,
                is_three_right ? "" : "  3 launches: WRONG", is_one_right ? "" : "  1 launch: WRONG");
    is_good = is_good && is_three_right && is_one_right && (n != most || one <= 1.15 * cub_time);
  }
  return is_good ? 0 : 1;
}
