#pragma once
/// \file A kernel of the course and CUB's algorithm for the same task, on a GPU: what a chapter declares in
/// bench/comparisons.cu, and comparison.cu runs. Reductions, scans and histograms stand in files of their
/// own.

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpwise::measuring {

struct Size {
  unsigned n = 0;     ///< elements
  unsigned bins = 0;  ///< of a histogram; else 0
};

/// The sizes that were asked for, and what of the GPU decides where arrays go.
struct Plan {
  unsigned first_log = 10, last_log = 30;  ///< n = 2^first_log ... 2^last_log, and three more than each
  std::size_t cache_bytes = 0;             ///< of the L2 cache
  unsigned multiprocessors = 1;
};

/// n = 2^k and 2^k + 3, ascending.
inline std::vector<Size> powers_and_three_more(const Plan& plan) {
  std::vector<Size> sizes;
  for (unsigned log = plan.first_log; log <= plan.last_log; ++log)
    for (const unsigned more : {0u, 3u}) sizes.push_back({(1u << log) + more, 0});
  return sizes;
}

class Comparison {
 public:
  Comparison() = default;
  virtual ~Comparison() = default;
  Comparison(const Comparison&) = delete;  ///< owns device memory
  Comparison& operator=(const Comparison&) = delete;

  /// What is timed, ascending.
  virtual std::vector<Size> sizes() const = 0;
  /// Bytes that the task must read and write.
  virtual double bytes(const Size& size) const = 0;
  /// From now on it is about this size.
  virtual void prepare(const Size& size) = 0;
  /// What is wrong with the kernel's result at this size, as one clause; empty: nothing. CUB's result and
  /// sums of the host are what it is held against.
  virtual std::string difference() = 0;
  /// Each puts one run on the default stream. Runs of different turns read different places in memory, so
  /// that none finds its input in a cache.
  virtual void run_ours(unsigned turn) = 0;
  virtual void run_cubs(unsigned turn) = 0;
};

/// A kernel that can be held against CUB.
struct Entry {
  std::string kernel;
  std::string counterpart;  ///< "cub::DeviceReduce::Sum"
  std::string remark;       ///< where the two do not do quite the same; else empty
  std::function<std::unique_ptr<Comparison>(const Plan&)> make;
};

/// Those of a chapter, in the order of its kernels. Each bench/comparisons.cu defines it.
std::vector<Entry> entries();

}  // namespace warpwise::measuring
