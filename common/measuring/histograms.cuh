#pragma once
/// \file Comparisons of kernels that count keys. Here the number of bins grows, and n stays.

#include "arrays.cuh"
#include "cub.hpp"

namespace warpwise::measuring {

/// What a launch is given.
struct Counted {
  const unsigned* keys;
  unsigned* histogram;  ///< all 0
  unsigned n, bins;
  unsigned multiprocessors;
};
using CountLaunch = void (*)(const Counted&);

struct Keys {
  unsigned bins;
  __device__ unsigned operator()(unsigned random) const { return random % bins; }
};

class HistogramComparison : public Comparison {
 public:
  HistogramComparison(const Plan& plan, CountLaunch launch)
      : plan_(plan),
        launch_(launch),
        n_(1u << std::min(plan.last_log, 26u)),
        keys_(plan, n_),
        histogram_(most_bins),
        expected_(most_bins) {}

  /// 1, 2, 4 ... 8192 bins, and as many as fit into 48 KiB.
  std::vector<Size> sizes() const override {
    std::vector<Size> sizes;
    for (unsigned bins = 1; bins < most_bins; bins *= 2) sizes.push_back({n_, bins});
    sizes.push_back({n_, most_bins});
    return sizes;
  }
  double bytes(const Size& size) const override { return 4.0 * size.n + 4.0 * size.bins; }
  void prepare(const Size& size) override {
    bins_ = size.bins;
    fill(keys_.values(), Keys{bins_});
    cub_.prepare([&](void* scratch, size_t& bytes) {
      return cub_histogram(scratch, bytes, keys_.values().get(), expected_.get(), n_, bins_);
    });
  }
  /// CUB sets its counts to 0; what our kernel adds to is set to 0 here, within its time.
  void run_ours(unsigned turn) override {
    require(cudaMemsetAsync(histogram_.get(), 0, bins_ * sizeof(unsigned)), "cudaMemsetAsync");
    launch_({keys_.stretch(n_, turn), histogram_.get(), n_, bins_, plan_.multiprocessors});
  }
  void run_cubs(unsigned turn) override {
    cub_.run([&](void* scratch, size_t& bytes) {
      return cub_histogram(scratch, bytes, keys_.stretch(n_, turn), expected_.get(), n_, bins_);
    });
  }
  std::string difference() override {
    run_ours(0);
    require(cudaGetLastError(), "launching the kernel");
    require(cudaDeviceSynchronize(), "the kernel");
    run_cubs(0);
    const auto ours = download(histogram_.get(), bins_), cubs = download(expected_.get(), bins_);
    for (unsigned bin = 0; bin < bins_; ++bin)
      if (ours[bin] != cubs[bin])
        return "histogram[" + std::to_string(bin) + "] is " + std::to_string(ours[bin]) + ", CUB's is " +
               std::to_string(cubs[bin]);
    return {};
  }

 private:
  static constexpr unsigned most_bins = 12288;
  Plan plan_;
  CountLaunch launch_;
  unsigned n_, bins_ = 1;
  Rotation<unsigned> keys_;
  Array<unsigned> histogram_, expected_;
  Cub cub_;
};

inline Entry histogram_entry(const char* kernel, CountLaunch launch) {
  return {kernel, "cub::DeviceHistogram::HistogramEven", "",
          [launch](const Plan& plan) { return std::make_unique<HistogramComparison>(plan, launch); }};
}

}  // namespace warpwise::measuring
