#include "gpu.hpp"

#include "observers/observation.hpp"

namespace warpwise::simulator {

struct Gpu::State {
  GpuOptions options;
  machine::GlobalMemory memory;
  machine::LaunchStatus last_status = machine::LaunchStatus::ok;
  std::uint64_t last_instructions = 0;
};

Gpu::Gpu(GpuOptions options) : state_(std::make_unique<State>()) { state_->options = std::move(options); }
Gpu::~Gpu() = default;

GpuOptions& Gpu::options() { return state_->options; }
machine::GlobalMemory& Gpu::memory() { return state_->memory; }

std::shared_ptr<machine::Program> Gpu::load(std::string_view ptx_text, std::string name) {
  return std::make_shared<machine::Program>(ptx::read_module(ptx_text, std::move(name)), state_->memory);
}

std::shared_ptr<machine::Program> Gpu::load_file(const std::string& path) {
  return std::make_shared<machine::Program>(ptx::read_module_file(path), state_->memory);
}

LaunchReport Gpu::launch(const machine::Program& program, const machine::LaunchRequest& request) {
  LaunchObservation observation(state_->options.watch);
  std::vector<machine::Observation*> observations{&observation};
  observations.insert(observations.end(), state_->options.observations.begin(),
                      state_->options.observations.end());
  machine::LaunchOptions options = state_->options.launch;
  TraceRecorder* const recorder = state_->options.recorder;
  if (recorder != nullptr) {
    observations.push_back(recorder);
    if (recorder->wants_next()) options.threads = 1;
  }
  const machine::LaunchOutcome outcome =
      machine::launch(program, state_->memory, request, options, observations);
  state_->last_status = outcome.status;
  state_->last_instructions = outcome.warp_instructions;
  LaunchReport report = observation.take_report(outcome);
  if (recorder != nullptr) recorder->complete(report, options.schedule);
  return report;
}

machine::LaunchStatus Gpu::last_status() const { return state_->last_status; }
std::uint64_t Gpu::last_instructions() const { return state_->last_instructions; }

}  // namespace warpwise::simulator
