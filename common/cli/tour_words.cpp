// The options of `tour`: apart from tour.cpp, so that a fresh clone need not build what reads it.

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "tour.hpp"

namespace warpwise::cli {
namespace {

void add_arguments(CLI::App& command, TourOptions& options) {
  add_device_options(command, options.device, options.n, options.report);
  command.add_flag(
      "--counters", [&options](std::int64_t) { options.counters = print::LadderCounters::all; },
      "all counters: they give away what the lessons ask you to predict");
}

const RegisterCommand tour_command("tour", with_options<TourOptions>(add_arguments, tour));

}  // namespace
}  // namespace warpwise::cli
