/// \file The figures that the lesson and docs/pmpp.md print, held against the solution: they cannot drift.

#include "ch01_naive/kernels.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {

SimulatedDevice& device() {
  static SimulatedDevice solution(WARPWISE_BINARY_DIR "/solution.ptx");
  return solution;
}

/// sum_in_place, and what the array holds afterwards.
struct InPlace {
  explicit InPlace(const std::vector<float>& values)
      : buffer(device().upload("values", values)),
        launch(device().launch(sum_in_place, {.grid = 1, .block = static_cast<unsigned>(values.size() / 2)},
                               buffer)) {}
  Buffer<float> buffer;
  Launch launch;
};

/// Values of which no two are equal.
std::vector<float> ramp(unsigned n) {
  std::vector<float> values;
  for (unsigned i = 0; i < n; ++i) values.push_back(static_cast<float>(i % 1013));
  return values;
}

}  // namespace

TEST_CASE("what reduce_naive does with 65536 elements in blocks of 256") {
  const LaunchShape shape = with_shared_floats({.grid = 256, .block = 256});
  const auto counters = run_in_out(device(), reduce_naive, shape, ramp(1u << 16), 256).launch.counters();
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

TEST_CASE("warps that diverge in each iteration of sum_in_place, 1024 values") {
  auto diverging = InPlace(ramp(1024)).launch.report().divergent_branches_by_interval;
  diverging.resize(10);  // after the last barrier nothing diverges
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
      const auto part = InPlace({values.begin() + left, values.begin() + left + width}).buffer.download();
      array.insert(array.end(), part.begin(), part.end());
    }
    after.push_back(array);
  }
  CHECK(after[0] == std::vector<float>{8, 2, 11, 4, 13, 8, 4, 1});
  CHECK(after[1] == std::vector<float>{19, 2, 11, 4, 17, 8, 4, 1});
  CHECK(after[2] == std::vector<float>{36, 2, 11, 4, 17, 8, 4, 1});
}
