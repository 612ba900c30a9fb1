#pragma once
/// \file A kernel that was timed beside CUB.

#include "common/report/bench.hpp"

namespace warpwise::report::tests {

inline Middle about(double value) { return {value, value * 0.99, value * 1.01}; }

inline BenchRow row(unsigned n, double ours, double cub) {
  return {n, 0, 4.0 * n, 30, about(ours), about(cub), about(ours / cub), about(0.25)};
}

inline BenchKernel kernel_with_rows() {
  BenchKernel kernel{"ch05_shuffle", "reduce", "cub::Sum", "", BenchVerdict::right, "", {}};
  for (unsigned log = 10; log < 14; ++log) kernel.rows.push_back(row(1U << log, 0.002, 0.004));
  return kernel;
}

inline BenchReport bench_of(const BenchKernel& kernel) {
  return {.command = "bench", .machine = {"Fake GPU", "13.0", "13.0", 1, 1e12, 9e11, 0}, .kernels = {kernel}};
}

}  // namespace warpwise::report::tests
