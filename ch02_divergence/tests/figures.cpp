/// \file The figures that the lesson and docs/pmpp.md print, held against the solution: they cannot drift.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/simulator/gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

constexpr unsigned elements = 1u << 16;
const std::string solution = WARPWISE_BINARY_DIR "/solution.ptx";

std::string attempt(const std::string& name) { return WARPWISE_BINARY_DIR "/attempts/" + name + ".ptx"; }

template <class T>
std::uint64_t upload(Gpu& gpu, const std::vector<T>& values) {
  auto& allocation = gpu.memory().allocate(values.size() * sizeof(T));
  std::copy(values.begin(), values.end(), reinterpret_cast<T*>(allocation.base));
  allocation.mark_written(0, allocation.bytes);
  return allocation.base;
}

/// A kernel with the parameters (in, out, n), on whole numbers of both signs.
template <class T>
LaunchReport run_on_stream(const std::string& module, const std::string& kernel, unsigned shared_bytes) {
  Gpu gpu;
  std::vector<T> values;
  // Multiplied by an odd number, so that neighbours have no pattern in common.
  for (unsigned i = 0; i < elements; ++i)
    values.push_back(static_cast<T>(static_cast<int>(i * 2654435761u) >> 12));
  const unsigned n = elements;
  const std::uint64_t in = upload(gpu, values), out = upload(gpu, std::vector<T>(n));
  const void* arguments[] = {&in, &out, &n};
  return gpu.launch(*gpu.load_file(module), {.kernel = kernel,
                                             .grid = {n / 256, 1, 1},
                                             .block = {256, 1, 1},
                                             .dynamic_shared_bytes = shared_bytes,
                                             .arguments = arguments});
}

struct SumInPlace {
  LaunchReport report;
  std::vector<float> values;  ///< afterwards
};

SumInPlace sum_in_place(const std::string& kernel, const std::vector<float>& values) {
  Gpu gpu;
  const std::uint64_t address = upload(gpu, values);
  const void* arguments[] = {&address};
  auto report =
      gpu.launch(*gpu.load_file(solution), {.kernel = kernel,
                                            .grid = {1, 1, 1},
                                            .block = {static_cast<unsigned>(values.size() / 2), 1, 1},
                                            .arguments = arguments});
  const auto* begin = reinterpret_cast<const float*>(address);
  return {report, {begin, begin + values.size()}};
}

/// The array after the first iterations of `kernel`, as many as leave `left` sums. Falling strides keep apart
/// what stands at places that differ by no multiple of `left`: each of these subsequences goes through the
/// first iterations by itself, exactly as if it were the whole array.
std::vector<float> array_after(const std::string& kernel, std::vector<float> array, std::size_t left) {
  for (std::size_t first = 0; first < left; ++first) {
    std::vector<float> part;
    for (std::size_t i = first; i < array.size(); i += left) part.push_back(array[i]);
    part = sum_in_place(kernel, part).values;
    for (std::size_t i = 0; i < part.size(); ++i) array[first + i * left] = part[i];
  }
  return array;
}

}  // namespace

TEST_CASE("section 2: what reduce_contiguous does with 65536 elements in blocks of 256") {
  const LaunchReport report = run_on_stream<float>(solution, "reduce_contiguous", 256 * 4);
  const Counters& counters = report.counters;
  CHECK(report.findings.empty());
  CHECK(counters.block_barriers == 256 * 9);
  CHECK(counters.divergent_branches == 256 * 6);
  CHECK(counters.shared_load_wavefronts == 24320);
  CHECK(counters.shared_store_wavefronts == 14080);
  CHECK(counters.shared_load_bank_conflicts == 256 * 70);
  CHECK(counters.shared_store_bank_conflicts == 256 * 35);
  CHECK(counters.shared_load_requests == 256 * 25);
  CHECK(counters.shared_store_requests == 256 * 20);
  CHECK(counters.global_load_requests == 2048);
  CHECK(counters.global_load_sectors == 8192);
  // By barrier: after the load (stride 1), then stride 2, 4 ... 128 and the store, in the last one.
  auto diverging = report.divergent_branches_by_interval;
  diverging.resize(10);
  CHECK(diverging == std::vector<std::uint64_t>{0, 0, 0, 0, 256, 256, 256, 256, 256, 256});
}

// Instructions depend a little on the compiler's version, branches do not.
TEST_CASE("section 3: three ways out of a branch, and the branches") {
  struct Row {
    std::string module, kernel;
    unsigned shared_words;
    std::uint64_t divergent_branches, global_sectors;
    double instructions;  ///< warp instructions, for each element
  };
  const unsigned slots = 2 * 256 + 32;
  for (const Row& row : {
           Row{attempt("alternate_by_warp_by_parity"), "alternate_by_warp", 0, 2048, 16384, 12.84},
           Row{attempt("alternate_by_warp_computes_both"), "alternate_by_warp", 0, 0, 16384, 12.66},
           Row{solution, "alternate_by_warp", 0, 0, 32768, 6.91},
           Row{attempt("partition_by_sign_branches_on_sign"), "partition_by_sign", slots, 2048, 0, 16.06},
           Row{solution, "partition_by_sign", slots, 0, 16384, 12.30},
       }) {
    INFO(row.module << ", " << row.kernel);
    const LaunchReport report = run_on_stream<unsigned>(row.module, row.kernel, row.shared_words * 4);
    const Counters& counters = report.counters;
    CHECK(report.findings.empty());
    CHECK(counters.divergent_branches == row.divergent_branches);
    if (row.global_sectors != 0)
      CHECK(counters.global_load_sectors + counters.global_store_sectors == row.global_sectors);
    CHECK(static_cast<double>(counters.warp_instructions) / elements ==
          Approx(row.instructions).epsilon(0.03));
  }
}

TEST_CASE("section 4: warps that diverge in each iteration of sum_convergent, 1024 values") {
  for (const char* kernel : {"sum_convergent", "sum_convergent_mirrored"}) {
    auto diverging =
        sum_in_place(kernel, std::vector<float>(1024, 1.0f)).report.divergent_branches_by_interval;
    diverging.resize(10);  // behind the last barrier nothing diverges
    CHECK(diverging == std::vector<std::uint64_t>{0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  }
}

TEST_CASE("the book's exercise 6: fig. 10.9 on 6 2 7 4 5 8 3 1") {
  const std::vector<float> values{6, 2, 7, 4, 5, 8, 3, 1};
  CHECK(array_after("sum_convergent", values, 4) == std::vector<float>{11, 10, 10, 5, 5, 8, 3, 1});
  CHECK(array_after("sum_convergent", values, 2) == std::vector<float>{21, 15, 10, 5, 5, 8, 3, 1});
  CHECK(array_after("sum_convergent", values, 1) == std::vector<float>{36, 15, 10, 5, 5, 8, 3, 1});
}

TEST_CASE("the book's exercise 3: the mirror image on 6 2 7 4 5 8 3 1") {
  const std::vector<float> values{6, 2, 7, 4, 5, 8, 3, 1};
  CHECK(array_after("sum_convergent_mirrored", values, 4) == std::vector<float>{6, 2, 7, 4, 11, 10, 10, 5});
  CHECK(array_after("sum_convergent_mirrored", values, 2) == std::vector<float>{6, 2, 7, 4, 11, 10, 21, 15});
  CHECK(array_after("sum_convergent_mirrored", values, 1) == std::vector<float>{6, 2, 7, 4, 11, 10, 21, 36});
}
