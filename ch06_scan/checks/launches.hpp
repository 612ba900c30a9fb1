#pragma once
/// \file How the kernels of this chapter are launched, for the checks, the ladder and the other programs.

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "ch06_scan/checks/references.hpp"
#include "ch06_scan/kernels.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch06 {

using harness::Buffer;
using harness::Device;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;

/// Integers from -999 to 1000. Their sums go above and below 0, so a sum of too many or too few elements
/// shows. They are exact in every type of the chapter for 2^14 elements and more.
template <class T>
std::vector<T> whole_numbers(unsigned n, std::uint64_t seed) {
  const auto values = harness::random_integers(n, harness::seed_of(seed), -999, 1000);
  return std::vector<T>(values.begin(), values.end());
}

/// Ints whose sums are far above 2^24 for some hundreds of them; no sum of neighbours is above 2^30.
template <>
inline std::vector<int> whole_numbers<int>(unsigned n, std::uint64_t seed) {
  const auto most = static_cast<int>((1u << 30) / std::max(n, 64u));
  const auto words = harness::random_words(n, harness::seed_of(seed, 6));
  std::vector<int> values(n);
  for (unsigned i = 0; i < n; ++i) values[i] = static_cast<int>(words[i] % (3u * most / 2)) - most / 2;
  return values;
}

/// The smallest int is at `place`, and no other is below 0, so no sum of neighbours overflows.
inline std::vector<int> with_smallest_int(unsigned n, unsigned place) {
  auto values = whole_numbers<int>(n, place);
  for (int& value : values) value = std::abs(value);
  values[place] = std::numeric_limits<int>::min();
  return values;
}

/// A scan of each warp: the kernel and the shared memory that it gets.
struct WarpScan {
  harness::InOutKernel<int> kernel;
  unsigned (*shared_ints)(unsigned threads) = [](unsigned) { return 0u; };

  LaunchShape shape(unsigned n, unsigned block) const {
    return thread_for_each(n, block, shared_ints(block) * sizeof(int));
  }
};
inline constexpr WarpScan conditional{scan_warp, [](unsigned threads) { return threads; }};
inline constexpr WarpScan padded{scan_warp_padded, padded_ints};
inline constexpr WarpScan by_predicate{scan_warp_shuffle_ptx};
inline constexpr WarpScan by_lane_test{scan_warp_shuffle};

/// Compares nothing; for figures.
inline Launch run(Device& device, const WarpScan& scan, unsigned n, unsigned block) {
  return run_in_out(device, scan.kernel, scan.shape(n, block), whole_numbers<int>(n, n), n).launch;
}

// These launch on integers and, on the simulated GPU, compare the result: so a launch that is counted or
// searched for findings is right. (On a real GPU it is repeated and timed, also in place.)

template <class T>
using BlockScan = Kernel<void(const T*, T*, T*, unsigned)>;
template <class T>
Launch run(Device& device, const BlockScan<T>& kernel, ScanKind kind, unsigned n, unsigned block) {
  const LaunchShape shape = thread_for_each(n, block);
  const auto values = whole_numbers<T>(n, n);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<T>("out", n);
  const auto sums = device.poisoned<T>("sums", shape.grid.x);
  Launch launch = device.launch(kernel, shape, in, out, sums, n);
  if (device.is_simulated()) {
    harness::expect_equal(out, running_sums(values, block, kind), case_of(n, shape));
    harness::expect_equal(sums, stretch_sums(values, block), case_of(n, shape));
  }
  return launch;
}

inline Launch run_scan_sums(Device& device, unsigned count, unsigned block) {
  const auto values = whole_numbers<int>(count, count);
  const auto sums = device.upload("sums", values);
  Launch launch = device.launch(scan_sums, {.grid = 1, .block = block}, sums, count);
  if (device.is_simulated())
    harness::expect_equal(sums, running_sums(values, std::size_t{count} + 1, ScanKind::exclusive),
                          {.n = count, .block = block});
  return launch;
}
inline Launch run_add_sums(Device& device, unsigned n, unsigned block) {
  const LaunchShape shape = thread_for_each(n, block);
  auto values = whole_numbers<int>(n, n);
  const auto ahead = whole_numbers<int>(shape.grid.x, block);
  const auto out = device.upload("out", values);
  const auto sums = device.upload("sums", ahead);
  Launch launch = device.launch(add_sums, shape, out, sums, n);
  for (unsigned i = 0; i < n; ++i) values[i] += ahead[i / block];
  if (device.is_simulated()) harness::expect_equal(out, values, case_of(n, shape));
  return launch;
}

constexpr unsigned stretches_a_tile = tile_threads / 32;                 ///< one per warp
constexpr unsigned stretch_elements = tile_elements / stretches_a_tile;  ///< of one warp

/// What scan_device needs besides its arrays, and uses from launch to launch.
struct ScanScratch {
  ScanScratch(Device& device, unsigned blocks)
      : states(device.zeroed<unsigned long long>("states", blocks)),
        drawn(device.zeroed<unsigned long long>("drawn", 1)) {}
  /// Scans the first n elements of `in`.
  Launch launch(Device& device, const Buffer<int>& in, const Buffer<int>& out, unsigned n) const {
    return device.launch(scan_device, {.grid = tiles_for(n), .block = tile_threads}, in, out, n, states,
                         drawn);
  }
  Buffer<unsigned long long> states;
  Buffer<unsigned long long> drawn;
};

inline Launch run_scan_device(Device& device, unsigned n) {
  const auto values = whole_numbers<int>(n, n);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<int>("out", n);
  const ScanScratch scratch(device, tiles_for(n));
  Launch launch = scratch.launch(device, in, out, n);
  if (device.is_simulated())
    harness::expect_equal(out, running_sums(values, std::size_t{n} + 1, ScanKind::inclusive), {.n = n});
  return launch;
}

inline Launch run_scan_tile_rows(Device& device, unsigned n) {
  const auto values = whole_numbers<int>(n, n);
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<int>("out", n);
  const auto totals = device.poisoned<int>("totals", tiles_for(n) * stretches_a_tile);
  Launch launch =
      device.launch(scan_tile_rows, {.grid = tiles_for(n), .block = tile_threads}, in, out, totals, n);
  if (device.is_simulated()) {
    auto expected = stretch_sums(values, stretch_elements);
    expected.resize(totals.size());  // of stretches without an element: 0
    harness::expect_equal(out, running_sums(values, stretch_elements, ScanKind::inclusive), {.n = n});
    harness::expect_equal(totals, expected, {.n = n});
  }
  return launch;
}

/// The sum ahead of each of `tiles` tiles.
inline Launch run_find_ahead(Device& device, unsigned tiles) {
  const auto values = whole_numbers<int>(tiles, tiles);
  const auto totals = device.upload("totals", values);
  const auto ahead = device.poisoned<int>("ahead", tiles);
  const ScanScratch scratch(device, tiles);
  Launch launch =
      device.launch(find_ahead, {.grid = tiles, .block = 32}, totals, ahead, scratch.states, scratch.drawn);
  if (device.is_simulated())
    harness::expect_equal(ahead, running_sums(values, std::size_t{tiles} + 1, ScanKind::exclusive),
                          {.n = tiles});
  return launch;
}

}  // namespace warpwise::ch06
