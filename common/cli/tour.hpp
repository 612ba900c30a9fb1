#pragma once
/// \file tour: every chapter's kernels at work. It can be built without the other commands.

#include <string>

#include "failure.hpp"
#include "ladder.hpp"

namespace warpwise::cli {

struct TourOptions {
  std::string device = "auto";  ///< sim, gpu or auto
  unsigned long long n = 0;     ///< elements; 0: each kernel's own choice
  std::string report;           ///< JSON file to write; empty: none
  Counters counters = Counters::none;
};
/// Runs every chapter's solution and prints the ladder.
int tour(const TourOptions& options);

}  // namespace warpwise::cli
