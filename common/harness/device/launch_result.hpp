#pragma once
/// \file How a kernel is launched (LaunchShape), and what is known afterwards: a Launch, whose counts are
/// what matchers (requirement.hpp) want, or a LaunchFault.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../simulator/launch_report.hpp"

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
  /// A launch that is ended early (deadlock, out of budget) or has a fault (access out of bounds, wrong mask)
  /// is a LaunchFault. Set this where the caller wants to see the launch all the same.
  bool may_end_early = false;
  std::optional<unsigned> n = {};  ///< elements, for sentences about the launch
};

/// "<<<2, 256, 1024 bytes>>>"
std::string spelled(const LaunchShape& shape);

/// A thread for each of n elements; one block at least, because the result of no elements has to be written
/// too.
constexpr LaunchShape thread_for_each(unsigned n, unsigned block, std::size_t shared_bytes = 0) {
  return {.grid = std::max(1u, ceil_div(n, block)), .block = block, .shared_bytes = shared_bytes};
}
/// Blocks that walk over n elements: at most `most_blocks`, none without an element, one at least.
constexpr LaunchShape walking_blocks(unsigned n, unsigned block, unsigned most_blocks) {
  return {.grid = std::clamp(ceil_div(n, block), 1u, most_blocks), .block = block};
}
/// The same launch, with a float of dynamic shared memory for each thread of a block.
constexpr LaunchShape with_shared_floats(LaunchShape shape) {
  shape.shared_bytes = shape.block.volume() * sizeof(float);
  return shape;
}
/// Warps of the whole grid. Blocks are whole warps.
constexpr unsigned warps_of(const LaunchShape& shape) {
  return static_cast<unsigned>(shape.grid.volume() * shape.block.volume() / 32);
}

// --- What a launch has counted ----------------------------------------------------------------------------

// Which counters, of which launch, in which unit: so a failure knows whose lines spend too much.

using simulator::Counters;
using SharedReport = std::shared_ptr<const simulator::LaunchReport>;

/// A counter, or up to three that are added up: `&Counters::shuffles`,
/// `{&Counters::shuffles, &Counters::votes}`.
class Counter {
 public:
  using Member = std::uint64_t Counters::*;
  template <class... Members>
  constexpr Counter(Member first, Members... others) : members_{first, others...} {}  // NOLINT: implicit
  std::uint64_t in(const Counters& counters) const;

 private:
  std::array<Member, 3> members_;
};

inline constexpr Counter atomic_requests{&Counters::shared_atomic_requests,
                                         &Counters::global_atomic_requests};
inline constexpr Counter shared_requests{&Counters::shared_load_requests, &Counters::shared_store_requests,
                                         &Counters::shared_atomic_requests};
inline constexpr Counter shared_load_and_store_wavefronts{&Counters::shared_load_wavefronts,
                                                          &Counters::shared_store_wavefronts};
inline constexpr Counter shared_load_and_store_conflicts{&Counters::shared_load_bank_conflicts,
                                                         &Counters::shared_store_bank_conflicts};

/// `launch.count(&Counters::shuffles).per_warp()`
class Count {
 public:
  /// Of the whole launch. `n`: its elements, where that is known.
  Count(SharedReport launch, std::optional<unsigned> n, Counter counter);

  Count per_block() const;
  Count per_warp() const;
  Count operator/(double pieces) const;  ///< in another unit, such as a round
  /// Only `part` of them, as an observer has seen it who looks closer: at the requests for one buffer, at the
  /// busiest warp. Which line spends how much of it is not known, unless it is all.
  Count only(double part) const;
  Count operator-(double others) const;  ///< without those that the limit does not mean; not below 0

  double value() const { return value_; }
  const simulator::LaunchReport& launch() const { return *launch_; }
  std::optional<unsigned> n() const { return n_; }
  const Counter& counter() const { return counter_; }
  /// By how many blocks, warps or other pieces the launch's count is divided; empty where value() is not all
  /// of it.
  std::optional<double> pieces() const { return pieces_; }

 private:
  SharedReport launch_;
  std::optional<unsigned> n_;
  Counter counter_;
  double value_;
  std::optional<double> pieces_ = 1;
};

// --- The launch -------------------------------------------------------------------------------------------

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

  /// False where the launch was ended early or had a memory fault; only with LaunchShape::may_end_early does
  /// a caller see that.
  bool completed() const { return !report_ || report_->completed; }
  /// Median time of one launch on a GPU, see TimingOptions; empty where nothing was timed.
  std::optional<double> milliseconds() const { return milliseconds_; }
  /// It was repeated, on many elements: nobody compares what it wrote, and what it added stands there several
  /// times.
  bool is_timed() const { return milliseconds_.has_value(); }

  /// The order in which the simulated GPU ran the lanes, "split:3"; empty for a launch on a real one.
  const std::string& schedule() const { return schedule_; }

  void set_report(simulator::LaunchReport report, std::string schedule) {
    report_ = std::make_shared<const simulator::LaunchReport>(std::move(report));
    schedule_ = std::move(schedule);
  }
  void set_milliseconds(double milliseconds) { milliseconds_ = milliseconds; }

 private:
  std::string kernel_;
  LaunchShape shape_;
  SharedReport report_;
  std::string schedule_;
  std::optional<double> milliseconds_;
};

/// Why a launch did not start, or did not come to its end as it should: thrown by Device::launch. what() is
/// one sentence, which names the kernel.
class LaunchFault : public std::runtime_error {
 public:
  explicit LaunchFault(const std::string& sentence, std::vector<simulator::Finding> findings = {})
      : std::runtime_error(sentence), findings_(std::move(findings)) {}
  /// Those that explain it; there may be none.
  const std::vector<simulator::Finding>& findings() const { return findings_; }

 private:
  std::vector<simulator::Finding> findings_;
};

}  // namespace warpwise::harness
