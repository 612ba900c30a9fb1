#pragma once
/// \file The one device of the process, all that the runtime knows of it, and what every entry point does
/// around its own work: one caller at a time, exceptions become error codes, and errors are remembered for
/// cudaGetLastError.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>

#include "../simulator/gpu.hpp"
#include "allocations.hpp"
#include "modules.hpp"
#include "run_report.hpp"

namespace warpwise::runtime {

/// What the environment asks of the simulated GPU: `warpwise exec` sets these variables from its options.
///
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
  bool says_progress = true;  ///< not for a test that holds what stands on stderr
  std::string report_file, trace_file;

  /// Throws std::invalid_argument, one sentence, for a value that cannot be read.
  static Settings from_environment();
  /// What they say of every launch.
  simulator::LaunchOptions launch_options() const;
};

class Context {
 public:
  /// Made by the first call, which is the registration of the program's device code before main. Never
  /// destroyed: programs call the runtime from destructors of static objects.
  static Context& get();

  std::recursive_mutex mutex;  ///< held by every call: the simulated GPU takes one at a time
  const Settings settings;
  simulator::Gpu gpu;
  Modules modules;
  Allocations allocations;
  RunReport report;
  std::set<std::uint64_t> remarked;  ///< allocations whose unwritten words a copy has told of

  /// A kernel has failed and spoilt the context: the next call that waits for the device returns this, and
  /// every call after it, until cudaDeviceReset (CUDA runtime API, "Error Handling").
  cudaError_t fault = cudaSuccess;
  bool is_fault_known = false;  ///< it was reported to the program

  /// Device-side printf appears when the program waits for the device, as on hardware (CUDA programming
  /// guide, "Formatted Output"; which calls wait was seen on an H200).
  void print(std::string_view text) { printed_ += text; }
  void flush_print();
  /// The fault of an earlier kernel, which is reported to the program now; cudaSuccess where there was none.
  cudaError_t report_fault();
  /// The program has ended. What it did not wait for is lost, as on hardware; a note says so.
  void note_lost_print();
  /// cudaDeviceReset: memory, modules and faults are gone.
  void reset();

 private:
  Context();
  std::string printed_;
};

/// The last error of this host thread (CUDA runtime API, "Error Handling").
inline thread_local cudaError_t last_error = cudaSuccess;

inline cudaError_t remember(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

/// `body(context)` under the lock. For calls that a spoilt context still answers.
template <class Body>
cudaError_t ask(Body&& body) {
  Context& context = Context::get();
  const std::lock_guard lock(context.mutex);
  try {
    return remember(body(context));
  } catch (const HostTooSmall& error) {
    context.report.note(error.what());
    return remember(cudaErrorMemoryAllocation);
  } catch (const std::bad_alloc&) {
    return remember(cudaErrorMemoryAllocation);
  }
}

/// Likewise, for calls that use the device: they fail with the fault of an earlier kernel, if there was one.
template <class Body>
cudaError_t call(Body&& body) {
  return ask([&](Context& context) {
    if (const cudaError_t fault = context.report_fault(); fault != cudaSuccess) return fault;
    return static_cast<cudaError_t>(body(context));
  });
}

/// Likewise, for calls that wait until the device is done: what it printed appears.
template <class Body>
cudaError_t wait(Body&& body) {
  return ask([&](Context& context) {
    context.flush_print();
    if (const cudaError_t fault = context.report_fault(); fault != cudaSuccess) return fault;
    return static_cast<cudaError_t>(body(context));
  });
}

/// The error, after a line on stderr that says more than the code can: for mistakes that hardware leaves the
/// user to guess.
inline cudaError_t fail(Context& context, const char* function, cudaError_t error, const std::string& why) {
  context.report.note(std::string(function) + " returns " + cudaGetErrorName(error) + ": " + why + ".");
  return error;
}

}  // namespace warpwise::runtime

/// The name under which programs compiled with --default-stream per-thread call `name`: there is one stream
/// in effect, so it is the same function.
#define WARPWISE_ALSO(name, other) extern "C" decltype(name) other __attribute__((alias(#name)))
