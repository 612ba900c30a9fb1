#include "progress.hpp"

#include <cmath>

namespace warpwise::runtime {

namespace {

/// To the second below two minutes, to the minute below two hours.
std::string duration(double seconds) {
  if (seconds < 120) return std::to_string(static_cast<long>(std::ceil(seconds))) + " s";
  if (seconds < 7200) return std::to_string(static_cast<long>(std::round(seconds / 60))) + " minutes";
  return std::to_string(static_cast<long>(std::round(seconds / 3600))) + " hours";
}

}  // namespace

std::string progress_sentence(const std::string& kernel, const simulator::LaunchProgress& progress) {
  const std::string blocks = std::to_string(progress.blocks);
  std::string text = kernel + " has run for " + duration(progress.seconds) + ": ";
  if (progress.blocks_ended == 0) {
    text += progress.blocks == 1 ? "its block has not ended yet"
                                 : "none of its " + blocks + " blocks has ended yet";
  } else {
    const double ended = static_cast<double>(progress.blocks_ended);
    const double left = progress.seconds * (static_cast<double>(progress.blocks) - ended) / ended;
    text += std::to_string(progress.blocks_ended) + " of its " + blocks + " blocks have ended, about " +
            duration(left) + " are left";
  }
  return text + " (" + std::to_string(progress.warp_instructions) +
         " warp instructions; --budget N ends a launch after N)";
}

}  // namespace warpwise::runtime
