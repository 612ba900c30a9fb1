#pragma once
/// \file What the scans must compute, one element after the other, and the matchers that ask for it; and how
/// the kernels of this chapter are launched.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "ch06_scan/kernels.hpp"
#include "common/harness/check/cases.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/matchers.hpp"
#include "common/harness/check/references.hpp"
#include "common/harness/device/device.hpp"
#include "common/harness/device/simulated_device.hpp"

namespace warpwise::ch06 {

using harness::Buffer;
using harness::Device;
using harness::Kernel;
using harness::Launch;
using harness::LaunchShape;
using harness::thread_for_each;
using harness::Written;

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

// --- What an array must hold ------------------------------------------------------------------------------

/// A launch, the scan that it wrote, and the sums of blocks or warps.
template <class T>
struct Scanned {
  Launch launch;
  Buffer<T> out, sums;
};

/// For sentences. The grid is told where it can be another one: where a launch has one stretch, it is fixed.
inline harness::Case sizes_of(const harness::DeviceMemory& memory, std::size_t n,
                              harness::Stretches stretches) {
  return harness::case_of(memory, n, stretches.size == harness::one_stretch().size ? stretches.size : 0);
}
template <class T>
void require_running_sums(const Buffer<T>& out, const std::vector<T>& in, harness::Stretches stretches,
                          ScanKind kind, const std::string& array) {
  const auto ahead = [&](std::size_t i) -> std::vector<harness::ElementRange> {
    const std::size_t begin = i / stretches.size * stretches.size;
    return {{.begin = begin, .end = kind == ScanKind::inclusive ? i + 1 : i}};
  };
  harness::require(out, harness::Holds(running_sums(in, stretches.size, kind))
                            .as(harness::joined_by<harness::operators::Sum, T>(array),
                                harness::each_result(out, in.size(), ahead))
                            .where(sizes_of(out.memory(), in.size(), stretches)));
}
template <class T>
void require_stretch_sums(const Buffer<T>& sums, const std::vector<T>& in, harness::Stretches stretches) {
  auto expected = stretch_sums(in, static_cast<unsigned>(stretches.size));
  expected.resize(sums.size());
  const auto stretch = [&](std::size_t k) -> std::vector<harness::ElementRange> {
    const std::size_t begin = std::min(k * stretches.size, in.size());
    return {{.begin = begin, .end = std::min(begin + stretches.size, in.size())}};
  };
  harness::require(sums, harness::Holds(expected)
                             .as(harness::joined_by<harness::operators::Sum, T>(),
                                 harness::each_result(sums, sums.size(), stretch))
                             .where(sizes_of(sums.memory(), in.size(), stretches)));
}
/// Element i is the sum of the elements of its stretch of `in` up to in[i], or to in[i - 1] if exclusive.
template <class T>
harness::Requirement<Buffer<T>> EqualsRunningSums(const std::vector<T>& in, harness::Stretches stretches,
                                                  ScanKind kind, std::string array = "in") {
  return {"holds the running sums of each stretch", [&in, stretches, kind, array](const Buffer<T>& out) {
            harness::ask_with_other_values<T>(
                out.memory(), {in, array, harness::add_up_exactly<T>},
                [&](const auto& values) { require_running_sums(out, values, stretches, kind, array); });
          }};
}
/// The same of `out`; and element k of `sums` is the sum of stretch k of `in`, or 0 if that has no elements.
template <class T>
harness::Requirement<Scanned<T>> EqualsScans(const std::vector<T>& in, harness::Stretches stretches,
                                             ScanKind kind) {
  return {
      "holds the running sums of each stretch, and its sum",
      [&in, stretches, kind](const Scanned<T>& scanned) {
        const auto ask = [&](const std::vector<T>& values) {
          require_running_sums(scanned.out, values, stretches, kind, "in");
          require_stretch_sums(scanned.sums, values, stretches);
        };
        harness::ask_with_other_values<T>(scanned.out.memory(), {in, "in", harness::add_up_exactly<T>}, ask);
      }};
}

// --- Inputs -----------------------------------------------------------------------------------------------

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

/// For reduce_affine. Scales are odd: an even one loses a bit of what came before, and 32 of them lose
/// everything.
inline std::vector<Affine> random_maps(unsigned n, std::uint64_t seed) {
  const auto words = harness::random_words(2 * n, harness::seed_of(seed, 64));
  std::vector<Affine> maps(n);
  for (unsigned i = 0; i < n; ++i) maps[i] = {words[2 * i] | 1, words[2 * i + 1]};
  return maps;
}

// --- Launches ---------------------------------------------------------------------------------------------

// They compare nothing. Outputs have nothing in them before.

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

inline Written<int> scan_warps(Device& device, const WarpScan& scan, const std::vector<int>& in,
                               const LaunchShape& shape) {
  return run_in_out(device, scan.kernel, shape, in, in.size());
}

/// A scan of each block.
template <class T>
struct BlockScan {
  using Element = T;
  Kernel<void(const T*, T*, T*, unsigned)> kernel;
  ScanKind kind;
};
inline constexpr BlockScan<int> inclusive_int{scan_block_inclusive_int, ScanKind::inclusive};
inline constexpr BlockScan<int> exclusive_int{scan_block_exclusive_int, ScanKind::exclusive};
inline constexpr BlockScan<float> inclusive_float{scan_block_inclusive_float, ScanKind::inclusive};
inline constexpr BlockScan<float> exclusive_float{scan_block_exclusive_float, ScanKind::exclusive};
inline constexpr BlockScan<double> inclusive_double{scan_block_inclusive_double, ScanKind::inclusive};
inline constexpr BlockScan<double> exclusive_double{scan_block_exclusive_double, ScanKind::exclusive};

template <class T>
Scanned<T> scan_blocks(Device& device, const BlockScan<T>& scan, const std::vector<T>& values,
                       const LaunchShape& shape) {
  const auto in = device.upload("in", values);
  auto out = device.poisoned<T>("out", values.size());
  auto sums = device.poisoned<T>("sums", shape.grid.x);
  Launch launch = device.launch(scan.kernel, shape, in, out, sums, values.size());
  return {std::move(launch), std::move(out), std::move(sums)};
}
/// The same with sums == nullptr.
template <class T>
Written<T> scan_blocks_alone(Device& device, const BlockScan<T>& scan, const std::vector<T>& values,
                             unsigned block) {
  const auto n = static_cast<unsigned>(values.size());
  LaunchShape shape = thread_for_each(n, block);
  shape.n = n;
  const auto in = device.upload("in", values);
  auto out = device.poisoned<T>("out", n);
  Launch launch = device.launch(scan.kernel, shape, in, out, nullptr, n);
  return {std::move(launch), std::move(out)};
}

/// scan_sums on a copy of `values`.
inline Written<int> scan_in_place(Device& device, const std::vector<int>& values, unsigned block) {
  auto sums = device.upload("sums", values);
  Launch launch = device.launch(scan_sums, {.grid = 1, .block = block}, sums, values.size());
  return {std::move(launch), std::move(sums)};
}
/// add_sums on a copy of `values`, with a block for each element of `ahead`.
inline Written<int> add_ahead(Device& device, const std::vector<int>& values, const std::vector<int>& ahead,
                              unsigned block) {
  auto out = device.upload("out", values);
  const auto sums = device.upload("sums", ahead);
  const LaunchShape shape{.grid = static_cast<unsigned>(ahead.size()), .block = block};
  Launch launch = device.launch(add_sums, shape, out, sums, values.size());
  return {std::move(launch), std::move(out)};
}
/// Given, not an exercise: scans a whole array, for any number of elements, in three launches with blocks of
/// `block` threads. `out` is as long as `in`.
inline void scan_in_three_launches(Device& device, const Buffer<int>& in, const Buffer<int>& out,
                                   unsigned block) {
  const auto n = static_cast<unsigned>(in.size());
  const LaunchShape shape = thread_for_each(n, block);
  const Buffer<int> sums = device.poisoned<int>("sums", shape.grid.x);
  device.launch(scan_block_inclusive_int, shape, in, out, sums, n);
  device.launch(scan_sums, {.grid = 1, .block = block}, sums, shape.grid.x);
  device.launch(add_sums, shape, out, sums, n);
}

constexpr unsigned stretches_a_tile = tile_threads / 32;                 ///< one per warp
constexpr unsigned stretch_elements = tile_elements / stretches_a_tile;  ///< of one warp

}  // namespace warpwise::ch06

namespace Catch {
template <class T>
struct StringMaker<warpwise::ch06::Scanned<T>> {
  static std::string convert(const warpwise::ch06::Scanned<T>& scanned) {
    return StringMaker<warpwise::harness::Launch>::convert(scanned.launch);
  }
};
}  // namespace Catch
