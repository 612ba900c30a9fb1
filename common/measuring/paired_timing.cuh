#pragma once
/// \file A kernel and CUB timed in turns on one GPU.
///
/// While a kernel holds the stream, a whole round is queued after it: events and launches. So what is timed
/// never waits for the host, however long a call of CUB's takes there.

#include <chrono>

#include "comparison.hpp"
#include "measuring.cuh"
#include "median.hpp"

namespace warpwise::measuring {

/// Keeps the stream busy for this long.
static __global__ void hold_stream(unsigned long long nanoseconds) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

/// Times of both, milliseconds, pair by pair.
struct Times {
  std::vector<double> ours, cubs;

  /// One for two pairs, in which each of the two was once the first: what being first costs is in both.
  std::vector<double> ratios() const {
    if (ours.size() == 1) return {ours[0] / cubs[0]};  // a trial
    std::vector<double> ratios;
    for (size_t i = 0; i + 1 < ours.size(); i += 2)
      ratios.push_back((ours[i] + ours[i + 1]) / (cubs[i] + cubs[i + 1]));
    return ratios;
  }
};

/// How long a size is measured: until the confidence interval of the ratio is `narrow` of it wide, or until
/// this much has been done.
struct StoppingCriterion {
  unsigned fewest = 30, most = 400;  ///< pairs; `fewest` / 3 will do where `seconds` are over
  double seconds = 0.5, narrow = 0.01;
  bool holds_stream = true;  ///< off on a simulated GPU, whose times mean nothing
};

class PairedTiming {
 public:
  explicit PairedTiming(const StoppingCriterion& criterion) : criterion_(criterion), events_(4 * round) {
    for (cudaEvent_t& event : events_) require(cudaEventCreate(&event), "cudaEventCreate");
  }
  ~PairedTiming() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  PairedTiming(const PairedTiming&) = delete;  ///< owns the events
  PairedTiming& operator=(const PairedTiming&) = delete;

  /// Of the size that `comparison` was prepared for; the first round warms up and is not counted.
  Times times_of(Comparison& comparison) {
    Times times;
    run_round(comparison, times);
    times = {};
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
      run_round(comparison, times);
      const Median ratio = median_of(times.ratios());
      const size_t pairs = times.ours.size();
      const bool is_late = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() >
                           criterion_.seconds;
      if (pairs >= criterion_.most || (is_late && 3 * pairs >= criterion_.fewest)) return times;
      if (pairs >= criterion_.fewest && ratio.high - ratio.low <= criterion_.narrow * ratio.median)
        return times;
    }
  }

  /// From the call on: the GPU is idle when one of them is called, so that what the call does on the host
  /// before its last kernel starts counts as well.
  Times times_when_called(Comparison& comparison) {
    Times times;
    for (unsigned pair = 0; pair < criterion_.fewest; ++pair) {
      for (const bool is_ours : {pair % 2 == 0, pair % 2 != 0}) {
        require(cudaDeviceSynchronize(), "what is timed");
        require(cudaEventRecord(events_[0]), "cudaEventRecord");
        is_ours ? comparison.run_ours(turn_++) : comparison.run_cubs(turn_++);
        require(cudaEventRecord(events_[1]), "cudaEventRecord");
        require(cudaEventSynchronize(events_[1]), "what is timed");
        (is_ours ? times.ours : times.cubs).push_back(milliseconds(0));
      }
    }
    return times;
  }

 private:
  static constexpr unsigned round = 10;  ///< pairs

  /// Repeated where the stream was not held long enough.
  void run_round(Comparison& comparison, Times& times) {
    while (!try_round(comparison)) nanoseconds_ *= 2;
    require(cudaDeviceSynchronize(), "what is timed");
    for (unsigned pair = 0; pair < pairs_a_round(); ++pair) {
      times.ours.push_back(milliseconds(4 * pair));
      times.cubs.push_back(milliseconds(4 * pair + 2));
    }
  }
  unsigned pairs_a_round() const { return std::min(round, criterion_.most); }

  /// False: the GPU began before the round was complete.
  bool try_round(Comparison& comparison) {
    if (criterion_.holds_stream) hold_stream<<<1, 1>>>(nanoseconds_);
    require(cudaGetLastError(), "holding the stream");
    for (unsigned pair = 0; pair < pairs_a_round(); ++pair) {
      const bool is_ours_first = pair % 2 == 0;
      for (const bool is_ours : {is_ours_first, !is_ours_first}) {
        const unsigned event = 4 * pair + (is_ours ? 0 : 2);
        require(cudaEventRecord(events_[event]), "cudaEventRecord");
        is_ours ? comparison.run_ours(turn_++) : comparison.run_cubs(turn_++);
        require(cudaEventRecord(events_[event + 1]), "cudaEventRecord");
      }
    }
    if (!criterion_.holds_stream) return true;
    const cudaError_t state = cudaEventQuery(events_[0]);
    if (state == cudaErrorNotReady) return true;
    require(state, "what is timed");
    require(cudaDeviceSynchronize(), "what is timed");
    constexpr unsigned long long longest = 200'000'000;
    return nanoseconds_ > longest;  // a host that slow is not waited for
  }
  double milliseconds(unsigned event) const {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, events_[event], events_[event + 1]), "cudaEventElapsedTime");
    return milliseconds;
  }

  StoppingCriterion criterion_;
  std::vector<cudaEvent_t> events_;  ///< four a pair: before and after ours, before and after CUB's
  unsigned long long nanoseconds_ = 1'000'000;
  unsigned turn_ = 0;
};

}  // namespace warpwise::measuring
