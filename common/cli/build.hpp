#pragma once
/// \file Builds what a command needs, in silence where that is quick, else with progress.

#include <string>
#include <vector>

namespace warpwise::cli {

struct BuildResult {
  bool is_built = false;
  std::string messages;  ///< what the compiler said: errors, or warnings where it is built
};
/// Builds `targets` (setup/build.sh); waits where another ./warpwise builds here.
BuildResult build_targets(const std::vector<std::string>& targets);

/// The path of nvcc in the toolkit for which this build tree was configured.
const char* nvcc();
/// What it is told when it compiles kernels to PTX (cmake/HostCompiler.cmake), with `;` between the words.
const char* nvcc_kernel_options();
/// "compute_75": the virtual architecture where none is asked for.
const char* nvcc_architecture();
/// Its version: "13.0.88".
const char* toolkit_version();

}  // namespace warpwise::cli
