#pragma once
/// \file `./warpwise exec`: what its command line asks for.

#include <string>
#include <vector>

#include "show.hpp"

namespace warpwise::cli {

struct ExecRequest {
  std::vector<std::string> inputs;        ///< sources, objects, libraries; or one program, linked already
  std::vector<std::string> nvcc_options;  ///< as given, but for those that choose device code or the runtime
  std::vector<std::string> arguments;     ///< of the program
  std::string report, sarif, junit, trace, schedule, threads, budget;
  bool is_strict = false;
  bool is_quiet = false;
  bool is_shown = false;  ///< its launches are drawn
  Drawing drawing;        ///< how; its command: "exec prog.cu --svg lanes"
};

/// Reads `FILE... [nvcc options] [--report FILE] [...] [-- ARGS]`. Throws Failure (wrong usage) for what
/// cannot be done.
ExecRequest read_exec_request(const std::vector<std::string>& words);

}  // namespace warpwise::cli
