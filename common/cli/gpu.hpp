#pragma once
/// \file The GPU of this machine, and Nsight Compute: which of its metrics the simulator's counters are
/// compared with, and what its command line, ncu, prints.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::cli {

// --- Whether there is one ----------------------------------------------------------------------------------

struct GpuPresence {
  bool is_there = false;
  std::string text;  ///< its name and driver, or why there is none
  int cuda = 0;      ///< the newest CUDA that the driver knows, 1000 * major + 10 * minor; 0: unknown
};

/// Asks the driver, which is loaded by hand: most machines have none.
GpuPresence find_gpu();

/// One sentence where programs of this toolkit ("13.0.88") cannot run with the driver of `gpu`, else empty. A
/// driver runs those of its own major version and of older ones. Source: CUDA Compatibility, "Minor version
/// compatibility".
std::string driver_problem(const GpuPresence& gpu, const std::string& toolkit_version);

// --- Nsight Compute ----------------------------------------------------------------------------------------

/// A counter of the simulator and the hardware counters of which it is the sum. Names: Nsight Compute,
/// "Metrics Reference".
struct CounterMetrics {
  std::string counter;
  std::vector<std::string> metrics;
};
const std::vector<CounterMetrics>& compared_counters();
/// All metrics, with commas between them, as `ncu --metrics` takes them.
std::string metrics_argument();

/// One profiled launch: the counters of compared_counters(), by name.
struct HardwareLaunch {
  std::string kernel;
  std::string grid;  ///< "(128, 1, 1)"
  std::map<std::string, std::uint64_t> counters;
};
/// Of `ncu --page raw --csv --print-units base`: the first launch of each kernel. Lines before the table,
/// which the profiled program may have printed, are passed over. Throws Failure if a metric is missing.
std::vector<HardwareLaunch> launches_from(std::string_view raw_page);

/// What the hardware counted at one line of the source; loads, stores and atomics together.
struct HardwareLine {
  std::string kernel, file;
  unsigned line = 0;
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t global_requests = 0;
  std::uint64_t global_sectors = 0;
};
/// Of `ncu --page source --csv --print-source cuda,sass`. Empty if the machine code names no lines.
std::vector<HardwareLine> lines_from(std::string_view source_page);

/// Fields of one line of CSV: in quotes, with "" for a quote.
std::vector<std::string> csv_fields(std::string_view line);

/// Why ncu measured nothing, with what to do about it; `output` is all that it printed.
std::string ncu_problem(std::string_view output);

/// Its path: from PATH, or where toolkit and package install it; empty: it is not here.
std::string find_ncu();

}  // namespace warpwise::cli
