/// \file Compares the figures in the lesson and in docs/pmpp.md with the solution, so they cannot drift.

#include "ch06_scan/checks/states.hpp"
#include "common/harness/device/simulated_device.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/lesson_figures.hpp"

using namespace warpwise::ch06;
using warpwise::harness::SimulatedDevice;
using warpwise::simulator::Counters;
using warpwise::testing::check_figure;

namespace {

const std::string solution = WARPWISE_BINARY_DIR "/solution.ptx";
constexpr unsigned n = 1u << 16;
constexpr unsigned warps = n / 32;

Counters counters_of(const WarpScan& scan) {
  SimulatedDevice device(solution);
  return scan_warps(device, scan, whole_numbers<int>(n, n), scan.shape(n, 256)).launch.counters();
}
Counters scan_ints_by_block(SimulatedDevice& device, unsigned block) {
  return scan_blocks(device, inclusive_int, whole_numbers<int>(n, n), thread_for_each(n, block))
      .launch.counters();
}

}  // namespace

TEST_CASE("the table of the four warp scans, 65536 elements in blocks of 256") {
  const Counters first = counters_of(conditional), second = counters_of(padded),
                 third = counters_of(by_predicate), fourth = counters_of(by_lane_test);
  CHECK(first.divergent_branches == 5 * warps);
  CHECK(second.divergent_branches == 0);
  CHECK(third.divergent_branches == 0);
  CHECK(fourth.divergent_branches == 0);

  CHECK(first.shared_load_wavefronts + first.shared_store_wavefronts == 10 * warps);
  CHECK(second.shared_load_wavefronts + second.shared_store_wavefronts == 11 * warps);
  CHECK(second.shared_load_bank_conflicts + second.shared_store_bank_conflicts == 0);
  CHECK(third.shared_load_requests + third.shared_store_requests == 0);
  CHECK(third.shuffles == 5 * warps);
  CHECK(fourth.shuffles == 5 * warps);
  check_figure(solution, third.warp_instructions, 35 * warps);
  check_figure(solution, fourth.warp_instructions, 48 * warps);
}

TEST_CASE("PMPP's scan of eight elements, step by step (docs/pmpp.md)") {
  const std::vector<int> array = {4, 6, 7, 1, 2, 8, 5, 2};
  // After the step with this distance, an element is the last running sum of twice as many elements.
  const auto array_after = [&](std::size_t distance) {
    SimulatedDevice device(solution);
    std::vector<int> sums;
    for (std::size_t i = 0; i < array.size(); ++i) {
      const std::size_t count = std::min(i + 1, 2 * distance);
      const auto n = static_cast<unsigned>(count);
      const auto end = array.begin() + static_cast<long>(i) + 1;
      const auto in = device.upload("in", std::vector<int>(end - static_cast<long>(count), end));
      const auto out = device.poisoned<int>("out", count);
      device.launch(scan_warp, conditional.shape(n, 32), in, out, n);
      sums.push_back(out.download().back());
    }
    return sums;
  };
  CHECK(array_after(1) == std::vector<int>{4, 10, 13, 8, 3, 10, 13, 7});
  CHECK(array_after(2) == std::vector<int>{4, 10, 17, 18, 16, 18, 16, 17});
  CHECK(array_after(4) == std::vector<int>{4, 10, 17, 18, 20, 28, 33, 35});
}

TEST_CASE("the scan from before Volta: right in step, wrong where lanes part, a race always") {
  SimulatedDevice device(WARPWISE_BINARY_DIR "/attempts/scan_warp_volatile.ptx");
  const auto values = whole_numbers<int>(32, 1);
  const auto expected = running_sums(values, 32, ScanKind::inclusive);
  const auto in = device.upload("in", values);
  for (const char* name : {"lockstep", "converged", "split:1"}) {
    INFO(name);
    const warpwise::harness::UnderSchedule schedule(device, name);
    const auto out = device.poisoned<int>("out", 32);
    const auto launch = device.launch(scan_warp, conditional.shape(32, 128), in, out, 32u);
    CHECK((out.download() == expected) == (std::string(name) != "split:1"));
    REQUIRE_FALSE(launch.findings().empty());
    CHECK(launch.findings().front().kind == warpwise::simulator::FindingKind::race);
  }
}

TEST_CASE("the scan of a block: barriers, and what the totals cost") {
  SimulatedDevice device(solution);
  const Counters counters = scan_ints_by_block(device, 256);
  CHECK(counters.block_barriers == 2 * n / 256);
  CHECK(counters.shuffles == 5 * (8 + 1) * n / 256);
}

TEST_CASE("scan_device reads and writes each element once") {
  SimulatedDevice device(solution);
  device.options().launch.threads = 1;
  constexpr unsigned tiles = 64;
  const Counters counters =
      scan_array(device, whole_numbers<int>(tiles * tile_elements, 1)).launch.counters();
  const unsigned elements = tiles * tile_elements / 8;  // 8 per sector
  CHECK(counters.global_load_sectors >= elements);
  CHECK(counters.global_load_sectors < elements + 9 * tiles);
  CHECK(counters.global_store_sectors >= elements);
  CHECK(counters.global_store_sectors < elements + 3 * tiles);
}

TEST_CASE("three launches move every element twice as often as one") {
  SimulatedDevice device(solution);
  constexpr unsigned sectors = n / 8;
  const Counters blocks = scan_ints_by_block(device, 1024);
  const Counters sums = scan_in_place(device, whole_numbers<int>(n / 1024, 1), 1024).launch.counters();
  const Counters add =
      add_ahead(device, whole_numbers<int>(n, 1), whole_numbers<int>(n / 1024, 2), 1024).launch.counters();
  CHECK(blocks.global_load_sectors == sectors);
  CHECK(blocks.global_store_sectors == sectors + n / 1024);
  CHECK(sums.global_load_sectors == n / 1024 / 8);
  CHECK(add.global_load_sectors == sectors + warps);
  CHECK(add.global_store_sectors == sectors);
}
