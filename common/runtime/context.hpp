#pragma once
/// \file The one device of the process and all that the runtime knows of it.

#include <driver_types.h>

#include <mutex>
#include <string>
#include <string_view>

#include "../simulator/gpu.hpp"
#include "allocations.hpp"
#include "modules.hpp"
#include "run_report.hpp"
#include "settings.hpp"

namespace warpwise::runtime {

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

}  // namespace warpwise::runtime
