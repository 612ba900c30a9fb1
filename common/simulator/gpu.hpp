#pragma once
/// \file The simulated GPU: the one door through which harness, runtime and tools use the simulator.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/launch.hpp"
#include "machine/memory.hpp"
#include "machine/program.hpp"
#include "observers/recording.hpp"
#include "observers/report.hpp"
#include "observers/watch.hpp"

namespace warpwise::simulator {

struct GpuOptions {
  machine::LaunchOptions launch;
  Watch watch = Watch::everything;
  /// Bytes of this machine that a launch may spend on who touched which word of global memory last, beyond a
  /// third of the memory's size. What comes after that is not searched for races, but for accesses to whole
  /// lines.
  std::uint64_t race_memory = machine::host_memory() / 4;
  /// Called while a launch runs, by one host thread at a time, when a kind of defect is first seen at an
  /// instruction: several may be of one line. The report has the same findings with their counts; one that
  /// another explains is left out there.
  std::function<void(const Finding&)> on_finding;
  /// Of every launch, behind those that make its report. Not owned.
  std::vector<machine::Observation*> observations;
  /// Writes down launches, for as long as it wants more; those run on one host thread. Not owned; may be
  /// null.
  TraceRecorder* recorder = nullptr;
};

/// A GPU without hardware: memory, modules, launches. Calls are not to be made from several threads at once.
class Gpu {
 public:
  explicit Gpu(GpuOptions options = {});
  ~Gpu();

  GpuOptions& options();
  machine::GlobalMemory& memory();

  /// Reads and decodes; throws ptx::Error, with the line of the source where the text names it, else with its
  /// own. The program lives as long as the caller keeps it.
  std::shared_ptr<machine::Program> load(std::string_view ptx_text, std::string name);
  std::shared_ptr<machine::Program> load_file(const std::string& path);

  /// Throws machine::LaunchError for a launch that cannot start. A kernel that misbehaves does not throw: its
  /// report carries the findings and completed == false. With Watch::nothing and Watch::counters, faults that
  /// the machine itself meets are findings all the same.
  LaunchReport launch(const machine::Program& program, const machine::LaunchRequest& request);
  /// How the last launch ended: a failed assert() or a trap, where the report has one kind for both.
  machine::LaunchStatus last_status() const;
  /// Warp instructions that the last launch executed, whatever was watched.
  std::uint64_t last_instructions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::simulator
