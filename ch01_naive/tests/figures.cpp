/// \file The figures that the lesson and docs/pmpp.md print, held against the solution: they cannot drift.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/simulator/gpu.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::simulator;

namespace {

struct Run {
  LaunchReport report;
  std::vector<float> written;  ///< reduce_naive: the sums of the blocks; sum_in_place: all values
};

std::uint64_t upload(Gpu& gpu, const std::vector<float>& values) {
  auto& allocation = gpu.memory().allocate(values.size() * sizeof(float));
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(allocation.base));
  allocation.mark_written(0, allocation.bytes);
  return allocation.base;
}

std::vector<float> download(std::uint64_t address, std::size_t size) {
  const auto* values = reinterpret_cast<const float*>(address);
  return {values, values + size};
}

Run reduce_naive(const std::vector<float>& values, unsigned block) {
  Gpu gpu;
  const auto n = static_cast<unsigned>(values.size());
  const unsigned blocks = n / block;
  const std::uint64_t in = upload(gpu, values), out = upload(gpu, std::vector<float>(blocks));
  const void* arguments[] = {&in, &out, &n};
  auto report =
      gpu.launch(*gpu.load_file(WARPWISE_BINARY_DIR "/solution.ptx"), {.kernel = "reduce_naive",
                                                                       .grid = {blocks, 1, 1},
                                                                       .block = {block, 1, 1},
                                                                       .dynamic_shared_bytes = block * 4,
                                                                       .arguments = arguments});
  return {report, download(out, blocks)};
}

Run sum_in_place(const std::vector<float>& values) {
  Gpu gpu;
  const std::uint64_t address = upload(gpu, values);
  const void* arguments[] = {&address};
  auto report = gpu.launch(*gpu.load_file(WARPWISE_BINARY_DIR "/solution.ptx"),
                           {.kernel = "sum_in_place",
                            .grid = {1, 1, 1},
                            .block = {static_cast<unsigned>(values.size() / 2), 1, 1},
                            .arguments = arguments});
  return {report, download(address, values.size())};
}

/// Values of which no two are equal.
std::vector<float> ramp(unsigned n) {
  std::vector<float> values;
  for (unsigned i = 0; i < n; ++i) values.push_back(static_cast<float>(i % 1013));
  return values;
}

}  // namespace

TEST_CASE("section 3: what reduce_naive does with 65536 elements in blocks of 256") {
  const Counters counters = reduce_naive(ramp(1u << 16), 256).report.counters;
  CHECK(counters.block_barriers == 256 * 9);
  CHECK(counters.divergent_branches == 256 * 48);
  CHECK(counters.shared_load_wavefronts == 24320);
  CHECK(counters.shared_store_wavefronts == 14080);
  CHECK(counters.shared_load_bank_conflicts == 0);
  CHECK(counters.shared_store_bank_conflicts == 0);
  CHECK(counters.global_load_requests == 2048);
  CHECK(counters.global_load_sectors == 8192);
  CHECK(counters.global_store_sectors == 256);
  CHECK(counters.lane_utilisation() == Approx(0.76).margin(0.005));
}

TEST_CASE("section 4: warps that diverge in each iteration of sum_in_place, 1024 values") {
  auto diverging = sum_in_place(ramp(1024)).report.divergent_branches_by_interval;
  diverging.resize(10);  // behind the last barrier nothing diverges
  CHECK(diverging == std::vector<std::uint64_t>{0, 16, 16, 16, 16, 16, 8, 4, 2, 1});
}

// The tree over the first 2^k of the values is the same as k iterations of the tree over all of them, seen
// from their left end: so each iteration can be looked at without touching the kernel.
TEST_CASE("the book's exercise 6: fig. 10.6 on 6 2 7 4 5 8 3 1") {
  const std::vector<float> values{6, 2, 7, 4, 5, 8, 3, 1};
  std::vector<std::vector<float>> after;
  for (unsigned width = 2; width <= 8; width *= 2) {
    std::vector<float> array;
    for (unsigned left = 0; left < 8; left += width) {
      const auto part = sum_in_place({values.begin() + left, values.begin() + left + width}).written;
      array.insert(array.end(), part.begin(), part.end());
    }
    after.push_back(array);
  }
  CHECK(after[0] == std::vector<float>{8, 2, 11, 4, 13, 8, 4, 1});
  CHECK(after[1] == std::vector<float>{19, 2, 11, 4, 17, 8, 4, 1});
  CHECK(after[2] == std::vector<float>{36, 2, 11, 4, 17, 8, 4, 1});
}
