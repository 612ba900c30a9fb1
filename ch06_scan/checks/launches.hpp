#pragma once
/// \file What the scans must compute, one element after the other; and how the kernels of this chapter are
/// launched, for the checks, the ladder and the other programs.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "ch06_scan/kernels.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/device/device.hpp"

namespace warpwise::ch06 {

using harness::Buffer;
using harness::Device;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;

enum class ScanKind { inclusive, exclusive };

/// The running sums of `values`, starting again after every `stretch` elements. In double for floats, which
/// is exact for the values of the checks: integers, and floats whose sums fit into the 53 bits of a double.
template <class T>
std::vector<harness::ReferenceType<T>> running_sums(const std::vector<T>& values, std::size_t stretch,
                                                    ScanKind kind) {
  using R = harness::ReferenceType<T>;
  std::vector<R> sums(values.size());
  R sum{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % stretch == 0) sum = R{};
    const R before = sum;
    sum += static_cast<R>(values[i]);
    sums[i] = kind == ScanKind::inclusive ? sum : before;
  }
  return sums;
}

/// The sum of each stretch; at least one.
template <class T>
std::vector<harness::ReferenceType<T>> stretch_sums(const std::vector<T>& values, unsigned stretch) {
  return harness::block_reductions<harness::operators::Sum>(values, stretch);
}

/// The error allowed for each running sum of floats if an element goes through at most `additions` additions:
/// harness::sum_error_bound of the elements in that sum only.
inline std::vector<double> running_sum_error_bounds(const std::vector<float>& values, std::size_t stretch,
                                                    ScanKind kind, unsigned additions) {
  std::vector<double> bounds(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t begin = i / stretch * stretch;
    const std::size_t count = i - begin + (kind == ScanKind::inclusive ? 1 : 0);
    bounds[i] = harness::sum_error_bound(std::span(values).subspan(begin, count), additions);
  }
  return bounds;
}

// --- Inputs and launches ----------------------------------------------------------------------------------

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

// These launch on values whose sums are exact, or on such integers, and compare the result unless the launch
// is timed, also in place: so a launch that is counted or searched for findings is right.

template <class T>
using BlockScan = Kernel<void(const T*, T*, T*, unsigned)>;
/// Scans and the sums of the blocks.
template <class T>
Launch expect_block_scans(Device& device, const BlockScan<T>& kernel, ScanKind kind,
                          const std::vector<T>& values, unsigned block, const std::string& note = {},
                          unsigned more_blocks = 0) {
  const auto n = static_cast<unsigned>(values.size());
  LaunchShape shape = thread_for_each(n, block);
  shape.grid.x += more_blocks;
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<T>("out", n);
  const auto sums = device.poisoned<T>("sums", shape.grid.x);
  Launch launch = device.launch(kernel, shape, in, out, sums, n);
  if (launch.is_timed()) return launch;
  auto expected_sums = stretch_sums(values, block);
  expected_sums.resize(shape.grid.x);  // of blocks without an element: 0
  harness::expect_equal(out, running_sums(values, block, kind), case_of(n, shape, note));
  harness::expect_equal(sums, expected_sums, case_of(n, shape, note));
  return launch;
}
template <class T>
Launch run(Device& device, const BlockScan<T>& kernel, ScanKind kind, unsigned n, unsigned block) {
  return expect_block_scans(device, kernel, kind, whole_numbers<T>(n, n), block);
}

inline Launch expect_exclusive_scan(Device& device, const std::vector<int>& values, unsigned block,
                                    const std::string& note = {}) {
  const auto count = static_cast<unsigned>(values.size());
  const auto sums = device.upload("sums", values);
  Launch launch = device.launch(scan_sums, {.grid = 1, .block = block}, sums, count);
  if (!launch.is_timed())
    harness::expect_equal(sums, running_sums(values, std::size_t{count} + 1, ScanKind::exclusive),
                          {.n = count, .block = block, .note = note});
  return launch;
}
inline Launch run_scan_sums(Device& device, unsigned count, unsigned block) {
  return expect_exclusive_scan(device, whole_numbers<int>(count, count), block);
}

/// `ahead`: what add_sums adds to the elements of each block.
inline Launch expect_sums_added(Device& device, std::vector<int> values, const std::vector<int>& ahead,
                                unsigned block, const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  const auto out = device.upload("out", values);
  const auto sums = device.upload("sums", ahead);
  const LaunchShape shape{.grid = static_cast<unsigned>(ahead.size()), .block = block};
  Launch launch = device.launch(add_sums, shape, out, sums, n);
  for (unsigned i = 0; i < n; ++i) values[i] += ahead[i / block];
  if (!launch.is_timed()) harness::expect_equal(out, values, case_of(n, shape, note));
  return launch;
}
inline Launch run_add_sums(Device& device, unsigned n, unsigned block) {
  const unsigned blocks = thread_for_each(n, block).grid.x;
  return expect_sums_added(device, whole_numbers<int>(n, n), whole_numbers<int>(blocks, block), block);
}

constexpr unsigned stretches_a_tile = tile_threads / 32;                 ///< one per warp
constexpr unsigned stretch_elements = tile_elements / stretches_a_tile;  ///< of one warp

/// What is known of tiles 0 to tile - 1: prefixes up to `nearest`, totals after it; and the sum of all.
struct Published {
  Published(unsigned tile, unsigned nearest) {
    for (unsigned t = 0; t < tile; ++t) {
      const unsigned value = t < nearest ? 77777 : t == nearest ? 1000 : t * t;
      words.push_back((t <= nearest ? 2ull : 1ull) << 32 | value);  // of launch 0: lookback.hpp, word_of
      if (t >= nearest) sum += static_cast<int>(value);
    }
  }
  std::vector<unsigned long long> words;
  int sum = 0;
};

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
  if (!launch.is_timed())
    harness::expect_equal(out, running_sums(values, std::size_t{n} + 1, ScanKind::inclusive), {.n = n});
  return launch;
}

inline Launch expect_row_scans(Device& device, const std::vector<int>& values, const std::string& note = {}) {
  const auto n = static_cast<unsigned>(values.size());
  const LaunchShape shape{.grid = tiles_for(n), .block = tile_threads};
  const auto in = device.upload("in", values);
  const auto out = device.poisoned<int>("out", n);
  const auto totals = device.poisoned<int>("totals", std::size_t{shape.grid.x} * stretches_a_tile);
  Launch launch = device.launch(scan_tile_rows, shape, in, out, totals, n);
  if (launch.is_timed()) return launch;
  auto expected_totals = stretch_sums(values, stretch_elements);
  expected_totals.resize(totals.size());  // of stretches without an element: 0
  harness::expect_equal(out, running_sums(values, stretch_elements, ScanKind::inclusive),
                        case_of(n, shape, note));
  harness::expect_equal(totals, expected_totals, case_of(n, shape, note));
  return launch;
}
inline Launch run_scan_tile_rows(Device& device, unsigned n) {
  return expect_row_scans(device, whole_numbers<int>(n, n));
}

/// The sum ahead of each of `tiles` tiles.
inline Launch run_find_ahead(Device& device, unsigned tiles) {
  const auto values = whole_numbers<int>(tiles, tiles);
  const auto totals = device.upload("totals", values);
  const auto ahead = device.poisoned<int>("ahead", tiles);
  const ScanScratch scratch(device, tiles);
  Launch launch =
      device.launch(find_ahead, {.grid = tiles, .block = 32}, totals, ahead, scratch.states, scratch.drawn);
  if (!launch.is_timed())
    harness::expect_equal(ahead, running_sums(values, std::size_t{tiles} + 1, ScanKind::exclusive),
                          {.n = tiles});
  return launch;
}

}  // namespace warpwise::ch06
