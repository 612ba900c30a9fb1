#include <charconv>
#include <stdexcept>

#include "../launch.hpp"

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
                              "' is not known: it is converged, lockstep or split:SEED");
}

std::string Schedule::spelled() const {
  switch (kind) {
    case Kind::converged:
      return "converged";
    case Kind::lockstep:
      return "lockstep";
    case Kind::split:
      break;
  }
  return "split:" + std::to_string(seed);
}

}  // namespace warpwise::simulator
