#pragma once
/// \file A program of the corpus: what must be found in it (common/testing/annotated_program.hpp), and how
/// its kernels are launched, as its own last line says:
///
///     const LaunchingProgram program("NAME", {{kernel, "grid=4 block=128 args=..."}});
///
/// Launches run one after the other; corpus/launch_text.hpp has the words.

#include <cstdint>
#include <string>
#include <vector>

#include "../gpu.hpp"
#include "common/testing/annotated_program.hpp"
#include "corpus/launch_text.hpp"

namespace warpwise::simulator::tests {

struct ProgramLaunch : corpus::LaunchText {
  std::string kernel;  ///< as the source writes it, in the program's namespace: `name`, `name<128>`
};

struct CorpusProgram : testing::AnnotatedProgram {
  std::vector<ProgramLaunch> launches;
};

/// The programs of a file. Throws std::runtime_error with path and line where a header is not as above, or
/// incomplete.
std::vector<CorpusProgram> read_corpus_file(const std::string& path);

struct CorpusResult {
  std::vector<Finding> findings;
  bool completed = true;
  double seconds = 0;  ///< of the host, all launches
};

/// Loads `ptx_path`, the module of the program's file, and does the launches of `program`. A refused launch
/// becomes a finding of kind launch, line 0. Throws ptx::Error where the module cannot be read.
CorpusResult run_corpus_program(const CorpusProgram& program, const std::string& ptx_path,
                                const GpuOptions& options);

}  // namespace warpwise::simulator::tests
