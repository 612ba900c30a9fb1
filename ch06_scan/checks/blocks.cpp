/// \file What chapter 6 requires of its kernels, second part: the scans of blocks. Contracts: kernels.hpp.

#include <type_traits>
#include <vector>

#include "ch06_scan/checks/launches.hpp"
#include "common/harness/check/chapter.hpp"

using namespace warpwise::harness;
using namespace warpwise::ch06;

namespace {

constexpr auto inclusive = ScanKind::inclusive;
constexpr auto exclusive = ScanKind::exclusive;

/// Only the scan, without the sums of the blocks.
template <class T>
Buffer<T> scan_without_sums(Device& device, const BlockScan<T>& kernel, const std::vector<T>& values,
                            unsigned block) {
  const auto n = static_cast<unsigned>(values.size());
  const auto in = device.upload("in", values);
  auto out = device.poisoned<T>("out", n);
  device.launch(kernel, thread_for_each(n, block), in, out, nullptr, n);
  return out;
}

template <class T>
void check_result(Check& check, const BlockScan<T>& kernel, ScanKind kind) {
  for (Device& device : check.devices()) {
    for (const auto [n, block] : check.sizes())
      expect_block_scans(device, kernel, kind, whole_numbers<T>(n, seed_of(n, block)), block);
    expect_block_scans(device, kernel, kind, whole_numbers<T>(70'001, 1), 1024);
    for (const auto& [n, more_blocks] : {std::pair{33u, 1u}, {100u, 100u}})
      expect_block_scans(device, kernel, kind, whole_numbers<T>(n, n), 64, "more blocks than n needs",
                         more_blocks);
    const auto values = whole_numbers<T>(1000, 1);
    expect_equal(scan_without_sums(device, kernel, values, 256), running_sums(values, 256, kind),
                 {.n = 1000, .block = 256, .note = "sums == nullptr"});
  }
}

/// Within a warp an element goes through at most 5 additions of a tree, or 31 in a row; then through those of
/// the totals, and the last one that adds the two: 31 + 31 + 1 at worst, log2(1024) + 1 at best.
constexpr unsigned most_additions = 63;

void check_rounding(Check& check, const BlockScan<float>& kernel, ScanKind kind) {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const unsigned n = 3 * block - 1;
      auto values = random_floats(n, seed_of(n, block));
      // One element is much larger than all others. An exclusive sum that is made by subtracting it from the
      // inclusive one loses what came before it.
      values[block / 2] = 0x1p24f;
      expect_close(scan_without_sums(device, kernel, values, block), running_sums(values, block, kind),
                   running_sum_error_bounds(values, block, kind, most_additions),
                   {.n = n, .block = block, .note = "real floats"});
    }
}
/// The same in double. The fractions alone add up exactly (see below). So the reference is their sum plus the
/// large element: one addition that rounds.
void check_rounding(Check& check, const BlockScan<double>& kernel, ScanKind kind) {
  constexpr float large = 0x1p53f;  // next to it a double holds no fractions
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const unsigned n = 3 * block - 1, place = block / 2;
      auto floats = random_floats(n, seed_of(n, block));
      floats[place] = 0;
      std::vector<double> values(floats.begin(), floats.end());
      std::vector<double> expected = running_sums(values, block, kind);
      values[place] = floats[place] = large;
      for (unsigned i = kind == inclusive ? place : place + 1; i < block; ++i) expected[i] += large;
      std::vector<double> bounds = running_sum_error_bounds(floats, block, kind, most_additions + 1);
      for (double& bound : bounds)
        bound *= 0x1p-53 / 0x1p-24;  // an addition of doubles is that much more exact
      expect_close(scan_without_sums(device, kernel, values, block), expected, bounds,
                   {.n = n, .block = block, .note = "doubles that round"});
    }
}
/// Floats stored as doubles: sums of 1024 of them need 36 of the 53 bits, so they are exact in any order.
void check_exact_doubles(Check& check, const BlockScan<double>& kernel, ScanKind kind) {
  for (Device& device : check.devices())
    for (const unsigned block : check.block_sizes()) {
      const auto floats = random_floats(3 * block - 1, block);
      expect_block_scans(device, kernel, kind, std::vector<double>(floats.begin(), floats.end()), block,
                         "real doubles");
    }
}

/// From an infinity or NaN on, all sums are infinite or NaN, until the next block; the sums before it are
/// not.
template <class T>
void check_special_values(Check& check, const BlockScan<T>& kernel, ScanKind kind) {
  for (Device& device : check.devices())
    for (const unsigned place : {0u, 31u, 77u, 255u})
      for (const T special : {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN()}) {
        auto values = whole_numbers<T>(600, 2);
        values[place] = special;
        expect_block_scans(device, kernel, kind, values, 256,
                           "in[" + std::to_string(place) + "] is " + text_of(static_cast<float>(special)));
      }
}
void check_smallest_int(Check& check, const BlockScan<int>& kernel, ScanKind kind) {
  for (Device& device : check.devices())
    for (const unsigned place : {0u, 40u, 255u})
      expect_block_scans(device, kernel, kind, with_smallest_int(600, place), 256,
                         "in[" + std::to_string(place) + "] is the smallest int");
}

/// On four full blocks, and on launches of the result check that the seed draws.
template <class T>
void check_technique(Check& check, const BlockScan<T>& kernel, ScanKind kind) {
  constexpr unsigned words = sizeof(T) / 4;  // a shuffle moves 32 bits
  const auto count = [&](unsigned n, unsigned block) {
    const auto [launch, work] = launch_and_work(check.simulated(), [&](Device& device) {
      return expect_block_scans(device, kernel, kind, whole_numbers<T>(n, seed_of(n, block)), block);
    });
    const double warps = block / 32.0;
    const std::string per_block = " per block of " + std::to_string(block);
    // Totals are passed on twice: one barrier before they are scanned, one after.
    expect_block_barriers_at_most(launch, 2, "one before the totals of the warps are scanned, one after");
    // 5 per scan, and one to pass the sum to the next lane if the element itself is left out. The warp that
    // scans the totals makes as many again. If all warps do, they may get two of the totals from the lane
    // that has them: 5 + 1 + 5 + 2, and one to spare.
    expect_at_most(
        "shuffles of 32 bits" + per_block, launch.count(&Counters::shuffles).per_block(), 14 * words * warps,
        "5 per scan and one to the next lane; each warp scans its elements and at most the totals");
    // With two barriers, one warp loads the totals and stores them scanned, and each warp loads what it needs
    // of these, at most 3 words: the total ahead of it and the sum of the block, and one of them twice if the
    // compiler does not keep it. With one barrier, each warp loads all totals, all at once or one by one.
    expect_at_most("shared load requests" + per_block,
                   launch.count(&Counters::shared_load_requests).per_block(), (warps + 3) * warps + 3,
                   "a warp loads the total of each warp of its block at most once, and 3 more words");
    expect_at_most("shared store requests" + per_block,
                   launch.count(&Counters::shared_store_requests).per_block(), 2 * warps + 2,
                   "each warp's total is stored once, and once more when it is scanned");
    expect_at_most("global load sectors" + per_block,
                   launch.count(&Counters::global_load_sectors).per_block(), 4 * words * warps,
                   "each element is read once");
    expect_at_most("atomic requests" + per_block, launch.count(atomic_requests).per_block(), 0,
                   "atomics give sums, but not in order");
    if (n == 4 * block) expect_shared_out(work, 4.0 * words * n);
  };
  for (const unsigned block : check.block_sizes()) {
    count(4 * block, block);
    for (const unsigned n : check.some_awkward_sizes(block)) count(n, block);
  }
}

template <class T>
void check_safety(Check& check, const BlockScan<T>& kernel, ScanKind kind) {
  for (const unsigned block : check.block_sizes())
    for (const unsigned n : {0u, 1u, 33u, block - 1, 2 * block + 1, 5 * block + block / 2 + 3})
      check.expect_safe(run<T>, kernel, kind, n, block);
  check.under_every_schedule([&](Device&, const std::string& schedule) {
    check.expect_safe([&](Device& device) {
      return expect_block_scans(device, kernel, kind, whole_numbers<T>(300, 1), 128, schedule);
    });
  });
}

/// What is required of each of the six kernels, by the type of its elements.
template <class T>
std::vector<CheckOf> block_scan_checks(const BlockScan<T>& kernel, ScanKind kind) {
  using CheckScan = void (*)(Check&, const BlockScan<T>&, ScanKind);
  const auto with = [&](CheckScan check_scan) -> Check::Body {
    return [=](Check& check) { check_scan(check, kernel, kind); };
  };
  std::vector<CheckOf> checks{{Aspect::result, with(check_result)}};
  if constexpr (std::is_integral_v<T>) {
    checks.push_back({Aspect::result, with(check_smallest_int), "the smallest int"});
  } else {
    constexpr bool is_double = std::is_same_v<T, double>;
    if constexpr (is_double)
      checks = {{Aspect::result, [=](Check& check) {
                   check_result(check, kernel, kind);
                   check_exact_doubles(check, kernel, kind);
                 }}};
    checks.push_back(
        {Aspect::result, with(check_rounding), is_double ? "doubles that round" : "floats that round"});
    checks.push_back({Aspect::result, with(check_special_values), "infinity and NaN"});
  }
  checks.push_back({Aspect::technique, with(check_technique)});
  checks.push_back({Aspect::safety, with(check_safety)});
  return checks;
}

template <const auto& kernel, ScanKind kind>
Launch run_scan(Device& device, unsigned n) {
  return run(device, kernel, kind, n, device.block_or(256));
}

const RegisterKernels block_scan_kernels({
    {.kernel = scan_block_inclusive_int,
     .technique = "warps, totals, warps",
     .task = "scan each block, including the element itself",
     .run = run_scan<scan_block_inclusive_int, inclusive>,
     .bytes_per_element = 8,
     .checks = block_scan_checks(scan_block_inclusive_int, inclusive)},
    {.kernel = scan_block_exclusive_int,
     .technique = "the same, one lane up",
     .task = "scan each block, without the element itself",
     .run = run_scan<scan_block_exclusive_int, exclusive>,
     .bytes_per_element = 8,
     .checks = block_scan_checks(scan_block_exclusive_int, exclusive)},
    {.kernel = scan_block_inclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, inclusive",
     .run = run_scan<scan_block_inclusive_float, inclusive>,
     .bytes_per_element = 8,
     .checks = block_scan_checks(scan_block_inclusive_float, inclusive)},
    {.kernel = scan_block_exclusive_float,
     .technique = "the same, float",
     .task = "scan each block of floats, exclusive",
     .run = run_scan<scan_block_exclusive_float, exclusive>,
     .bytes_per_element = 8,
     .checks = block_scan_checks(scan_block_exclusive_float, exclusive)},
    {.kernel = scan_block_inclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, inclusive",
     .run = run_scan<scan_block_inclusive_double, inclusive>,
     .bytes_per_element = 16,
     .checks = block_scan_checks(scan_block_inclusive_double, inclusive)},
    {.kernel = scan_block_exclusive_double,
     .technique = "the same, double",
     .task = "scan each block of doubles, exclusive",
     .run = run_scan<scan_block_exclusive_double, exclusive>,
     .bytes_per_element = 16,
     .checks = block_scan_checks(scan_block_exclusive_double, exclusive)},
});

}  // namespace
