// Gpu::launch: attaches the observers to a launch, and makes its report.
#include "../gpu.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "../host/host.hpp"
#include "../program.hpp"
#include "../ptx/parser.hpp"
#include "../run/worker.hpp"
#include "observers.hpp"

namespace warpwise::simulator {

using namespace observe;

namespace {

/// A row of observers.def.
struct PartRow {
  Watch least;
  std::unique_ptr<ReportPart> (*make)(const Watched&);
};
#define WARPWISE_OBSERVER(name, least) {Watch::least, observe::name},
constexpr PartRow part_rows[] = {
#include "observers.def"
};
#undef WARPWISE_OBSERVER

/// A copy of so much memory before each launch is not noticed.
constexpr std::uint64_t little_memory = std::uint64_t{1} << 19;
/// So much may be copied once a race was seen.
constexpr std::uint64_t most_memory_to_copy = std::uint64_t{1} << 30;

/// What a kernel allocates or frees itself, no second run finds as it was.
bool allocates(const Program& program) {
  const auto& functions = program.module().functions;
  return std::any_of(functions.begin(), functions.end(), [](const ptx::Function& function) {
    return function.is_declaration && (function.name == "malloc" || function.name == "free");
  });
}

/// The observers of one launch that make its report. Must not outlive the launch's program and memory.
class ReportObservation : public Observation {
 public:
  explicit ReportObservation(const GpuOptions& options) : options_(options) {}
  ReportObservation(const ReportObservation&) = delete;  ///< the machine holds a pointer to it
  ReportObservation& operator=(const ReportObservation&) = delete;

  void begin(const LaunchContext& launch, std::uint32_t slots) override;
  void add_observers(ObserverList& of_thread) override;
  void end() override;

  /// After the launch, once. Where there was a race, the launch runs once more: `before` is the memory from
  /// before it, or null.
  LaunchReport take_report(const run::LaunchOutcome& outcome, const LaunchRequest& request,
                           const LaunchOptions& options, const MemoryImage* before);

 private:
  const GpuOptions& options_;
  std::mutex mutex_;  ///< one thread at a time calls GpuOptions::on_finding
  LaunchContext launch_;
  std::optional<Naming> naming_;
  std::optional<Watched> watched_;
  std::deque<FindingLog> logs_;  ///< one a host thread, and one for what is found at the end
  std::vector<std::unique_ptr<ReportPart>> parts_;
  LaunchReport report_;
  std::vector<std::optional<RaceSeen>> races_;  ///< of each finding
};

/// Nobody recorded what the launch wrote: from now on all counts as written, what a device-side malloc() gave
/// as well. An allocation without bytes is not found, and needs nothing.
void forget_what_is_written(GlobalMemory& memory) {
  for (const Allocation* allocation : memory.all()) {
    if (allocation->written.empty()) continue;
    if (Allocation* found = memory.find(allocation->base)) found->written.clear();
  }
}

void ReportObservation::begin(const LaunchContext& launch, std::uint32_t slots) {
  launch_ = launch;
  naming_.emplace(launch_);
  watched_.emplace(Watched{launch_, slots, *naming_, options_.race_memory});
  for (const PartRow& row : part_rows) {
    if (options_.watch < row.least) continue;
    if (auto part = row.make(*watched_)) parts_.push_back(std::move(part));
  }
}

void ReportObservation::add_observers(ObserverList& of_thread) {
  FindingLog& log = logs_.emplace_back();
  if (options_.on_finding)
    log.on_first = [this](const FindingLog::Entry& entry) {
      const Finding finding = first_seen(*launch_.program, entry);
      const std::lock_guard lock(mutex_);
      options_.on_finding(finding);
    };
  for (const auto& part : parts_) part->add_observer(of_thread, log);
}

void ReportObservation::end() {
  report_.kernel = launch_.kernel;
  report_.grid = {launch_.grid.x, launch_.grid.y, launch_.grid.z};
  report_.block = {launch_.block.x, launch_.block.y, launch_.block.z};
  report_.shared_bytes = launch_.asked_shared_bytes;
  FindingLog& at_end = logs_.emplace_back();
  for (const auto& part : parts_) part->end(report_, at_end);
  for (MergedFinding& merged : merge_findings(*launch_.program, logs_)) {
    if (merged.is_note) {
      report_.notes.push_back(std::move(merged.finding));
      continue;
    }
    report_.findings.push_back(std::move(merged.finding));
    races_.push_back(merged.race);
  }
  if (options_.watch != Watch::everything) forget_what_is_written(*launch_.memory);
}

LaunchReport ReportObservation::take_report(const run::LaunchOutcome& outcome, const LaunchRequest& request,
                                            const LaunchOptions& options, const MemoryImage* before) {
  std::vector<RaceSeen> races;
  for (const auto& race : races_)
    if (race) races.push_back(*race);
  if (!races.empty() && launch_.memory->bytes_in_use() <= most_memory_to_copy &&
      !allocates(*launch_.program)) {
    LaunchOptions again = options;
    again.budget = std::min(options.budget, 2 * outcome.warp_instructions + 1'000'000);
    const std::vector<RaceOrder> orders =
        try_again(*launch_.program, *launch_.memory, request, again, before, races);
    for (std::size_t i = 0, next = 0; i < races_.size(); ++i) {
      if (!races_[i]) continue;
      const RaceOrder& order = orders[next++];
      Finding& finding = report_.findings[i];
      finding.help = help_for_race(*launch_.program, *naming_, *races_[i], &order);
      finding.note = note_on_fences(finding.note, order);
    }
  }
  report_.completed = outcome.status == LaunchStatus::ok || outcome.status == LaunchStatus::sync_fault;
  report_.seconds = outcome.seconds;
  return std::move(report_);
}

}  // namespace

struct Gpu::State {
  /// A launch and the memory that it met.
  struct MadeLaunch {
    MadeLaunch(const Program& its_program, const LaunchRequest& request, GlobalMemory& its_memory)
        : program(its_program), asked(request), memory(its_memory) {
      const Program::KernelInfo* const kernel = program.find_kernel(asked.kernel);
      for (std::size_t i = 0; kernel != nullptr && i < request.arguments.size(); ++i) {
        if (i >= kernel->function->formals) break;  // such a launch does not start
        const auto* const begin = static_cast<const std::byte*>(request.arguments[i]);
        values.emplace_back(begin, begin + kernel->function->parameters[i].bytes);
      }
      for (const auto& value : values) pointers.push_back(value.data());
      asked.arguments = pointers;
      asked.argument_bytes = {};
    }
    MadeLaunch(MadeLaunch&&) =
        default;  // `asked` points to what `pointers` and `values` own, which moves with it

    const Program& program;
    LaunchRequest asked;
    std::vector<std::vector<std::byte>> values;
    std::vector<const void*> pointers;
    MemoryImage memory;
  };

  GpuOptions options;
  GlobalMemory memory;
  LaunchStatus last_status = LaunchStatus::ok;
  std::uint64_t last_instructions = 0;
  std::optional<MadeLaunch> latest;  ///< where it can be made again
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
  state_->latest.reset();
  if (state_->options.watch != Watch::nothing && state_->memory.bytes_in_use() <= little_memory &&
      !allocates(program))
    state_->latest.emplace(program, request, state_->memory);
  const run::LaunchOutcome outcome = run::launch(program, state_->memory, request, options, observations);
  state_->last_status = outcome.status;
  state_->last_instructions = outcome.warp_instructions;
  const MemoryImage* const before = state_->latest ? &state_->latest->memory : nullptr;
  LaunchReport report = observation.take_report(outcome, request, options, before);
  if (recorder != nullptr) recorder->complete(report, options.schedule);
  return report;
}

bool Gpu::can_launch_again() const { return state_->latest.has_value(); }

void Gpu::launch_again(const std::function<void()>& change,
                       const std::function<void(const LaunchReport&)>& look) {
  const MemoryImage now(state_->memory);
  const LaunchStatus status = state_->last_status;
  const std::uint64_t instructions = state_->last_instructions;
  State::MadeLaunch made = std::move(*state_->latest);
  made.memory.restore();
  change();
  look(launch(made.program, made.asked));
  now.restore();
  state_->latest.emplace(std::move(made));
  state_->last_status = status;
  state_->last_instructions = instructions;
}

LaunchStatus Gpu::last_status() const { return state_->last_status; }
std::uint64_t Gpu::last_instructions() const { return state_->last_instructions; }

}  // namespace warpwise::simulator
