#pragma once
/// \file How launches are timed on a real GPU.

#include <functional>
#include <optional>
#include <vector>

namespace warpwise::harness {

struct TimingOptions {
  unsigned warm_up = 3;       ///< launches that are not timed
  unsigned repetitions = 15;  ///< timed launches, of which the median counts
  /// Overwrites the L2 cache before each launch, so that inputs come from memory. Off, inputs that fit stay
  /// in it.
  bool flushes_l2 = true;
};

/// The middle value; the mean of the two middle ones where their number is even. Throws std::invalid_argument
/// where there is none.
double median(std::vector<double> values);

/// Median time in milliseconds of what `launch` puts on the default stream, by CUDA events (their resolution
/// is about half a microsecond). `before_each` runs before each launch, outside the measured time.
double time_on_gpu(const TimingOptions& options, const std::function<void()>& launch,
                   const std::function<void()>& before_each = {});

}  // namespace warpwise::harness
