// Times the kernels of chapter 7 on a GPU and checks what they compute: match_any in a loop with nothing else
// in it, the histograms for 1 to 4096 bins and for 8 bins in other places, and the compaction. Exit status 1
// means that a result was wrong, or that the aggregated histogram is less than 20 times as fast as the plain
// one for one bin, or takes more than 1.03 times as long for 1024 bins. Run by measure_match_any.sh.
//
//     measure [ELEMENTS]   fewer than 2^24, for a trial run on the simulated GPU: the times do not matter

#include "../solution.cu"
#include "common/measuring/measuring.cuh"

namespace {

using namespace warpwise::measuring;

/// How much is measured.
struct Workload {
  unsigned elements = 1u << 24;  // of the histograms and the compaction
  unsigned match_blocks = 1056;
  unsigned repetitions = 15;
  bool are_times_asked_for = true;
};
Workload workload;

/// Median time of `launch` in milliseconds.
template <class Launch>
double time_of(const Launch& launch) {
  return median_time(launch, workload.repetitions);
}

// --- match_any ------------------------------------------------------------------------------------------

__device__ unsigned match_by_intrinsic(unsigned mask, unsigned long long key) {
  return __match_any_sync(mask, key);
}

constexpr unsigned match_rounds = 200, match_threads = 256;

/// One lane in `apart` takes part, and the k-th of them starts with the key k % distinct. There are 200
/// rounds. The key of a round depends on the answer of the round before (it grows by 1 if a lane is its own
/// peer, which it always is), so no round can be left out. A warp gets its mask from memory, as in the
/// kernels of the chapter. If it were a parameter of the kernel, the assembler would know that it is the same
/// for all lanes, and would leave out the test whether the lanes that it names are here together.
template <unsigned (*match)(unsigned, unsigned long long)>
__global__ void match_loop(const unsigned* active, unsigned apart, unsigned distinct, unsigned* sums) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned mask = active[i / 32];
  if (mask >> lane & 1) {
    unsigned long long key = lane / apart % distinct * 0x100000001ull;
    unsigned sum = 0;
#pragma unroll 1
    for (unsigned round = 0; round < match_rounds; ++round) {
      const unsigned peers = match(mask, key);
      key += peers >> lane & 1;
      sum += peers;
    }
    sums[i] = sum;
  }
}

/// The arguments of a run of match_loop, and the place for its sums.
struct Matches {
  unsigned apart, distinct;
  unsigned* active = allocate<unsigned>(workload.match_blocks * match_threads / 32);
  unsigned* sums = allocate<unsigned>(workload.match_blocks * match_threads);

  /// `lanes`, a power of two, take part in each warp, with `keys` distinct keys.
  Matches(unsigned lanes, unsigned keys) : apart(32 / lanes), distinct(keys) {
    std::vector<unsigned> masks(workload.match_blocks * match_threads / 32);
    for (unsigned warp = 0; warp < masks.size(); ++warp) masks[warp] = mask_of(warp);
    require(cudaMemcpy(active, masks.data(), masks.size() * sizeof(unsigned), cudaMemcpyHostToDevice),
            "cudaMemcpy");
    require(cudaMemset(sums, 0, workload.match_blocks * match_threads * sizeof(unsigned)), "cudaMemset");
  }
  ~Matches() {
    cudaFree(active);
    cudaFree(sums);
  }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;

  /// The lanes that take part: evenly spread, and different ones in the next warp.
  unsigned mask_of(unsigned warp) const {
    unsigned mask = 0;
    for (unsigned lane = warp % apart; lane < 32; lane += apart) mask |= 1u << lane;
    return mask;
  }

  /// Whether each active lane's sum is 200 times its peers, and the others have none.
  bool are_sums_right() const {
    const auto found = download(sums, workload.match_blocks * match_threads);
    for (unsigned i = 0; i < found.size(); ++i) {
      const unsigned mask = mask_of(i / 32);
      // Keys of different groups stay different: all grow by the same.
      unsigned peers = 0;
      for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1 && lane / apart % distinct == i % 32 / apart % distinct) peers |= 1u << lane;
      if (found[i] != (mask >> i % 32 & 1 ? match_rounds * peers : 0)) return false;
    }
    return true;
  }
};

struct Column {
  unsigned lanes, keys;  // as in Matches
};

/// The times of one version.
template <unsigned (*match)(unsigned, unsigned long long)>
bool row_of_match(const char* name, const std::vector<Column>& columns) {
  bool is_right = true;
  std::printf("%-28s", name);
  for (const Column& column : columns) {
    const Matches matches(column.lanes, column.keys);
    const double milliseconds = time_of([&] {
      match_loop<match><<<workload.match_blocks, match_threads>>>(matches.active, matches.apart,
                                                                  matches.distinct, matches.sums);
    });
    is_right = is_right && matches.are_sums_right();
    std::printf(" %9.3f ms", milliseconds);
  }
  std::printf("%s\n", is_right ? "" : "  WRONG");
  return is_right;
}

bool rows_of_match(const std::vector<Column>& columns) {
  bool is_right = row_of_match<match_by_intrinsic>("__match_any_sync", columns);
  is_right &= row_of_match<match_by_broadcast>("broadcast", columns);
  is_right &= row_of_match<match_skip_inactive>("skip inactive lanes", columns);
  is_right &= row_of_match<match_by_leaders>("leaders", columns);
  return is_right;
}

bool measure_match() {
  std::printf("match_any, %u in a loop, %u blocks of %u threads, median of %u\n", match_rounds,
              workload.match_blocks, match_threads, workload.repetitions);
  std::printf("\nall lanes active; distinct keys:%9u %12u %12u\n", 1u, 8u, 32u);
  bool is_right = rows_of_match({{32, 1}, {32, 8}, {32, 32}});
  std::printf("\nall keys distinct; active lanes:%9u %12u %12u %12u\n", 4u, 8u, 16u, 32u);
  is_right &= rows_of_match({{4, 4}, {8, 8}, {16, 16}, {32, 32}});
  return is_right;
}

// --- histograms -------------------------------------------------------------------------------------------

constexpr unsigned most_bins = 4096;

/// Random keys 0, apart, 2 * apart ..., `bins` different ones.
__global__ void fill(unsigned* keys, unsigned n, unsigned bins, unsigned apart = 1) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned word = i * 2654435761u;
    word ^= word >> 15;
    word *= 2246822519u;
    word ^= word >> 13;
    keys[i] = word % bins * apart;
  }
}

struct Arrays {
  unsigned n;
  unsigned* keys = allocate<unsigned>(n);
  unsigned* histogram = allocate<unsigned>(most_bins);
};

/// Time in milliseconds. `is_right` becomes false if a launch does not count what the host counts.
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
  std::printf("\nhistograms of %u keys, median of %u\n", n, workload.repetitions);
  std::printf("%6s %12s %15s %15s %15s\n", "bins", "plain", "aggregated", "private", "plain/aggr.");
  bool is_right = true;
  for (unsigned bins = 1; bins <= most_bins; bins *= 2) {
    fill<<<blocks, 256>>>(arrays.keys, n, bins, 1);
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
    if (workload.are_times_asked_for && bins == 1 && aggregated * 20 > plain) {
      std::printf("        TOO SLOW: with one bin, aggregation must be worth a factor of 20\n");
      is_right = false;
    }
    if (workload.are_times_asked_for && bins == 1024 && aggregated > 1.03 * plain) {
      std::printf("        TOO SLOW: with 1024 bins, aggregation must not cost more than 3 %%\n");
      is_right = false;
    }
  }
  return is_right;
}

/// Eight bins in one sector of memory, or each in a sector of its own, close together or far apart.
bool measure_places(unsigned n) {
  const Arrays arrays{n};
  const unsigned blocks = 8 * multiprocessors();
  std::printf("\nhistogram_plain of %u keys in 8 bins, median of %u\n", n, workload.repetitions);
  std::printf("%12s %12s\n", "bytes apart", "time");
  bool is_right = true;
  for (const unsigned apart : {1u, 2u, 4u, 8u, 32u, 128u, 512u}) {
    fill<<<blocks, 256>>>(arrays.keys, n, 8, apart);
    std::vector<unsigned> expected(most_bins);
    for (const unsigned key : download(arrays.keys, n)) ++expected[key];
    bool is_row_right = true;
    const double milliseconds = time_histogram(
        arrays, expected, [&] { histogram_plain<<<blocks, 256>>>(arrays.keys, arrays.histogram, n); },
        is_row_right);
    std::printf("%12u %9.4f ms%s\n", 4 * apart, milliseconds, is_row_right ? "" : "  WRONG");
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

/// The same, but every element draws its own ticket, for comparison.
extern "C" __global__ void compact_plain(const unsigned* in, unsigned* out, unsigned* count, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] != 0) out[atomicAdd(count, 1u)] = in[i];
}

bool measure_compaction(unsigned n) {
  unsigned *in = allocate<unsigned>(n), *out = allocate<unsigned>(n), *count = allocate<unsigned>(1);
  const unsigned blocks = 8 * multiprocessors();
  std::printf("\ncompaction of %u elements, median of %u (with the clearing of the count)\n", n,
              workload.repetitions);
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
      is_row_right = is_row_right && value_at(count) == expected.size() && found == expected;
    }
    std::printf("1 in %-13u %12.4f ms %12.4f ms%s\n", one_in, times[0], times[1],
                is_row_right ? "" : "  WRONG");
    is_right = is_right && is_row_right;
  }
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1)
    workload = {.elements = static_cast<unsigned>(std::atoi(argv[1])),
                .match_blocks = 2,
                .repetitions = 1,
                .are_times_asked_for = false};
  bool is_good = measure_match();
  is_good &= measure_histograms(workload.elements);
  is_good &= measure_histograms(workload.elements + 3);
  is_good &= measure_places(workload.elements);
  is_good &= measure_compaction(workload.elements);
  if (!is_good) std::printf("a result is WRONG, or a kernel TOO SLOW\n");
  return is_good ? 0 : 1;
}
