#include "launching.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <stdexcept>

#include "../simulator/gpu.hpp"

namespace warpwise::runtime {

using simulator::Finding;
using simulator::FindingKind;
using simulator::LaunchReport;

namespace {

cudaError_t error_of(simulator::LaunchError::Reason reason) {
  switch (reason) {
    case simulator::LaunchError::Reason::no_such_kernel:
      return cudaErrorInvalidDeviceFunction;
    case simulator::LaunchError::Reason::bad_grid:
    case simulator::LaunchError::Reason::bad_block:
      return cudaErrorInvalidConfiguration;
    case simulator::LaunchError::Reason::clusters:
      return cudaErrorInvalidClusterSize;
    case simulator::LaunchError::Reason::too_much_shared_memory:
    case simulator::LaunchError::Reason::bad_arguments:
      return cudaErrorInvalidValue;
  }
  return cudaErrorUnknown;
}

/// What hardware would have said of a kernel that ended like this. It has no word for races and for wrong
/// masks, with which the kernel goes on; a barrier that part of the block never reaches may hang it.
cudaError_t error_of(const LaunchReport& report, simulator::LaunchStatus status) {
  const auto has = [&](FindingKind kind) {
    return std::any_of(report.findings.begin(), report.findings.end(),
                       [&](const Finding& finding) { return finding.kind == kind; });
  };
  switch (status) {
    case simulator::LaunchStatus::assertion_failed:
      return cudaErrorAssert;
    case simulator::LaunchStatus::trapped:
    case simulator::LaunchStatus::unsupported:
      return cudaErrorLaunchFailure;
    case simulator::LaunchStatus::budget_spent:
    case simulator::LaunchStatus::deadlock:
    case simulator::LaunchStatus::interrupted:
      return cudaErrorLaunchTimeout;
    case simulator::LaunchStatus::sync_fault:
    case simulator::LaunchStatus::memory_fault:
    case simulator::LaunchStatus::ok:
      break;
  }
  if (has(FindingKind::misaligned)) return cudaErrorMisalignedAddress;
  if (has(FindingKind::out_of_bounds)) return cudaErrorIllegalAddress;
  return status == simulator::LaunchStatus::memory_fault ? cudaErrorHardwareStackError : cudaSuccess;
}

/// A launch that never started, as a report of its own.
cudaError_t refuse_launch(Context& context, LaunchReport report, cudaError_t error, const std::string& why,
                          const std::string& help = {}) {
  Finding finding;
  finding.kind = FindingKind::launch;
  finding.message = report.kernel + " is not started: " + why;
  finding.help = help;
  finding.count = 1;
  report.findings.push_back(std::move(finding));
  report.completed = false;
  context.report.add(report);
  context.report.told_program_of_fault();
  return error;
}

/// What ended the launch is the user's to change.
void name_budget(LaunchReport& report) {
  for (Finding& finding : report.findings)
    if (finding.kind == FindingKind::timeout)
      finding.help +=
          "; if it only takes long, --budget N (WARPWISE_BUDGET=N) lets a launch spend N warp "
          "instructions";
}

constexpr int watched[] = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> has_come{false};
volatile std::sig_atomic_t which = 0;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

extern "C" void interrupt(int signal) {
  which = signal;
  has_come = true;
}

/// Gives those that are handled by `from` to `to`.
void hand_over(void (*from)(int), void (*to)(int)) {
  for (const int signal : watched) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || (action.sa_flags & SA_SIGINFO) != 0 ||
        action.sa_handler != from)
      continue;
    action = {};
    action.sa_handler = to;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
  }
}

/// While it lives, SIGINT, SIGTERM and SIGHUP end the launch in progress, so that what it has found is
/// reported. When it goes, the signal that came takes its course and ends the program. Signals that the
/// program handles itself, or ignores, stay as they are. There is one at a time.
class Interruptible {
 public:
  Interruptible() {
    has_come = false;
    hand_over(SIG_DFL, interrupt);
  }
  ~Interruptible() {
    hand_over(interrupt, SIG_DFL);
    if (has_come) raise(which);
  }
  Interruptible(const Interruptible&) = delete;  ///< two would restore different handlers
  Interruptible& operator=(const Interruptible&) = delete;
  const std::atomic<bool>& is_interrupted() const { return has_come; }
};

/// Runs the kernel, reports, and keeps what the program is to be told of it.
void run(Context& context, const Kernel& kernel, const simulator::LaunchRequest& request) {
  const Interruptible interruptible;
  simulator::LaunchOptions& options = context.gpu.options().launch;
  options.interruption = &interruptible.is_interrupted();
  options.on_progress = [&](const simulator::LaunchProgress& progress) {
    context.report.tell_at_once();
    context.report.note_progress(kernel.source_name, progress);
  };
  context.gpu.options().on_finding = [&](const Finding& finding) { context.report.note_finding(finding); };
  LaunchReport report = context.gpu.launch(*kernel.module->program, request);
  report.kernel = kernel.source_name;
  if (context.gpu.last_status() == simulator::LaunchStatus::budget_spent) name_budget(report);
  context.report.add(report);
  context.fault = error_of(report, context.gpu.last_status());
}

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

}  // namespace

int resident_blocks(Context& context, const Kernel& kernel, int block_threads, std::size_t dynamic_bytes) {
  const auto* info = context.modules.info_of(kernel);
  if (info == nullptr || block_threads <= 0 || block_threads > static_cast<int>(simulator::max_block_threads))
    return 0;
  if (info->function->max_threads && block_threads > static_cast<int>(*info->function->max_threads)) return 0;
  const int warps = (block_threads + 31) / 32;
  int blocks = std::min(multiprocessor_blocks, multiprocessor_threads / 32 / warps);
  const std::uint64_t shared = info->static_shared_bytes + dynamic_bytes;
  if (shared > simulator::max_shared_bytes) return 0;
  // Shared memory is given out in pieces of 128 bytes.
  const std::uint64_t taken = (shared + reserved_shared_bytes + 127) / 128 * 128;
  return std::min<int>(blocks, static_cast<int>(multiprocessor_shared_bytes / taken));
}

cudaError_t launch(Context& context, const LaunchCall& call) {
  const Kernel* kernel = context.modules.find_kernel(call.function);
  if (kernel == nullptr) return no_such_kernel;
  if (context.fault != cudaSuccess)  // the device is lost; until that is reported, the program cannot know
    return context.is_fault_known ? context.fault : cudaSuccess;
  const auto* info = context.modules.info_of(*kernel);
  if (info == nullptr) return cudaErrorInvalidDeviceFunction;

  // Often a program that has nothing to do, and never asks for the error: no defect of the kernel's.
  if (call.grid.x == 0 || call.grid.y == 0 || call.grid.z == 0)
    return fail(context, (kernel->source_name + "<<<...>>>").c_str(), cudaErrorInvalidConfiguration,
                "a grid of " + std::to_string(call.grid.x) + " x " + std::to_string(call.grid.y) + " x " +
                    std::to_string(call.grid.z) + " blocks is empty, and nothing is launched");

  LaunchReport shape;
  shape.kernel = kernel->source_name;
  shape.grid = {call.grid.x, call.grid.y, call.grid.z};
  shape.block = {call.block.x, call.block.y, call.block.z};
  shape.shared_bytes = info->static_shared_bytes + static_cast<std::uint32_t>(call.shared_bytes);
  if (call.shared_bytes > static_cast<std::size_t>(kernel->max_dynamic_shared_bytes) ||
      (kernel->max_dynamic_shared_bytes == usual_shared_bytes &&
       info->static_shared_bytes + call.shared_bytes > usual_shared_bytes))
    return refuse_launch(context, shape, cudaErrorInvalidValue,
                         bytes_text(call.shared_bytes) + " of dynamic shared memory and " +
                             bytes_text(info->static_shared_bytes) + " of its own are more than the " +
                             bytes_text(static_cast<std::uint64_t>(kernel->max_dynamic_shared_bytes)) +
                             " allowed",
                         "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) "
                         "allows more, up to " +
                             bytes_text(simulator::max_shared_bytes));

  simulator::LaunchRequest request;
  request.kernel = kernel->name;
  request.grid = {call.grid.x, call.grid.y, call.grid.z};
  request.block = {call.block.x, call.block.y, call.block.z};
  request.dynamic_shared_bytes = static_cast<std::uint32_t>(call.shared_bytes);
  request.arguments = {call.arguments, info->function->formals};
  const std::uint64_t threads = request.block.volume();
  if (call.is_cooperative && threads != 0) {
    const auto most = static_cast<std::uint64_t>(multiprocessors) *
                      static_cast<std::uint64_t>(
                          resident_blocks(context, *kernel, static_cast<int>(threads), call.shared_bytes));
    if (request.grid.volume() > most)
      return refuse_launch(context, shape, cudaErrorCooperativeLaunchTooLarge,
                           "its " + std::to_string(request.grid.volume()) +
                               " blocks cannot all be resident; " + std::to_string(most) + " can");
  }
  context.gpu.options().launch.is_cooperative = call.is_cooperative;
  try {
    run(context, *kernel, request);
    return cudaSuccess;
  } catch (const simulator::LaunchError& error) {
    if (error.reason() == simulator::LaunchError::Reason::clusters) refuse(std::string(error.what()) + ".");
    return refuse_launch(context, shape, error_of(error.reason()), error.what());
  } catch (const std::logic_error& error) {  // the machine's own: the program must not catch it
    refuse(std::string(error.what()) + ".");
  }
}

}  // namespace warpwise::runtime
