/// \file What chapter 6 asks of its kernels, second part: the scans of blocks. Contracts: kernels.hpp.

#include "ch06_scan/launches.hpp"
#include "ch06_scan/references.hpp"
#include "common/harness/chapter.hpp"
#include "common/harness/simulated_device.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;
using warpwise::simulator::Counters;

namespace {

constexpr auto inclusive = ScanKind::inclusive;
constexpr auto exclusive = ScanKind::exclusive;

/// Scans of exact values and the sums of the blocks.
template <class T>
void expect_block_scans(Device& device, const BlockScan<T>& kernel, ScanKind kind,
                        const std::vector<T>& values, unsigned block, const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  const LaunchShape shape = thread_for_each(n, block);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<T>("out", n);
  const auto sums = device.poisoned<T>("sums", shape.grid.x);
  device.launch(kernel, shape, in, out, sums, n);
  const Case where{.n = n, .block = block, .note = note};
  expect_equal(out, running_sums(values, block, kind), where);
  expect_equal(sums, stretch_sums(values, block), where);
}

template <class T>
void check_result(const BlockScan<T>& kernel, ScanKind kind) {
  for (Device& device : devices()) {
    for (const unsigned block : block_sizes)
      for (const unsigned n : awkward_sizes(block))
        expect_block_scans(device, kernel, kind, whole_numbers<T>(n, seed_of(n, block)), block);
    // The sums of the blocks are nobody's concern.
    const auto values = whole_numbers<T>(1000, 1);
    const auto in = device.upload("in", values);
    const auto out = device.poisoned<T>("out", values.size());
    device.launch(kernel, thread_for_each(1000, 256), in, out, nullptr, 1000);
    expect_equal(out, running_sums(values, 256, kind), {.n = 1000, .block = 256, .note = "sums == nullptr"});
  }
}

/// Within a warp an element passes through at most 5 additions of a tree, or 31 in a row; then through those
/// of the totals, and the last that joins the two: 31 + 31 + 1 at worst, log2(1024) + 1 at best.
constexpr unsigned most_additions = 63;

void check_rounding(const BlockScan<float>& kernel, ScanKind kind) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned n = 3 * block - 1;
      auto values = random_floats(n, seed_of(n, block));
      // One element outweighs all others. An exclusive sum that is the inclusive one less the element loses
      // what came before it.
      values[block / 2] = 0x1p24f;
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<float>("out", n);
      device.launch(kernel, thread_for_each(n, block), in, out, nullptr, n);
      expect_close(out, running_sums(values, block, kind),
                   running_sum_error_bounds(values, block, kind, most_additions),
                   {.n = n, .block = block, .note = "real floats"});
    }
}
/// The same in double. The fractions alone add up exactly (see below). So the reference is their sum, and
/// then the large element: one addition that rounds.
void check_rounding(const BlockScan<double>& kernel, ScanKind kind) {
  constexpr float large = 0x1p53f;  // next to it a double holds no fractions
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const unsigned n = 3 * block - 1, place = block / 2;
      auto floats = random_floats(n, seed_of(n, block));
      floats[place] = 0;
      std::vector<double> values(floats.begin(), floats.end());
      std::vector<double> expected = running_sums(values, block, kind);
      values[place] = floats[place] = large;
      for (unsigned i = kind == inclusive ? place : place + 1; i < block; ++i) expected[i] += large;
      std::vector<double> bounds = running_sum_error_bounds(floats, block, kind, most_additions + 1);
      for (double& bound : bounds) bound *= 0x1p-53 / 0x1p-24;  // an addition of doubles is so much closer
      const auto in = device.upload("in", values);
      const auto out = device.poisoned<double>("out", n);
      device.launch(kernel, thread_for_each(n, block), in, out, nullptr, n);
      expect_close(out, expected, bounds, {.n = n, .block = block, .note = "doubles that round"});
    }
}
/// Floats stored as double: sums of 1024 of them need 36 bits of the 53, so they are exact in every order.
void check_exact_doubles(const BlockScan<double>& kernel, ScanKind kind) {
  for (Device& device : devices())
    for (const unsigned block : block_sizes) {
      const auto floats = random_floats(3 * block - 1, block);
      expect_block_scans(device, kernel, kind, std::vector<double>(floats.begin(), floats.end()), block,
                         "real doubles");
    }
}

template <class T>
void check_technique(const BlockScan<T>& kernel) {
  constexpr unsigned words = sizeof(T) / 4;  // a shuffle moves 32 bits
  constexpr unsigned blocks = 4;
  for (const unsigned block : block_sizes) {
    const Counters counters = run(simulated_device(), kernel, blocks * block, block).counters();
    const double warps = block / 32.0;
    const auto a_block = [&](std::uint64_t count) { return static_cast<double>(count) / blocks; };
    const std::string of_block = " a block of " + std::to_string(block);
    // Totals are handed over once each way: one barrier before they are scanned, one after.
    expect_at_most("block barriers" + of_block, a_block(counters.block_barriers), 2,
                   "one before the totals of the warps are scanned, one after");
    // 5 a scan, and one to hand the sum to the next lane where the own element is left out. The warp that
    // scans the totals does as much again; if all of them do, they may fetch two of the totals from the lane
    // that has them: 5 + 1 + 5 + 2, and one to spare.
    expect_at_most("shuffles of 32 bits" + of_block, a_block(counters.shuffles), 14 * words * warps,
                   "5 a scan and one to the next lane; each warp scans its elements and at most the totals");
    // Two barriers: one warp loads the totals and stores them scanned, and each warp loads what it needs of
    // that, 3 words at most: what lies ahead of it and the sum of the block, once more where the compiler
    // does not keep one. One barrier: each warp loads the totals itself, all at once or one by one.
    expect_at_most(
        "shared load requests" + of_block, a_block(counters.shared_load_requests), (warps + 3) * warps + 3,
        "a warp loads each warp's total once at most, and 3 words besides: all that passes through "
        "shared memory are the totals");
    expect_at_most("shared store requests" + of_block, a_block(counters.shared_store_requests), 2 * warps + 2,
                   "the warps' totals are all that passes through shared memory");
    expect_at_most("global load sectors" + of_block, a_block(counters.global_load_sectors), 4 * words * warps,
                   "each element is read once");
    expect_at_most("atomic requests" + of_block,
                   a_block(counters.shared_atomic_requests + counters.global_atomic_requests), 0,
                   "atomics give sums, but not in order");
  }
}

template <class T>
void check_safety(const BlockScan<T>& kernel, ScanKind kind) {
  for (const unsigned block : block_sizes)
    for (const unsigned n : {0u, 1u, 33u, block - 1, 2 * block + 1, 5 * block + block / 2 + 3})
      expect_no_findings(run(simulated_device(), kernel, n, block));
  for (const char* name : all_schedules) {
    const UnderSchedule schedule(simulated_device(), name);
    expect_block_scans(simulated_device(), kernel, kind, whole_numbers<T>(300, 1), 128, name);
    expect_no_findings(run(simulated_device(), kernel, 300, 128));
  }
}

}  // namespace

TEST_CASE("scan_block_inclusive_int: result", "[scan_block_inclusive_int][result]") {
  check_result(scan_block_inclusive_int, inclusive);
}
TEST_CASE("scan_block_inclusive_int: technique", "[scan_block_inclusive_int][technique]") {
  check_technique(scan_block_inclusive_int);
}
TEST_CASE("scan_block_inclusive_int: safety", "[scan_block_inclusive_int][safety]") {
  check_safety(scan_block_inclusive_int, inclusive);
}

TEST_CASE("scan_block_exclusive_int: result", "[scan_block_exclusive_int][result]") {
  check_result(scan_block_exclusive_int, exclusive);
}
TEST_CASE("scan_block_exclusive_int: technique", "[scan_block_exclusive_int][technique]") {
  check_technique(scan_block_exclusive_int);
}
TEST_CASE("scan_block_exclusive_int: safety", "[scan_block_exclusive_int][safety]") {
  check_safety(scan_block_exclusive_int, exclusive);
}

TEST_CASE("scan_block_inclusive_float: result", "[scan_block_inclusive_float][result]") {
  check_result(scan_block_inclusive_float, inclusive);
}
TEST_CASE("scan_block_inclusive_float: result, floats that round", "[scan_block_inclusive_float][result]") {
  check_rounding(scan_block_inclusive_float, inclusive);
}
TEST_CASE("scan_block_inclusive_float: technique", "[scan_block_inclusive_float][technique]") {
  check_technique(scan_block_inclusive_float);
}
TEST_CASE("scan_block_inclusive_float: safety", "[scan_block_inclusive_float][safety]") {
  check_safety(scan_block_inclusive_float, inclusive);
}

TEST_CASE("scan_block_exclusive_float: result", "[scan_block_exclusive_float][result]") {
  check_result(scan_block_exclusive_float, exclusive);
}
TEST_CASE("scan_block_exclusive_float: result, floats that round", "[scan_block_exclusive_float][result]") {
  check_rounding(scan_block_exclusive_float, exclusive);
}
TEST_CASE("scan_block_exclusive_float: technique", "[scan_block_exclusive_float][technique]") {
  check_technique(scan_block_exclusive_float);
}
TEST_CASE("scan_block_exclusive_float: safety", "[scan_block_exclusive_float][safety]") {
  check_safety(scan_block_exclusive_float, exclusive);
}

TEST_CASE("scan_block_inclusive_double: result", "[scan_block_inclusive_double][result]") {
  check_result(scan_block_inclusive_double, inclusive);
  check_exact_doubles(scan_block_inclusive_double, inclusive);
}
TEST_CASE("scan_block_inclusive_double: result, doubles that round",
          "[scan_block_inclusive_double][result]") {
  check_rounding(scan_block_inclusive_double, inclusive);
}
TEST_CASE("scan_block_inclusive_double: technique", "[scan_block_inclusive_double][technique]") {
  check_technique(scan_block_inclusive_double);
}
TEST_CASE("scan_block_inclusive_double: safety", "[scan_block_inclusive_double][safety]") {
  check_safety(scan_block_inclusive_double, inclusive);
}

TEST_CASE("scan_block_exclusive_double: result", "[scan_block_exclusive_double][result]") {
  check_result(scan_block_exclusive_double, exclusive);
  check_exact_doubles(scan_block_exclusive_double, exclusive);
}
TEST_CASE("scan_block_exclusive_double: result, doubles that round",
          "[scan_block_exclusive_double][result]") {
  check_rounding(scan_block_exclusive_double, exclusive);
}
TEST_CASE("scan_block_exclusive_double: technique", "[scan_block_exclusive_double][technique]") {
  check_technique(scan_block_exclusive_double);
}
TEST_CASE("scan_block_exclusive_double: safety", "[scan_block_exclusive_double][safety]") {
  check_safety(scan_block_exclusive_double, exclusive);
}
