#include "settings.hpp"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

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

}  // namespace

Settings Settings::from_environment() {
  Settings settings;
  if (const std::string_view schedule = variable("WARPWISE_SCHEDULE"); !schedule.empty())
    settings.schedule = simulator::Schedule::parse(schedule);
  settings.threads = number_in<std::uint32_t>("WARPWISE_THREADS");
  settings.budget = number_in<std::uint64_t>("WARPWISE_BUDGET");
  settings.is_strict = !variable("WARPWISE_STRICT").empty();
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

}  // namespace warpwise::runtime
