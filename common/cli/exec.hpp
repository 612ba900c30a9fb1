#pragma once
/// \file `./warpwise exec`: what its command line asks for.

#include <string>
#include <vector>

#include "../print/show.hpp"

namespace warpwise::cli {

struct ExecRequest {
  std::vector<std::string> inputs;        ///< sources, objects, libraries; or one program, linked already
  std::vector<std::string> nvcc_options;  ///< as given, but for those that choose device code or the runtime
  std::vector<std::string> arguments;     ///< of the program
  std::string report, trace, schedule, threads, budget;
  bool is_strict = false;
  bool is_quiet = false;
  bool is_shown = false;  ///< its launches are drawn: as a page, or one of the next two
  bool is_text = false;   ///< for the terminal
  std::string view;       ///< one picture of the first launch, as SVG; one of print::view_names()
  std::string output;     ///< file of the page or picture; empty: below the build folder
  print::Moment moment;   ///< that is drawn
  std::string command;  ///< "exec prog.cu --svg lanes", without --output: a picture says what draws it again
};

/// Reads `FILE... [nvcc options] [--report FILE] [...] [-- ARGS]`. Throws Failure (wrong usage) for what
/// cannot be done.
ExecRequest read_exec_request(const std::vector<std::string>& words);

}  // namespace warpwise::cli
