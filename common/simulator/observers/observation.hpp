#pragma once
/// \file Watches one launch and writes its report: the only class of the observers that others need.
///
///     LaunchObservation observation(Watch::everything);
///     auto outcome = machine::launch(program, memory, request, options, &observation);
///     LaunchReport report = observation.take_report();
///     report.completed = outcome.status == machine::LaunchStatus::ok;
///     report.seconds = outcome.seconds;

#include <memory>

#include "../machine/observer.hpp"
#include "report.hpp"
#include "watch.hpp"

namespace warpwise::simulator {

/// For one launch only; make another for the next. Must not outlive the launch's program and memory.
class LaunchObservation : public machine::Observation {
 public:
  explicit LaunchObservation(Watch watch);
  ~LaunchObservation() override;
  LaunchObservation(const LaunchObservation&) = delete;  ///< the machine holds a pointer to it
  LaunchObservation& operator=(const LaunchObservation&) = delete;

  void begin(const machine::LaunchContext& launch, std::uint32_t slots) override;
  machine::Observer& make_worker() override;
  void end() override;

  /// After end(), once. `completed` is false where a fault ended the launch; `seconds` is left 0 for the
  /// caller, who has the clock.
  LaunchReport take_report();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::simulator
