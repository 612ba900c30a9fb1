#pragma once
/// \file The observers of one launch that make its report: the only class of them that others need.
///
///     LaunchObservation observation(Watch::everything, host_memory() / 4);
///     Observation* const observations[] = {&observation};
///     auto outcome = launch(program, memory, request, options, observations);
///     LaunchReport report = observation.take_report(outcome);

#include <functional>
#include <memory>

#include "../gpu.hpp"
#include "../report.hpp"
#include "../run/launch.hpp"

namespace warpwise::simulator::observe {

/// For one launch only; make another for the next. Must not outlive the launch's program and memory.
class LaunchObservation : public Observation {
 public:
  /// `race_memory`, `on_finding`: as in GpuOptions.
  LaunchObservation(Watch watch, std::uint64_t race_memory,
                    std::function<void(const Finding&)> on_finding = {});
  ~LaunchObservation() override;
  LaunchObservation(const LaunchObservation&) = delete;  ///< the machine holds a pointer to it
  LaunchObservation& operator=(const LaunchObservation&) = delete;

  void begin(const LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(ObserverList& of_thread) override;
  void end() override;

  /// After the launch, once.
  LaunchReport take_report(const run::LaunchOutcome& outcome);

 private:
  struct Thread;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::simulator::observe
