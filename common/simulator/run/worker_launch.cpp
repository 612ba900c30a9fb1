#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <memory>

#include "../host/host.hpp"
#include "worker.hpp"

namespace warpwise::simulator::run {

namespace {

/// Blocks that may be under way at once where nobody asks for all of them: enough for grids that are sized
/// from the number of multiprocessors and wait for each other without saying so.
constexpr std::uint64_t usual_residency = 512;

std::string spelled(const Dim3& size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

const Program::KernelInfo& kernel_of(const Program& program, const std::string& name) {
  if (const Program::KernelInfo* kernel = program.find_kernel(name)) return *kernel;
  std::string message = "there is no kernel '" + name + "' in " + program.module().name + "; it has";
  const std::vector<std::string> names = program.kernel_names();
  if (names.empty()) message += " none";
  for (std::size_t i = 0; i < names.size(); ++i) message += (i == 0 ? " " : ", ") + names[i];
  throw LaunchError(LaunchError::Reason::no_such_kernel, message);
}

/// CUDA programming guide, "Technical specifications per compute capability".
void check_grid(const Dim3& grid) {
  if (grid.volume() == 0)
    throw LaunchError(LaunchError::Reason::bad_grid, "a grid of " + spelled(grid) + " blocks is empty");
  if (grid.x > 2147483647u || grid.y > 65535 || grid.z > 65535)
    throw LaunchError(
        LaunchError::Reason::bad_grid,
        "a grid of " + spelled(grid) + " blocks is too large: 2147483647 x 65535 x 65535 at most");
}

void check_only_blocks(const LaunchOptions& options, const Dim3& grid) {
  for (const std::uint64_t block : options.only_blocks)
    if (block >= grid.volume())
      throw LaunchError(LaunchError::Reason::bad_grid, "a grid of " + spelled(grid) +
                                                           " blocks has no block " + std::to_string(block) +
                                                           " that could run alone");
}

void check_block(const Dim3& block, const ptx::Function& kernel) {
  const auto refuse = [&](const std::string& why) {
    throw LaunchError(LaunchError::Reason::bad_block, "a block of " + spelled(block) + " threads " + why);
  };
  const std::uint64_t threads = block.volume();
  if (threads == 0) refuse("is empty");
  if (block.x > max_block_threads || block.y > max_block_threads || block.z > 64 ||
      threads > max_block_threads)
    refuse("is too large: " + std::to_string(max_block_threads) + " threads at most, 64 in z");
  if (kernel.max_threads && threads > *kernel.max_threads)
    refuse("is too large for " + kernel.name + ", which was compiled for at most " +
           std::to_string(*kernel.max_threads));
  if (kernel.required_threads && threads != *kernel.required_threads)
    refuse("does not suit " + kernel.name + ", which requires " + std::to_string(*kernel.required_threads));
}

/// PTX ISA 11.7: `.maxclusterrank` only bounds what a launch may ask for, clusters of one block are none.
void check_clusters(const ptx::Function& kernel) {
  if (kernel.cluster_blocks != 1)
    throw LaunchError(LaunchError::Reason::clusters,
                      kernel.name + " was compiled for clusters of " + std::to_string(kernel.cluster_blocks) +
                          " blocks (__cluster_dims__); clusters of the simulated GPU have one block");
}

std::uint32_t shared_bytes_of(const Program::KernelInfo& kernel, std::uint32_t dynamic_bytes) {
  const std::uint64_t static_bytes = kernel.static_shared_bytes;
  const std::uint64_t total =
      dynamic_bytes == 0 ? static_bytes : (static_bytes + 15) / 16 * 16 + dynamic_bytes;
  if (total > max_shared_bytes)
    throw LaunchError(LaunchError::Reason::too_much_shared_memory,
                      "a block of " + kernel.function->name + " needs " + std::to_string(total) +
                          " bytes of shared memory; there are " + std::to_string(max_shared_bytes));
  return static_cast<std::uint32_t>(total);
}

/// Lays out the shared memory of a block, `asked` bytes and the gaps between them.
void place_shared_memory(LaunchState& state, const Program::KernelInfo& kernel, std::uint32_t asked) {
  LaunchContext& context = state.context;
  context.asked_shared_bytes = asked;
  state.dynamic_shared_start = kernel.dynamic_shared_start;
  for (const Program::SharedVariable& variable : kernel.shared_variables)
    if (variable.bytes != 0)
      state.shared_parts.push_back({variable.offset, std::uint64_t{variable.offset} + variable.bytes});
  std::uint64_t dynamic = state.request.dynamic_shared_bytes;
  if (kernel.uses_reserved_shared) {
    const std::uint64_t users = kernel.dynamic_shared_start + dynamic;
    const std::uint64_t all = (users + 15) / 16 * 16 + reserved_shared_bytes;
    context.reserved_shared_bytes = static_cast<std::uint32_t>(all - users);
    dynamic += context.reserved_shared_bytes;
  }
  if (dynamic != 0)
    state.shared_parts.push_back({kernel.dynamic_shared_start, kernel.dynamic_shared_start + dynamic});
  if (state.shared_parts.empty()) return;
  context.shared_bytes = static_cast<std::uint32_t>(state.shared_parts.back().end);
  state.has_shared_gaps = state.shared_parts.size() > 1;
}

std::vector<std::byte> pack_arguments(const Program::KernelInfo& kernel,
                                      std::span<const void* const> arguments,
                                      std::span<const std::size_t> bytes) {
  const ptx::Function& function = *kernel.function;
  if (arguments.size() != function.formals)
    throw LaunchError(LaunchError::Reason::bad_arguments,
                      function.name + " takes " + std::to_string(function.formals) + " arguments, not " +
                          std::to_string(arguments.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != function.parameters[i].bytes)
      throw LaunchError(LaunchError::Reason::bad_arguments,
                        function.name + " takes " + std::to_string(function.parameters[i].bytes) +
                            " bytes as parameter " + std::to_string(i + 1) + ", and is given " +
                            std::to_string(bytes[i]));
  std::vector<std::byte> packed(kernel.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    std::memcpy(packed.data() + function.parameters[i].offset, arguments[i], function.parameters[i].bytes);
  return packed;
}

/// Runs the workers, the first on the calling thread. An exception in one of them stops all and goes on here.
void run_workers(LaunchState& state, std::vector<std::unique_ptr<Worker>>& workers) {
  std::exception_ptr failure;
  const auto work = [&](Worker& worker) {
    try {
      worker.run();
    } catch (...) {
      state.must_stop = true;
      const std::lock_guard lock(state.mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  host::run_threads(workers.size(), [&](std::size_t i) { work(*workers[i]); });
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

LaunchOutcome launch(const Program& program, GlobalMemory& memory, const LaunchRequest& request,
                     const LaunchOptions& options, std::span<Observation* const> observations) {
  const Program::KernelInfo& kernel = kernel_of(program, request.kernel);
  check_grid(request.grid);
  check_only_blocks(options, request.grid);
  check_block(request.block, *kernel.function);
  check_clusters(*kernel.function);
  const double start = host::seconds();
  LaunchState state{program, program.decoded(), memory, request, options};
  state.context = {&program, &memory, request.kernel, request.grid, request.block};
  place_shared_memory(state, kernel, shared_bytes_of(kernel, request.dynamic_shared_bytes));
  state.context.reach = kernel.reach;
  state.kernel = state.code.owners[kernel.entry];
  state.parameters = pack_arguments(kernel, request.arguments, request.argument_bytes);
  state.context.parameters = state.parameters;

  std::uint64_t thread_count = options.threads != 0 ? options.threads : host::core_count();
  thread_count = std::clamp<std::uint64_t>(thread_count, 1, std::min<std::uint64_t>(state.blocks, 256));
  if (options.resident_blocks != 0)
    thread_count = std::min<std::uint64_t>(thread_count, options.resident_blocks);
  const std::uint64_t most_resident =
      options.resident_blocks != 0 ? options.resident_blocks : std::max(usual_residency, thread_count);
  const std::uint64_t residency =
      options.is_cooperative ? state.blocks : std::min(state.blocks, most_resident);
  for (std::uint64_t slot = residency; slot-- > 0;)
    state.free_slots.push_back(static_cast<std::uint32_t>(slot));

  if (options.is_cooperative) {
    Allocation& workspace = memory.allocate(8, "grid_workspace", 4);
    std::memset(reinterpret_cast<void*>(workspace.base), 0, workspace.bytes);
    workspace.mark_written(0, workspace.bytes);
    state.grid_workspace = workspace.base;
    state.released.push_back(workspace.base);
  }
  for (Observation* each : observations) each->begin(state.context, static_cast<std::uint32_t>(residency));
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::uint64_t i = 0; i < thread_count; ++i) {
    workers.push_back(std::make_unique<Worker>(state));
    for (Observation* each : observations) each->add_observers(workers.back()->observers);
  }
  run_workers(state, workers);
  for (Observation* each : observations) each->end();
  for (std::uint64_t address : state.released) memory.release(address);

  return {state.status, state.instructions, host::seconds() - start};
}

}  // namespace warpwise::simulator::run

namespace warpwise::simulator {

Schedule Schedule::parse(std::string_view text) {
  if (text == "converged") return {Kind::converged, 0};
  if (text == "lockstep") return {Kind::lockstep, 0};
  if (text.starts_with("split:")) {
    Schedule schedule{Kind::split, 0};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + 6, end, schedule.seed);
    if (error == std::errc{} && stop == end) return schedule;
  }
  throw std::invalid_argument("schedule '" + std::string(text) +
                              "' is not known: choose converged, lockstep or split:SEED");
}

std::string Schedule::spelled() const {
  if (kind == Kind::split) return "split:" + std::to_string(seed);
  return kind == Kind::lockstep ? "lockstep" : "converged";
}

}  // namespace warpwise::simulator
