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
/// What these five lines deal with is in the other headers of this folder: ptx.hpp (a module as its text has
/// it), program.hpp (the same made ready to run, and its source lines), global_memory.hpp, launch.hpp and
/// launch_report.hpp (counters and findings). For more than a report there are trace.hpp (what each lane did,
/// step by step) and observer.hpp (events, for observers of your own). Nothing else of the simulator is meant
/// for others.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "global_memory.hpp"
#include "launch.hpp"
#include "launch_report.hpp"
#include "observer.hpp"
#include "program.hpp"
#include "trace.hpp"

namespace warpwise::simulator {

/// What a launch is watched for, which costs time. Faults that the machine itself runs into
/// (WARPWISE_FAULTS), such as an access out of bounds, are findings in any case.
enum class Watch : std::uint8_t {
  nothing,     ///< faults alone
  counters,    ///< counters
  everything,  ///< counters, races, reads of what has never been written
};

struct GpuOptions {
  LaunchOptions launch;
  Watch watch = Watch::everything;
  /// How much memory of this machine, in bytes, a launch may use to remember who last touched the single
  /// words of global memory, beside what it needs for whole lines of 128 bytes (about a third of what it
  /// touches). When it is used up, only accesses of whole warps to a line are still searched for races.
  std::uint64_t race_memory = host_memory() / 4;
  /// Called during a launch, by one host thread at a time, the first time that a kind of defect is seen at an
  /// instruction, so that several calls may be about one source line. The report has one finding for a line
  /// and kind, with its count, and leaves out what another finding explains.
  std::function<void(const Finding&)> on_finding;
  /// They observe every launch, behind the observers that make its report. Not owned.
  std::vector<Observation*> observations;
  /// Records launches until it has as many as it was made for; while it does, a launch runs on one host
  /// thread. Not owned; may be null.
  TraceRecorder* recorder = nullptr;
};

/// A GPU without hardware: memory, modules, launches. Calls are not to be made from several threads at once.
class Gpu {
 public:
  explicit Gpu(GpuOptions options = {});
  ~Gpu();

  GpuOptions& options();
  GlobalMemory& memory();

  /// Reads and decodes. Throws ptx::Error, with the line of the .cu file where the text names one, else with
  /// the text's own line. The program must not outlive the Gpu.
  std::shared_ptr<Program> load(std::string_view ptx_text, std::string name);
  std::shared_ptr<Program> load_file(const std::string& path);

  /// Throws LaunchError for a launch that cannot start. Nothing that a kernel does throws: its report has the
  /// findings.
  LaunchReport launch(const Program& program, const LaunchRequest& request);
  /// The latest launch once more, with the memory that it met and with the options as they are now; its
  /// program must still be there. `change` may write to memory first, `look` sees what the launch has left,
  /// and then memory is as it was before this call. Only where can_launch_again().
  void launch_again(const std::function<void()>& change,
                    const std::function<void(const LaunchReport&)>& look);
  /// The latest launch met little memory, 512 KiB at most, was watched for something, and its program
  /// allocates nothing.
  bool can_launch_again() const;
  /// How the last launch ended, in more detail than its findings say: of a trap and a failed assert() both
  /// are of one kind.
  LaunchStatus last_status() const;
  /// Warp instructions that the last launch executed, whatever was watched.
  std::uint64_t last_instructions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpwise::simulator
