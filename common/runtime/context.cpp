#include "context.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <stdexcept>

#include "device_code.hpp"

namespace warpwise::runtime {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

template <class Number>
Number number_in(const char* name) {
  const std::string_view text = variable(name);
  Number value = 0;
  if (text.empty()) return value;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0)
    throw std::invalid_argument(std::string(name) + " is '" + std::string(text) +
                                "', which is not a positive number.");
  return value;
}

/// Found in the program's bytes by `warpwise exec` (device_code.hpp).
[[gnu::used]] constexpr char runtime_mark[] = "warpwise runtime 1";

Settings read_settings() {
  try {
    return Settings::from_environment();
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

simulator::GpuOptions options_of(const Settings& settings) {
  simulator::GpuOptions options;
  options.launch = settings.launch_options();
  return options;
}

/// The program has ended: its own status, unless there is more to say.
void on_program_end(int status, void*) {
  Context& context = Context::get();
  context.note_lost_print();
  context.report.print_repetitions();
  context.report.end_trace();
  const int better = context.report.final_status(status);
  if (better == status) return;
  std::cout.flush();
  std::fflush(nullptr);
  _exit(better);
}

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  if (const std::string_view schedule = variable("WARPWISE_SCHEDULE"); !schedule.empty())
    settings.schedule = simulator::Schedule::parse(schedule);
  settings.threads = number_in<std::uint32_t>("WARPWISE_THREADS");
  settings.budget = number_in<std::uint64_t>("WARPWISE_BUDGET");
  settings.is_strict = !variable("WARPWISE_STRICT").empty();
  settings.says_progress = variable("WARPWISE_PROGRESS") != "no";
  settings.is_quiet = !variable("WARPWISE_QUIET").empty();
  settings.report_file = variable("WARPWISE_REPORT");
  settings.trace_file = variable("WARPWISE_TRACE");
  return settings;
}

simulator::LaunchOptions Settings::launch_options() const {
  constexpr double ten_minutes = 600;
  simulator::LaunchOptions options;
  options.schedule = schedule;
  options.threads = threads;
  options.budget = budget != 0 ? budget : std::numeric_limits<std::uint64_t>::max();
  options.most_idle_seconds = budget != 0 ? 0 : ten_minutes;
  options.are_absent_lanes_zero = !is_strict;
  return options;
}

Context& Context::get() {
  static Context& context = *new Context;
  return context;
}

Context::Context()
    : settings(read_settings()),
      gpu(options_of(settings)),
      modules(gpu),
      allocations(gpu.memory()),
      report(settings) {
  gpu.options().recorder = report.recorder();
  gpu.options().launch.print = [this](std::string_view text) { print(text); };
  on_exit(on_program_end, nullptr);  // registered before everything of the program: runs last
}

void Context::flush_print() {
  std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
}

void Context::note_lost_print() {
  if (printed_.empty()) return;
  report.note(
      "what the device printed is lost, as on a GPU: the program ended without waiting for the device "
      "(cudaDeviceSynchronize).");
  printed_.clear();
}

cudaError_t Context::report_fault() {
  if (fault != cudaSuccess && !is_fault_known) {
    is_fault_known = true;
    report.told_program_of_fault();
  }
  return fault;
}

void Context::reset() {
  flush_print();
  allocations.release_all();
  modules.forget_programs();
  fault = cudaSuccess;
  is_fault_known = false;
}

}  // namespace warpwise::runtime
