#pragma once
/// \file Makes traces: an Observation that writes down what the first blocks of a launch do.
///
///     TraceRecorder recorder({.blocks = 2});
///     gpu.options().recorder = &recorder;
///     gpu.launch(program, request);
///     recorder.launches().front().trace;

#include <memory>
#include <vector>

#include "../machine/launch.hpp"
#include "report.hpp"
#include "trace.hpp"

namespace warpwise::simulator {

struct RecordedLaunch {
  Trace trace;
  LaunchReport report;  ///< of the whole launch, whatever was recorded of it
};

/// Of several launches, one after the other. A launch that it records must run on one host thread, so that
/// the steps of all blocks have one order; Gpu sees to that.
class TraceRecorder : public machine::Observation {
 public:
  /// `most_launches` are recorded; later ones are counted.
  explicit TraceRecorder(TraceLimits limits = {}, std::size_t most_launches = 8);
  ~TraceRecorder() override;
  TraceRecorder(const TraceRecorder&) = delete;  ///< the machine holds a pointer to it
  TraceRecorder& operator=(const TraceRecorder&) = delete;

  bool wants_next() const { return launches_.size() < most_launches_; }
  void begin(const machine::LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(machine::ObserverList& of_thread) override;
  void end() override;
  /// After the launch: its report, and in which order its lanes went.
  void complete(const LaunchReport& report, const machine::Schedule& schedule);

  const std::vector<RecordedLaunch>& launches() const { return launches_; }
  /// The last of them is to have this name: the program's own for its kernel, not the linker's.
  void rename_last(const std::string& kernel) { launches_.back().report.kernel = kernel; }
  std::uint64_t launches_left_out() const { return left_out_; }

 private:
  class Recording;
  const TraceLimits limits_;
  const std::size_t most_launches_;
  std::vector<RecordedLaunch> launches_;
  std::uint64_t left_out_ = 0;
  std::unique_ptr<Recording> recording_;  ///< of the launch that runs
};

}  // namespace warpwise::simulator
