#pragma once
/// \file tour: every chapter's kernels at work. It can be built without the other commands.

#include <string>

#include "../print/ladder.hpp"
#include "commands.hpp"

namespace warpwise::cli {

struct TourOptions {
  std::string device = "auto";  ///< sim, gpu or auto
  unsigned long long n = 0;     ///< elements; 0: each kernel's own choice
  std::string report;           ///< JSON file to write; empty: none
  print::LadderCounters counters = print::LadderCounters::none;
};
/// Runs every chapter's solution and prints the ladder.
int tour(const TourOptions& options);

}  // namespace warpwise::cli
