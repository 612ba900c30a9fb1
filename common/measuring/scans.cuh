#pragma once
/// \file Comparisons of kernels that scan n ints.

#include "arrays.cuh"
#include "cub.hpp"

namespace warpwise::measuring {

/// What a launch is given.
struct Scanned {
  const int* in;
  int* out;
  unsigned n;
  unsigned long long* words;  ///< scratch: a word for 1024 elements and one more, 0 before the first launch
};
using ScanLaunch = void (*)(const Scanned&);

/// *first = the lowest index at which a and b differ; it stays where they agree.
static __global__ void compare_ints(const int* a, const int* b, unsigned n, unsigned* first) {
  const unsigned threads_of_grid = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads_of_grid)
    if (a[i] != b[i]) atomicMin(first, i);
}

struct SmallInts {
  __device__ int operator()(unsigned random) const { return static_cast<int>(random >> 28) - 8; }
};

/// Whole numbers from -8 to 7, so that no sum of 2^30 of them is beyond an int.
class ScanComparison : public Comparison {
 public:
  ScanComparison(const Plan& plan, ScanLaunch launch)
      : plan_(plan),
        launch_(launch),
        largest_n_((1u << plan.last_log) + 3),
        in_(plan, largest_n_),
        out_(plan, largest_n_),
        expected_(largest_n_),
        words_(largest_n_ / 1024 + 2),
        first_(1) {
    words_.fill_bytes(0);
    fill(in_.values(), SmallInts{});
  }

  std::vector<Size> sizes() const override { return powers_and_three_more(plan_); }
  double bytes(const Size& size) const override { return 8.0 * size.n; }
  void prepare(const Size& size) override {
    n_ = size.n;
    cub_.prepare([&](void* scratch, size_t& bytes) {
      return cub_scan(scratch, bytes, in_.values().get(), expected_.get(), n_);
    });
  }
  void run_ours(unsigned turn) override {
    launch_({in_.stretch(n_, turn), out_.stretch(n_, turn), n_, words_.get()});
  }
  void run_cubs(unsigned turn) override { run_cub_into(turn, out_.stretch(n_, turn)); }
  std::string difference() override {
    require(cudaMemset(out_.stretch(n_, 0), 0xCD, n_ * sizeof(int)), "cudaMemset");
    run_ours(0);
    require(cudaGetLastError(), "launching the kernel");
    require(cudaDeviceSynchronize(), "the kernel");
    run_cub_into(0, expected_.get());
    first_.fill_bytes(0xFF);
    compare_ints<<<1024, 256>>>(out_.stretch(n_, 0), expected_.get(), n_, first_.get());
    const unsigned place = first_.value_at(0);
    if (place == ~0u) return {};
    return "out[" + std::to_string(place) + "] is " +
           std::to_string(measuring::value_at(out_.stretch(n_, 0) + place)) + ", CUB's is " +
           std::to_string(expected_.value_at(place));
  }

 private:
  void run_cub_into(unsigned turn, int* out) {
    cub_.run([&](void* scratch, size_t& bytes) {
      return cub_scan(scratch, bytes, in_.stretch(n_, turn), out, n_);
    });
  }

  Plan plan_;
  ScanLaunch launch_;
  unsigned largest_n_, n_ = 0;
  Rotation<int> in_, out_;
  Array<int> expected_;
  Array<unsigned long long> words_;
  Array<unsigned> first_;
  Cub cub_;
};

inline Entry scan_entry(const char* kernel, ScanLaunch launch, const char* remark = "") {
  return {kernel, "cub::DeviceScan::InclusiveSum", remark,
          [launch](const Plan& plan) { return std::make_unique<ScanComparison>(plan, launch); }};
}

}  // namespace warpwise::measuring
