#pragma once
/// \file What the environment asks of the simulated GPU. `warpwise exec` sets these variables from its
/// options.

#include <cstdint>
#include <string>

#include "../simulator/launch.hpp"

namespace warpwise::runtime {

/// | variable          | meaning                                                                      |
/// |-------------------|------------------------------------------------------------------------------|
/// | WARPWISE_SCHEDULE | `converged`, `lockstep` or `split:SEED`                                      |
/// | WARPWISE_THREADS  | host threads that run blocks; default: one a processor                       |
/// | WARPWISE_BUDGET   | warp instructions that one launch may spend; default: ten minutes a block    |
/// | WARPWISE_STRICT   | not empty: a shuffle from a lane that takes no part gives poison, not 0          |
/// | WARPWISE_QUIET    | not empty: findings are not printed                                          |
/// | WARPWISE_TRACE    | JSON file, whole after every launch that it tells of (docs/trace.schema.json)  |
/// | WARPWISE_REPORT   | JSON file, whole after every launch (docs/report.schema.json)                |
struct Settings {
  simulator::Schedule schedule;
  std::uint32_t threads = 0;
  std::uint64_t budget = 0;  ///< 0: a launch runs on as long as its blocks end
  bool is_strict = false;
  bool is_quiet = false;
  std::string report_file, trace_file;

  /// Throws std::invalid_argument, one sentence, for a value that cannot be read.
  static Settings from_environment();
  /// What they say of every launch.
  simulator::LaunchOptions launch_options() const;
};

}  // namespace warpwise::runtime
