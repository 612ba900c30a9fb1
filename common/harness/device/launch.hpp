#pragma once
/// \file How a kernel is launched (LaunchShape) and what is known afterwards (Launch).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "count.hpp"

namespace warpwise::harness {

/// How many pieces of `part` cover `whole`: ceil_div(33, 32) == 2, ceil_div(0, 32) == 0.
constexpr unsigned ceil_div(unsigned whole, unsigned part) { return whole / part + (whole % part != 0); }

/// A number of blocks or of threads in up to three dimensions; `256` means {256, 1, 1}.
struct Extent {
  unsigned x = 1, y = 1, z = 1;
  constexpr Extent() = default;
  constexpr Extent(unsigned x_, unsigned y_ = 1, unsigned z_ = 1)
      : x(x_), y(y_), z(z_) {}  // NOLINT: implicit
  constexpr std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
};

/// `{.grid = blocks, .block = 256, .shared_bytes = 256 * sizeof(float)}`: what stands in <<<...>>>.
struct LaunchShape {
  Extent grid = {};              ///< blocks
  Extent block = {};             ///< threads a block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory a block
  /// A launch that ends early (deadlock, access out of bounds, out of budget) fails the check at once. Set
  /// this where the end itself is what the check is about.
  bool may_end_early = false;
  std::optional<unsigned> n = {};  ///< elements, for the sentence of a check that fails
};

/// "<<<2, 256, 1024 bytes>>>"
std::string spelled(const LaunchShape& shape);

/// What one launch did. Simulated launches have a report; launches on a GPU have a time where it was asked
/// for.
class Launch {
 public:
  Launch(std::string kernel, LaunchShape shape) : kernel_(std::move(kernel)), shape_(shape) {}

  const std::string& kernel() const { return kernel_; }
  const LaunchShape& shape() const { return shape_; }

  bool is_simulated() const { return report_ != nullptr; }
  /// These four throw std::logic_error for a launch on a real GPU: it reports none of it.
  const simulator::LaunchReport& report() const;
  const simulator::Counters& counters() const { return report().counters; }
  const std::vector<simulator::Finding>& findings() const { return report().findings; }
  /// For an expectation: `launch.count(&Counters::shuffles).per_warp()`.
  Count count(Counter counter) const;

  /// False where the launch ended early; only with LaunchShape::may_end_early does a caller see that.
  bool completed() const { return !report_ || report_->completed; }
  /// Median time of one launch on a GPU, see TimingOptions; empty where nothing was timed.
  std::optional<double> milliseconds() const { return milliseconds_; }

  void set_report(simulator::LaunchReport report) {
    report_ = std::make_shared<const simulator::LaunchReport>(std::move(report));
  }
  /// Null for a launch on a real GPU.
  const SharedReport& shared_report() const { return report_; }
  void set_milliseconds(double milliseconds) { milliseconds_ = milliseconds; }

 private:
  std::string kernel_;
  LaunchShape shape_;
  SharedReport report_;  ///< the record keeps it as well
  std::optional<double> milliseconds_;
};

}  // namespace warpwise::harness
