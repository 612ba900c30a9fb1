#include "../gpu.hpp"

#include "../host/host.hpp"
#include "../program.hpp"
#include "../ptx/text_origin.hpp"
#include "observation.hpp"

namespace warpwise::simulator {

using namespace observe;

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
  LaunchObservation observation(state_->options.watch, state_->options.race_memory,
                                state_->options.on_finding);
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
