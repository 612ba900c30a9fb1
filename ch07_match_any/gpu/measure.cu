// Times the kernels of chapter 7 on a GPU and checks what they compute: match_any in a loop with nothing else
// in it, the histograms for 1 to 4096 bins, and the compaction. Exit status 1: a result was wrong. Run by
// measure.sh.

#include "../solution.cu"
#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::measuring;

/// Median time of `launch` in milliseconds.
template <class Launch>
double time_of(const Launch& launch, unsigned repetitions = 15) {
  return median_time(launch, repetitions);
}

// --- match_any ------------------------------------------------------------------------------------------

struct Intrinsic {
  static __device__ unsigned match(unsigned mask, unsigned long long key) {
    return __match_any_sync(mask, key);
  }
};
struct Broadcast {
  static __device__ unsigned match(unsigned mask, unsigned long long key) {
    return match_by_broadcast(mask, key);
  }
};
struct SkipInactive {
  static __device__ unsigned match(unsigned mask, unsigned long long key) {
    return match_skip_inactive(mask, key);
  }
};
struct Leaders {
  static __device__ unsigned match(unsigned mask, unsigned long long key) {
    return match_by_leaders(mask, key);
  }
};

/// Each lane has the key lane % distinct, 200 times. The key of a round depends on the answer of the round
/// before (it grows by 1 where a lane is a peer of itself, which it always is), so that no round can be left
/// out. `mask` is not known to the compiler; it must name all lanes.
template <class Form>
__global__ void match_loop(unsigned mask, unsigned distinct, unsigned* sums) {
  const unsigned lane = threadIdx.x % 32;
  unsigned long long key = lane % distinct * 0x100000001ull;
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned peers = Form::match(mask, key);
    key += peers >> lane & 1;
    sum += peers;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

constexpr unsigned match_blocks = 1056, match_threads = 256;

/// Whether each lane's sum is 200 times its mask.
bool are_sums_right(const unsigned* sums, unsigned distinct) {
  const auto found = download(sums, match_blocks * match_threads);
  for (unsigned i = 0; i < found.size(); ++i) {
    unsigned peers = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lane % distinct == i % 32 % distinct) peers |= 1u << lane;
    // Keys of different groups stay different: all grow by the same.
    if (found[i] != 200 * peers) return false;
  }
  return true;
}

template <class Form>
bool row_of_match(const char* name, unsigned* sums) {
  bool is_right = true;
  std::printf("%-28s", name);
  for (const unsigned distinct : {1u, 8u, 32u}) {
    const double milliseconds =
        time_of([&] { match_loop<Form><<<match_blocks, match_threads>>>(0xffffffffu, distinct, sums); });
    is_right = is_right && are_sums_right(sums, distinct);
    std::printf(" %9.3f ms", milliseconds);
  }
  std::printf("%s\n", is_right ? "" : "  WRONG");
  return is_right;
}

bool measure_match() {
  unsigned* sums = allocate<unsigned>(match_blocks * match_threads);
  std::printf("match_any, 200 in a loop, %u blocks of %u threads, all lanes active, median of 15\n",
              match_blocks, match_threads);
  std::printf("%-28s %12s %12s %12s\n", "distinct keys a warp", "1", "8", "32");
  bool is_right = row_of_match<Intrinsic>("__match_any_sync", sums);
  is_right &= row_of_match<Broadcast>("broadcast", sums);
  is_right &= row_of_match<SkipInactive>("skip inactive lanes", sums);
  is_right &= row_of_match<Leaders>("leaders", sums);
  require(cudaFree(sums), "cudaFree");
  return is_right;
}

// --- histograms -------------------------------------------------------------------------------------------

constexpr unsigned most_bins = 4096;

__global__ void fill(unsigned* keys, unsigned n, unsigned bins) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned word = i * 2654435761u;
    word ^= word >> 15;
    word *= 2246822519u;
    word ^= word >> 13;
    keys[i] = word % bins;
  }
}

unsigned multiprocessors() {
  int device = 0, count = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
  return static_cast<unsigned>(count);
}

struct Arrays {
  unsigned n;
  unsigned* keys = allocate<unsigned>(n);
  unsigned* histogram = allocate<unsigned>(most_bins);
};

/// Time in milliseconds; `is_right` becomes false if one launch does not count what the host counts.
template <class Launch>
double time_histogram(const Arrays& arrays, const std::vector<unsigned>& expected, Launch launch,
                      bool& is_right) {
  require(cudaMemset(arrays.histogram, 0, most_bins * sizeof(unsigned)), "cudaMemset");
  launch();
  if (download(arrays.histogram, expected.size()) != expected) is_right = false;
  return time_of(launch);
}

bool measure_histograms(unsigned n) {
  const Arrays arrays{n};
  const unsigned blocks = 8 * multiprocessors(), private_blocks = 4 * multiprocessors();
  std::printf("\nhistograms of %u keys, median of 15\n", n);
  std::printf("%6s %12s %15s %15s %15s\n", "bins", "plain", "aggregated", "private", "plain/aggr.");
  bool is_right = true;
  for (unsigned bins = 1; bins <= most_bins; bins *= 2) {
    fill<<<blocks, 256>>>(arrays.keys, n, bins);
    std::vector<unsigned> expected(bins);
    for (const unsigned key : download(arrays.keys, n)) ++expected[key];
    bool is_row_right = true;
    const double plain = time_histogram(
        arrays, expected, [&] { histogram_plain<<<blocks, 256>>>(arrays.keys, arrays.histogram, n); },
        is_row_right);
    const double aggregated = time_histogram(
        arrays, expected, [&] { histogram_aggregated<<<blocks, 256>>>(arrays.keys, arrays.histogram, n); },
        is_row_right);
    const double own = time_histogram(
        arrays, expected,
        [&] { histogram_private<<<private_blocks, 512, bins * 4>>>(arrays.keys, arrays.histogram, n, bins); },
        is_row_right);
    std::printf("%6u %9.4f ms %12.4f ms %12.4f ms %13.2f x%s\n", bins, plain, aggregated, own,
                plain / aggregated, is_row_right ? "" : "  WRONG");
    is_right = is_right && is_row_right;
  }
  return is_right;
}

// --- compaction -------------------------------------------------------------------------------------------

/// One element in `one_in` is not 0, and holds its index plus 1.
__global__ void fill_sparse(unsigned* in, unsigned n, unsigned one_in) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    in[i] = (i * 2654435761u >> 16) % one_in == 0 ? i + 1 : 0;
}

/// The same with a ticket drawn by every element, for comparison.
__global__ void compact_plain(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] != 0) out[atomicAdd(count, 1u)] = in[i];
}

bool measure_compaction(unsigned n) {
  unsigned *in = allocate<unsigned>(n), *out = allocate<unsigned>(n), *count = allocate<unsigned>(1);
  const unsigned blocks = 8 * multiprocessors();
  std::printf("\ncompaction of %u elements, median of 15 (with the clearing of the count)\n", n);
  std::printf("%-18s %15s %15s\n", "kept", "plain atomics", "by tickets");
  bool is_right = true;
  for (const unsigned one_in : {1u, 2u, 16u}) {
    fill_sparse<<<blocks, 256>>>(in, n, one_in);
    std::vector<unsigned> expected;
    for (const unsigned value : download(in, n))
      if (value != 0) expected.push_back(value);
    bool is_row_right = true;
    double times[2];
    for (const bool is_plain : {true, false}) {
      const auto launch = [&] {
        require(cudaMemsetAsync(count, 0, sizeof(unsigned)), "cudaMemsetAsync");
        if (is_plain)
          compact_plain<<<blocks, 256>>>(in, out, count, n);
        else
          compact_by_tickets<<<blocks, 256>>>(in, out, count, n);
      };
      times[is_plain ? 0 : 1] = time_of(launch);
      auto found = download(out, expected.size());
      std::sort(found.begin(), found.end());  // tickets promise no order
      is_row_right = is_row_right && download(count, 1)[0] == expected.size() && found == expected;
    }
    std::printf("1 in %-13u %12.4f ms %12.4f ms%s\n", one_in, times[0], times[1],
                is_row_right ? "" : "  WRONG");
    is_right = is_right && is_row_right;
  }
  return is_right;
}

}  // namespace

int main() {
  bool is_right = measure_match();
  is_right &= measure_histograms(1u << 24);
  is_right &= measure_histograms((1u << 24) + 3);
  is_right &= measure_compaction(1u << 24);
  if (!is_right) std::printf("a result is WRONG\n");
  return is_right ? 0 : 1;
}
