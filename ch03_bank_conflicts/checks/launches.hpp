#pragma once
/// \file How the kernels of this chapter are launched: for the checks, the ladder and the counters.

#include <string>
#include <utility>
#include <vector>

#include "ch03_bank_conflicts/kernels.hpp"
#include "common/harness/check/expectations.hpp"
#include "common/harness/check/inputs.hpp"
#include "common/harness/check/reductions.hpp"

namespace warpwise::ch03 {

using harness::Device;
using harness::InOutKernel;
using harness::Launch;
using harness::LaunchShape;

/// The kernels in which each block has its own stretch of elements.
inline constexpr harness::BlockSums sequential{reduce_sequential}, first_add{reduce_first_add, 2};

/// The blocks' results are right when taken together: their sum, off by `bound` at most, or the largest of
/// them.
inline void expect_walk(const InOutKernel<float>& kernel, const harness::Buffer<float>& out,
                        const std::vector<float>& values, const harness::Case& where, double bound = 0) {
  using namespace harness;
  const std::vector<float> results = download_written(out, where);
  const bool is_max = kernel.name == reduce_max.name;
  const double found = is_max ? reduce<operators::Max>(results) : sum(results);
  const double expected = is_max ? reduce<operators::Max>(values) : sum(values);
  expect_made_of(out, is_max ? "the largest of out[] is" : "the sum of out[] is", found, expected, where,
                 bound);
}

/// Launches a reduction with any grid, on whole numbers, and compares the results unless the launch is timed.
inline Launch run_walk(Device& device, const InOutKernel<float>& kernel, unsigned n,
                       const LaunchShape& shape) {
  const auto values = harness::random_integers(n, harness::seed_of(n, shape.block.x));
  auto [launch, out] = run_in_out(device, kernel, with_shared_floats(shape), values, shape.grid.x);
  constexpr unsigned exact = 1u << 20;  // sums of so many fit into a float
  if (!launch.is_timed())
    expect_walk(kernel, out, values, harness::case_of(n, shape),
                n <= exact ? 0 : harness::sum_error_bound(values, exact));
  return std::move(launch);
}

inline LaunchShape tiles_for(unsigned columns) { return harness::thread_for_each(columns, 32); }

/// The exact sum of each column. (Of no elements, block_sums would give one sum, 0.)
inline std::vector<double> sums_of(const std::vector<float>& values) {
  return values.empty() ? std::vector<double>{} : harness::block_sums(values, 32);
}

inline Launch run_column_sums(Device& device, unsigned columns) {
  const auto values = harness::random_integers(32 * columns, columns);
  auto [launch, out] = run_in_out(device, column_sums, tiles_for(columns), values, columns, columns);
  if (!launch.is_timed())
    harness::expect_equal(out, sums_of(values), {.note = "columns = " + std::to_string(columns)});
  return std::move(launch);
}

}  // namespace warpwise::ch03
