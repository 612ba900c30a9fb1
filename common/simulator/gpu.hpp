#pragma once
/// \file A GPU made of software: it loads PTX, launches kernels on the host's processor, and reports what
/// they did and what is wrong with them.
///
///     Gpu gpu;
///     const auto program = gpu.load_file("kernels.ptx");
///     Allocation& out = gpu.memory().allocate(4 * n, "out", 4);
///     const void* const arguments[] = {&out.base, &n};
///     const LaunchReport report = gpu.launch(*program, {"fill", {n / 256}, {256}, 0, arguments});
///
/// The other headers of this folder are what these five lines deal with: ptx.hpp (a module as its text has
/// it), program.hpp (the same made ready to run, and its source lines), memory.hpp, launch.hpp, report.hpp
/// (counters and findings), trace.hpp (what each lane did, step by step) and observer.hpp (events, for
/// observers of your own). Nothing else of the simulator is meant for others.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "launch.hpp"
#include "memory.hpp"
#include "observer.hpp"
#include "program.hpp"
#include "report.hpp"
#include "trace.hpp"

namespace warpwise::simulator {

/// The observers that are attached. Each costs time. Faults that the machine itself meets are findings
/// under every one of them.
enum class Watch : std::uint8_t {
  nothing,     ///< faults only
  counters,    ///< counters as well
  everything,  ///< races and uninitialised reads as well
};

struct GpuOptions {
  LaunchOptions launch;
  Watch watch = Watch::everything;
  /// Bytes of this machine that a launch may spend on who touched which word of global memory last, beyond a
  /// third of the memory's size. What comes after that is not searched for races, but for accesses to whole
  /// lines.
  std::uint64_t race_memory = host_memory() / 4;
  /// Called while a launch runs, by one host thread at a time, when a kind of defect is first seen at an
  /// instruction: several may be of one line. The report has the same findings with their counts; one that
  /// another explains is left out there.
  std::function<void(const Finding&)> on_finding;
  /// Of every launch, behind those that make its report. Not owned.
  std::vector<Observation*> observations;
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
  GlobalMemory& memory();

  /// Reads and decodes; throws ptx::Error, with the line of the source where the text names it, else with its
  /// own. The program lives as long as the caller keeps it.
  std::shared_ptr<Program> load(std::string_view ptx_text, std::string name);
  std::shared_ptr<Program> load_file(const std::string& path);

  /// Throws LaunchError for a launch that cannot start. A kernel that misbehaves does not throw: its
  /// report carries the findings and completed == false. With Watch::nothing and Watch::counters, faults that
  /// the machine itself meets are findings all the same.
  LaunchReport launch(const Program& program, const LaunchRequest& request);
  /// How the last launch ended: a failed assert() or a trap, where the report has one kind for both.
  LaunchStatus last_status() const;
  /// Warp instructions that the last launch executed, whatever was watched.
  std::uint64_t last_instructions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::simulator
