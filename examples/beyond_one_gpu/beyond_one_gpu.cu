// Reduces and scans one array that is spread over all GPUs of a machine: the kernels of chapters 5 and 6
// inside each GPU, NCCL between them. docs/beyond-one-gpu.md explains what it prints.
//
//     beyond_one_gpu [LOG2_N] [GPUS] [RUNS]    default: n = 2^30, all GPUs, median of 20 runs
//
// It runs with one GPU first, then with all. Exit status 1: a result is wrong, or two results that must be
// the same are not.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#include "ch05_shuffle/kernels.hpp"
#include "ch06_scan/kernels.hpp"
#include "kernels.cuh"
#include "ranks.cuh"

namespace {

using namespace beyond;
using warpwise::measuring::allocate;
using warpwise::measuring::median;
using warpwise::measuring::multiprocessors;
using warpwise::measuring::value_at;

struct Request {
  unsigned log2_n = 30;
  int gpus = 1;
  unsigned runs = 20;
};

// --- Time -------------------------------------------------------------------------------------------------

/// Keeps a stream busy until the host has queued its work on all GPUs: until *go is `turn`, but for at most
/// 20 ms.
__global__ void hold_until(volatile unsigned* go, unsigned turn) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (*go != turn && now - begin < 20'000'000);
}

/// Milliseconds from the moment when all GPUs may begin until the last has ended; `work` queues work on the
/// streams of all ranks.
class Stopwatch {
 public:
  Stopwatch() {
    require(cudaHostAlloc(&go_, sizeof(unsigned), cudaHostAllocPortable), "cudaHostAlloc"), *go_ = 0;
  }
  ~Stopwatch() { cudaFreeHost(const_cast<unsigned*>(go_)); }
  Stopwatch(const Stopwatch&) = delete;  ///< owns the memory
  Stopwatch& operator=(const Stopwatch&) = delete;

  float time(const Ranks& ranks, bool holds, const std::function<void()>& work) {
    const unsigned turn = *go_ + 1;
    ranks.each([&](const Rank& rank, int) {
      if (holds) hold_until<<<1, 1, 0, rank.stream>>>(go_, turn);
      require(cudaEventRecord(rank.begin, rank.stream), "cudaEventRecord");
    });
    work();
    ranks.each(
        [&](const Rank& rank, int) { require(cudaEventRecord(rank.end, rank.stream), "cudaEventRecord"); });
    *go_ = turn;
    ranks.wait();
    float longest = 0;
    ranks.each([&](const Rank& rank, int) {
      float milliseconds = 0;
      require(cudaEventElapsedTime(&milliseconds, rank.begin, rank.end), "cudaEventElapsedTime");
      longest = std::max(longest, milliseconds);
    });
    return longest;
  }

 private:
  volatile unsigned* go_ = nullptr;
};

/// The result of repeated runs.
struct Runs {
  double milliseconds = 0;
  float result = 0;
  bool are_identical = true;  ///< all results, to the bit
};

/// `work` leaves its result in result[0] of rank 0.
Runs time_runs(const Ranks& ranks, const Request& request, const float* result,
               const std::function<void()>& work) {
  static Stopwatch stopwatch;
  const bool holds = request.runs > 1;  // one run is a trial, perhaps on a simulated GPU: it doesn't wait
  std::vector<float> times;
  Runs runs;
  for (unsigned run = 0; run < request.runs + (holds ? 3 : 0); ++run) {
    const float milliseconds = stopwatch.time(ranks, holds, work);
    require(cudaSetDevice(0), "cudaSetDevice");
    const float found = result == nullptr ? 0.0f : value_at(result);
    if (run > 0)
      runs.are_identical = runs.are_identical && std::memcmp(&found, &runs.result, sizeof found) == 0;
    runs.result = found;
    if (!holds || run >= 3) times.push_back(milliseconds);
  }
  runs.milliseconds = median(times);
  return runs;
}

// --- Sums -------------------------------------------------------------------------------------------------

/// An array of one size on some GPUs, and what all the sums share.
struct Problem {
  const Ranks& ranks;
  size_t n;
  size_t chunks = (n - 1) / chunk_elements + 1;
  std::vector<size_t> begins{}, sizes{};  ///< of each rank's stretch, in elements

  Problem(const Ranks& all, size_t elements) : ranks(all), n(elements) {
    for (int r = 0; r < ranks.count(); ++r) {
      const Stretch stretch = stretch_of(chunks, r, ranks.count());
      begins.push_back(stretch.begin * chunk_elements);
      sizes.push_back(std::min(n, stretch.end * chunk_elements) - begins.back());
    }
  }
  size_t first_chunk(int r) const { return begins[static_cast<size_t>(r)] / chunk_elements; }
  unsigned chunks_of(int r) const {
    return static_cast<unsigned>((sizes[static_cast<size_t>(r)] + chunk_elements - 1) / chunk_elements);
  }
};

/// As fast as possible: chapter 5's kernel, and a sum of the ranks' sums. The order is fixed, but it differs
/// with the number of GPUs.
Runs fast_sum(const Problem& problem, const Spread<float>& in, const Request& request) {
  const Ranks& ranks = problem.ranks;
  const Spread<float> out(ranks, 1), partials(ranks, 4 * multiprocessors());
  const Spread<unsigned> ticket(ranks, 1);
  ranks.each([&](const Rank&, int r) { require(cudaMemset(ticket[r], 0, sizeof(unsigned)), "cudaMemset"); });
  return time_runs(ranks, request, out[0], [&] {
    ranks.each([&](const Rank& rank, int r) {
      const auto n = static_cast<unsigned>(problem.sizes[static_cast<size_t>(r)]);
      const unsigned blocks = warpwise::ch05::roof_grid(multiprocessors(), n);
      reduce_to_the_roof<<<blocks, warpwise::ch05::roof_threads, 0, rank.stream>>>(in[r], out[r], n,
                                                                                   partials[r], ticket[r]);
    });
    ranks.sum(out.parts(), 1);
  });
}

/// Chunk by chunk. Each rank has a place for every chunk's sum, with 0 for the chunks that it does not own.
/// Added up over the ranks, that gives everybody the whole list. It is exact, because adding 0 changes
/// nothing.
template <class Rule>
Runs chunk_sum(const Problem& problem, const Spread<float>& in, const Request& request) {
  using Value = typename Rule::Value;
  const Ranks& ranks = problem.ranks;
  const Spread<float> out(ranks, 1);
  const Spread<Value> sums(ranks, problem.chunks);
  const size_t floats = problem.chunks * (sizeof(Value) / sizeof(float));
  std::vector<float*> lists;
  for (Value* list : sums.parts()) lists.push_back(reinterpret_cast<float*>(list));
  return time_runs(ranks, request, out[0], [&] {
    ranks.each([&](const Rank& rank, int r) {
      const size_t n = problem.sizes[static_cast<size_t>(r)];
      require(cudaMemsetAsync(sums[r], 0, floats * sizeof(float), rank.stream), "cudaMemsetAsync");
      if (n == 0) return;
      chunk_sums<Rule><<<problem.chunks_of(r), chunk_threads, 0, rank.stream>>>(in[r], n, sums[r],
                                                                                problem.first_chunk(r));
    });
    ranks.sum(lists, floats);
    ranks.each([&](const Rank& rank, int r) {
      join_chunks<Rule><<<1, 1024, 0, rank.stream>>>(sums[r], static_cast<unsigned>(problem.chunks), out[r]);
    });
  });
}

/// As integers, in two passes: the first finds the largest element.
Runs any_order_sum(const Problem& problem, const Spread<float>& in, const Request& request) {
  const Ranks& ranks = problem.ranks;
  const Spread<float> out(ranks, 1), largest(ranks, 1);
  const Spread<long long> sum(ranks, 1);
  const unsigned blocks = 4 * multiprocessors();
  return time_runs(ranks, request, out[0], [&] {
    ranks.each([&](const Rank& rank, int r) {
      require(cudaMemsetAsync(largest[r], 0, sizeof(float), rank.stream), "cudaMemsetAsync");
      require(cudaMemsetAsync(sum[r], 0, sizeof(long long), rank.stream), "cudaMemsetAsync");
      largest_size<<<blocks, chunk_threads, 0, rank.stream>>>(in[r], problem.sizes[static_cast<size_t>(r)],
                                                              largest[r]);
    });
    ranks.largest(largest.parts(), 1);
    ranks.each([&](const Rank& rank, int r) {
      fixed_point_sum<<<blocks, chunk_threads, 0, rank.stream>>>(in[r], problem.sizes[static_cast<size_t>(r)],
                                                                 largest[r], problem.n, sum[r]);
    });
    ranks.sum(sum.parts(), 1);
    ranks.each([&](const Rank& rank, int r) {
      to_float<<<1, 1, 0, rank.stream>>>(sum[r], largest[r], problem.n, out[r]);
    });
  });
}

double exact_sum_of(const Problem& problem) {
  require(cudaSetDevice(0), "cudaSetDevice");
  auto* const units = allocate<unsigned long long>(1);
  require(cudaMemset(units, 0, sizeof *units), "cudaMemset");
  exact_sum<<<1024, 256>>>(0, problem.n, units);
  const auto sum = static_cast<double>(value_at(units));
  require(cudaFree(units), "cudaFree");
  return sum * 0x1p-31;
}

// --- Scan -------------------------------------------------------------------------------------------------

struct ScanRuns {
  double milliseconds = 0;
  unsigned breaks = 0;  ///< places where the result is wrong
};

/// A rank can scan once the totals of the ranks before it are known. So the ranks sum first and exchange
/// their totals. Then each runs chapter 6's scan, with the total of the ranks before it added to its first
/// element.
ScanRuns scan(const Problem& problem, const Request& request) {
  const Ranks& ranks = problem.ranks;
  const Spread<int> in(ranks, problem.sizes), out(ranks, problem.sizes);
  std::vector<size_t> tiles;
  for (const size_t n : problem.sizes) tiles.push_back(warpwise::ch06::tiles_for(static_cast<unsigned>(n)));
  const Spread<unsigned long long> states(ranks, tiles), drawn(ranks, 1);
  const Spread<long long> total(ranks, 1), totals(ranks, 32);
  ranks.each([&](const Rank&, int r) {
    const auto i = static_cast<size_t>(r);
    fill_ints<<<1024, 256>>>(in[r], problem.begins[i], problem.sizes[i]);
    require(cudaMemset(states[r], 0, tiles[i] * 8), "cudaMemset");
    require(cudaMemset(drawn[r], 0, 8), "cudaMemset");
    require(cudaDeviceSynchronize(), "filling an array");
  });
  const auto work = [&] {
    if (ranks.count() > 1) {
      ranks.each([&](const Rank& rank, int r) {
        require(cudaMemsetAsync(total[r], 0, sizeof(long long), rank.stream), "cudaMemsetAsync");
        int_sum<<<4 * multiprocessors(), chunk_threads, 0, rank.stream>>>(
            in[r], problem.sizes[static_cast<size_t>(r)], total[r]);
        place_total<<<1, 32, 0, rank.stream>>>(total[r], totals[r], r, ranks.count());
      });
      ranks.sum(totals.parts(), static_cast<size_t>(ranks.count()));
    }
    ranks.each([&](const Rank& rank, int r) {
      const auto n = static_cast<unsigned>(problem.sizes[static_cast<size_t>(r)]);
      if (r > 0) carry_into_first<<<1, 1, 0, rank.stream>>>(in[r], totals[r], r, 1);
      scan_device<<<warpwise::ch06::tiles_for(n), warpwise::ch06::tile_threads, 0, rank.stream>>>(
          in[r], out[r], n, states[r], drawn[r]);
      if (r > 0) carry_into_first<<<1, 1, 0, rank.stream>>>(in[r], totals[r], r, -1);
    });
  };
  ScanRuns runs;
  runs.milliseconds = time_runs(ranks, request, nullptr, work).milliseconds;
  int before = 0;
  ranks.each([&](const Rank&, int r) {
    const auto i = static_cast<size_t>(r);
    unsigned* const breaks = allocate<unsigned>(1);
    require(cudaMemset(breaks, 0, sizeof *breaks), "cudaMemset");
    count_breaks<<<1024, 256>>>(out[r], problem.begins[i], problem.sizes[i], before, breaks);
    runs.breaks += value_at(breaks);
    before = value_at(out[r] + problem.sizes[i] - 1);
    require(cudaFree(breaks), "cudaFree");
  });
  return runs;
}

// --- The speed of the links -------------------------------------------------------------------------------

/// Bytes a second of a copy from the second GPU to the first, and milliseconds of an NCCL sum of one float.
void measure_links(const Ranks& ranks, const Request& request) {
  constexpr size_t bytes = size_t{1} << 28;
  int is_possible = 0;
  require(cudaDeviceCanAccessPeer(&is_possible, 0, 1), "cudaDeviceCanAccessPeer");
  if (is_possible != 0) {
    require(cudaSetDevice(0), "cudaSetDevice");
    const cudaError_t code = cudaDeviceEnablePeerAccess(1, 0);
    if (code != cudaErrorPeerAccessAlreadyEnabled) require(code, "cudaDeviceEnablePeerAccess");
    (void)cudaGetLastError();
  }
  const Spread<char> memory(ranks, bytes);
  const double copy = time_runs(ranks, request, nullptr, [&] {
                        require(cudaMemcpyPeerAsync(memory[0], 0, memory[1], 1, bytes, ranks[0].stream),
                                "cudaMemcpyPeerAsync");
                      }).milliseconds;
  const Spread<float> one(ranks, 1);
  const double sum = time_runs(ranks, request, nullptr, [&] { ranks.sum(one.parts(), 1); }).milliseconds;
  std::printf(
      "\nlinks: one GPU copies from the other at %.0f GB/s%s; an NCCL sum of one float takes %.4f ms\n",
      bytes / copy / 1e6, is_possible != 0 ? "" : " (through the host)", sum);
  const double bytes_elsewhere = 4.0 * std::ldexp(1.0, static_cast<int>(request.log2_n)) / 2;
  std::printf("to bring half of the array to one GPU would take %.3f ms\n", bytes_elsewhere / (bytes / copy));
}

// --- All of it --------------------------------------------------------------------------------------------

constexpr int sum_kinds = 4;
constexpr const char* sum_names[sum_kinds] = {"fast", "pairwise", "compensated", "any order"};

/// Results with one number of GPUs.
struct Results {
  Runs sums[sum_kinds];
  ScanRuns scan;
  double exact = 0;
};

Results run(const Request& request, int gpus) {
  const Ranks ranks(gpus);
  const Problem problem(ranks, size_t{1} << request.log2_n);
  Results results;
  {
    const Spread<float> in(ranks, problem.sizes);
    ranks.each([&](const Rank&, int r) {
      fill<<<1024, 256>>>(in[r], problem.begins[static_cast<size_t>(r)],
                          problem.sizes[static_cast<size_t>(r)]);
      require(cudaDeviceSynchronize(), "filling an array");
    });
    results.sums[0] = fast_sum(problem, in, request);
    results.sums[1] = chunk_sum<Pairwise>(problem, in, request);
    results.sums[2] = chunk_sum<Compensated>(problem, in, request);
    results.sums[3] = any_order_sum(problem, in, request);
  }
  results.exact = exact_sum_of(problem);
  results.scan = scan(problem, request);
  if (gpus > 1) measure_links(ranks, request);
  return results;
}

unsigned bits_of(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Prints a table, and returns false if something is wrong. `one`: the results with one GPU.
bool report(const Request& request, int gpus, const Results& results, const Results& one) {
  const double bytes = 4.0 * std::ldexp(1.0, static_cast<int>(request.log2_n));
  bool is_good = true;
  std::printf("\n%d GPU%s, n = 2^%u\n", gpus, gpus == 1 ? "" : "s", request.log2_n);
  std::printf("  %-12s %10s %8s %9s  %-10s %10s  %s\n", "sum", "ms", "GB/s", "speed-up", "bits", "error",
              "from run to run; from 1 GPU to this");
  for (int kind = 0; kind < sum_kinds; ++kind) {
    const Runs& sum = results.sums[kind];
    const double error = std::fabs(sum.result - results.exact) / results.exact;
    const bool is_same = bits_of(sum.result) == bits_of(one.sums[kind].result);
    std::printf("  %-12s %10.4f %8.0f %9.3f  0x%08x %10.2e  %s; %s\n", sum_names[kind], sum.milliseconds,
                bytes / sum.milliseconds / 1e6, one.sums[kind].milliseconds / sum.milliseconds,
                bits_of(sum.result), error, sum.are_identical ? "identical" : "DIFFERENT",
                is_same ? "identical" : "different");
    is_good = is_good && sum.are_identical && error < 1e-4 && (kind == 0 || is_same);
  }
  std::printf("  %-12s %10.4f %8.0f %9.3f  %s\n", "scan", results.scan.milliseconds,
              2 * bytes / results.scan.milliseconds / 1e6, one.scan.milliseconds / results.scan.milliseconds,
              results.scan.breaks == 0 ? "right" : "WRONG");
  return is_good && results.scan.breaks == 0;
}

}  // namespace

int main(int count, char** words) {
  Request request;
  int here = 0;
  require(cudaGetDeviceCount(&here), "looking for GPUs");
  request.gpus = has_nccl ? here : 1;
  if (count > 1) request.log2_n = static_cast<unsigned>(std::atoi(words[1]));
  if (count > 2) request.gpus = std::atoi(words[2]);
  if (count > 3) request.runs = static_cast<unsigned>(std::atoi(words[3]));
  if (request.log2_n < 10 || request.log2_n > 30 || request.gpus < 1 || request.gpus > std::min(here, 32) ||
      request.runs < 1) {
    std::fprintf(stderr, "usage: beyond_one_gpu [LOG2_N, 10 to 30] [GPUS, 1 to %d] [RUNS]\n", here);
    return 2;
  }
  cudaDeviceProp device{};
  require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  std::printf("%d of %d GPUs (%s), %s, median of %u runs\n", request.gpus, here, device.name,
              has_nccl ? "NCCL between them" : "compiled without NCCL: one GPU", request.runs);
  const Results one = run(request, 1);
  bool is_good = report(request, 1, one, one);
  if (request.gpus > 1) is_good = report(request, request.gpus, run(request, request.gpus), one) && is_good;
  std::printf("%s\n", is_good ? "\nEvery result is right." : "\nSOMETHING IS WRONG.");
  return is_good ? 0 : 1;
}
