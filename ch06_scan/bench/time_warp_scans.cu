// Times the loops of warp_scans.cu on a GPU, including cub::WarpScan. Exit status 1: the results of two of
// them differ, or the shuffles with inline PTX take more than 1.02 times CUB's time.

#include "../lesson/warp_scans.cu"
#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::measuring;

constexpr unsigned blocks = 1056, threads = 256, rounds = 2000, repetitions = 31;

struct Loop {
  const char* name;
  void (*kernel)(int*, unsigned);
  unsigned shared_bytes;
};

/// The median time of a launch in milliseconds; `values` holds the result of the first.
double time_loop(const Loop& loop, int* values, std::vector<int>& result) {
  std::vector<int> start(blocks * threads);
  for (unsigned i = 0; i < start.size(); ++i) start[i] = static_cast<int>(i % 7);
  const size_t bytes = start.size() * sizeof(int);
  require(cudaMemcpy(values, start.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  loop.kernel<<<blocks, threads, loop.shared_bytes>>>(values, rounds);
  result = download(values, start.size());
  return median_time([&] { loop.kernel<<<blocks, threads, loop.shared_bytes>>>(values, rounds); },
                     repetitions, 0);
}

}  // namespace

int main() {
  const Loop loops[] = {
      {"shared memory, a condition per step", loop_conditional, threads * 4},
      {"shared memory, zeros ahead", loop_padded, warpwise::ch06::padded_ints(threads) * 4},
      {"__shfl_up_sync, lane test", loop_lane_test, 0},
      {"inline PTX, predicate", loop_predicate, 0},
      {"cub::WarpScan", loop_cub, 0},
  };
  int* values = nullptr;
  require(cudaMalloc(&values, blocks * threads * sizeof(int)), "cudaMalloc");
  std::printf("%u scans in a loop, %u blocks of %u threads, median of %u\n", rounds, blocks, threads,
              repetitions);
  std::vector<int> expected(blocks * threads), result(blocks * threads);
  bool is_wrong = false;
  double first = 0, last = 0, before = 0;
  for (const Loop& loop : loops) {
    const double milliseconds = time_loop(loop, values, result);
    if (first == 0) {
      first = milliseconds;
      expected = result;
    }
    is_wrong = is_wrong || result != expected;
    before = last;
    last = milliseconds;
    std::printf("%-34s %7.3f ms  %4.2f x%s\n", loop.name, milliseconds, first / milliseconds,
                result == expected ? "" : "  WRONG");
  }
  require(cudaFree(values), "cudaFree");
  const bool is_slower = before > 1.02 * last;  // 2 %: a repeated run may differ by this much
  std::printf("the predicate form takes %.2f of CUB's time\n", before / last);
  return is_wrong || is_slower ? 1 : 0;
}
