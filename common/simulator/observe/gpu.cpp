// Gpu::launch: attaches the observers to a launch, and makes its report.
#include "../gpu.hpp"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "../host/host.hpp"
#include "../program.hpp"
#include "../ptx/parser.hpp"
#include "../run/worker.hpp"
#include "observers.hpp"

namespace warpwise::simulator {

using namespace observe;

namespace {

/// The observers of one host thread, as far as they are wanted.
struct ThreadObservers {
  FindingLog log;
  std::optional<Counting> counting;
  std::optional<BarrierBypass> bypass;
  std::optional<MemoryChecks> memory;
  std::optional<Faults> faults;
};

/// The observers of one launch that make its report. Must not outlive the launch's program and memory.
class ReportObservation : public Observation {
 public:
  explicit ReportObservation(const GpuOptions& options) : options_(options) {}
  ReportObservation(const ReportObservation&) = delete;  ///< the machine holds a pointer to it
  ReportObservation& operator=(const ReportObservation&) = delete;

  void begin(const LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(ObserverList& of_thread) override;
  void end() override;

  /// After the launch, once.
  LaunchReport take_report(const run::LaunchOutcome& outcome);

 private:
  const GpuOptions& options_;
  std::mutex mutex_;  ///< one thread at a time calls GpuOptions::on_finding
  LaunchContext launch_;
  std::uint32_t slots_ = 0;
  std::optional<Naming> naming_;
  std::optional<BarrierMap> barriers_;
  std::optional<MemoryHistory> history_;
  bool watches_read_only_path_ = false;
  std::deque<ThreadObservers> threads_;
  std::deque<ReadOnlyPath> read_only_paths_;  ///< one a host thread, where there are such loads
  FindingLog log_at_end_;
  LaunchReport report_;
};

/// Nobody recorded what the launch wrote: from now on all counts as written, what a device-side malloc() gave
/// as well. An allocation without bytes is not found, and needs nothing.
void forget_what_is_written(GlobalMemory& memory) {
  for (const Allocation* allocation : memory.all()) {
    if (allocation->written.empty()) continue;
    if (Allocation* found = memory.find(allocation->base)) found->written.clear();
  }
}

/// The sums of what was counted at each instruction: of the launch and of each source line.
void add_counters(const LaunchContext& launch, const std::vector<Counters>& by_pc, LaunchReport& report) {
  const Program& program = *launch.program;
  std::map<std::int32_t, Counters> by_location;  // instructions of one source line share a few of them
  for (Pc pc = launch.reach.begin; pc < launch.reach.end; ++pc) {
    const Counters& counters = by_pc[launch.reach.index_of(pc)];
    if (counters.warp_instructions == 0) continue;
    by_location[program.text_of(pc).location] += counters;
  }
  std::map<SourcePlace, Counters> by_line;
  for (const auto& [location, counters] : by_location) {
    report.counters += counters;
    const SourcePlace& place = program.place_of_location(location);
    if (place.line != 0) by_line[place] += counters;
  }
  for (const auto& [place, counters] : by_line) report.lines.push_back({place.file, place.line, counters});
}

void ReportObservation::begin(const LaunchContext& launch, std::uint32_t slots) {
  launch_ = launch;
  slots_ = slots;
  naming_.emplace(launch_);
  if (options_.watch != Watch::everything) return;
  barriers_.emplace(launch_);
  history_.emplace(launch_, slots, *naming_, options_.race_memory);
  watches_read_only_path_ = has_read_only_loads(launch);
}

void ReportObservation::add_observers(ObserverList& of_thread) {
  ThreadObservers& thread = threads_.emplace_back();
  if (options_.on_finding)
    thread.log.on_first = [this](const FindingLog::Entry& entry) {
      const Finding finding = first_seen(*launch_.program, entry);
      const std::lock_guard lock(mutex_);
      options_.on_finding(finding);
    };
  const auto add = [&](auto& observer, auto&&... arguments) {
    of_thread.add(observer.emplace(std::forward<decltype(arguments)>(arguments)...));
  };
  if (barriers_ && barriers_->size() != 0) add(thread.bypass, *barriers_, slots_, thread.log);
  // The checks ask for the shape of every access: counting, behind them, finds it known.
  if (history_) add(thread.memory, *history_, thread.log);
  if (options_.watch != Watch::nothing) add(thread.counting, launch_, slots_);
  if (watches_read_only_path_) of_thread.add(read_only_paths_.emplace_back(*launch_.program));
  add(thread.faults, launch_, *naming_, thread.log);
}

void ReportObservation::end() {
  const LaunchContext& launch = launch_;
  LaunchReport& report = report_;
  report.kernel = launch.kernel;
  report.grid = {launch.grid.x, launch.grid.y, launch.grid.z};
  report.block = {launch.block.x, launch.block.y, launch.block.z};
  report.shared_bytes = launch.asked_shared_bytes;
  std::vector<Counters> by_pc(launch.reach.size());
  std::vector<const FindingLog*> logs;
  for (const ThreadObservers& thread : threads_) {
    if (thread.counting) thread.counting->add_to(by_pc, report.divergent_branches_by_interval);
    logs.push_back(&thread.log);
  }
  report_read_only_path(*naming_, read_only_paths_, log_at_end_);
  logs.push_back(&log_at_end_);
  add_counters(launch, by_pc, report);
  report.findings = merge_findings(*launch.program, logs);
  if (options_.watch != Watch::everything) forget_what_is_written(*launch.memory);
}

LaunchReport ReportObservation::take_report(const run::LaunchOutcome& outcome) {
  report_.completed = outcome.status == LaunchStatus::ok || outcome.status == LaunchStatus::sync_fault;
  report_.seconds = outcome.seconds;
  return std::move(report_);
}

}  // namespace

struct Gpu::State {
  GpuOptions options;
  GlobalMemory memory;
  LaunchStatus last_status = LaunchStatus::ok;
  std::uint64_t last_instructions = 0;
};

namespace {

/// Whoever wrote the line has a .cu file, and knows nothing of the text that was made of it.
[[noreturn]] void throw_at_source(const ptx::Error& error, std::string_view text) {
  const ptx::TextOrigin origin = ptx::origin_of(text, error.line());
  if (error.line() == 0 || origin.source.line == 0) throw error;
  throw ptx::Error(host::short_path(origin.source.file), origin.source.line,
                   (origin.is_inline_asm ? "asm: " : "") + error.message() + " (line " +
                       std::to_string(error.line()) + " of " + host::short_path(error.file()) + ": `" +
                       std::string(origin.text) + "`)",
                   origin.is_inline_asm);
}

}  // namespace

Gpu::Gpu(GpuOptions options) : state_(std::make_unique<State>()) { state_->options = std::move(options); }
Gpu::~Gpu() = default;

GpuOptions& Gpu::options() { return state_->options; }
GlobalMemory& Gpu::memory() { return state_->memory; }

std::shared_ptr<Program> Gpu::load(std::string_view ptx_text, std::string name) {
  try {
    return std::make_shared<Program>(ptx::read_module(ptx_text, std::move(name)), state_->memory);
  } catch (const ptx::Error& error) {
    throw_at_source(error, ptx_text);
  }
}

std::shared_ptr<Program> Gpu::load_file(const std::string& path) {
  try {
    return std::make_shared<Program>(ptx::read_module_file(path), state_->memory);
  } catch (const ptx::Error& error) {
    throw_at_source(error, host::read_file(path).value_or(""));
  }
}

LaunchReport Gpu::launch(const Program& program, const LaunchRequest& request) {
  ReportObservation observation(state_->options);
  std::vector<Observation*> observations{&observation};
  observations.insert(observations.end(), state_->options.observations.begin(),
                      state_->options.observations.end());
  LaunchOptions options = state_->options.launch;
  TraceRecorder* const recorder = state_->options.recorder;
  if (recorder != nullptr) {
    observations.push_back(recorder);
    if (recorder->wants_next()) options.threads = 1;
  }
  const run::LaunchOutcome outcome = run::launch(program, state_->memory, request, options, observations);
  state_->last_status = outcome.status;
  state_->last_instructions = outcome.warp_instructions;
  LaunchReport report = observation.take_report(outcome);
  if (recorder != nullptr) recorder->complete(report, options.schedule);
  return report;
}

LaunchStatus Gpu::last_status() const { return state_->last_status; }
std::uint64_t Gpu::last_instructions() const { return state_->last_instructions; }

}  // namespace warpwise::simulator
