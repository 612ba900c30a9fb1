#pragma once
/// \file A program of the corpus: what must be found in it (common/testing/annotated_program.hpp), and how to
/// launch its kernels:
///
///     // launch: kernel=NAME grid=4 block=16x16 shared=1024 cooperative=yes args=in:f32[9]:random,in,n:u32:9
///
/// Launches run one after the other. An argument is a new buffer `name:type[count]:content` (contents:
/// random, iota, zero, poison, null, freed), a scalar `name:type:value`, or the name of an earlier buffer.

#include <cstdint>
#include <string>
#include <vector>

#include "../gpu.hpp"
#include "common/testing/annotated_program.hpp"

namespace warpwise::simulator::tests {

struct ProgramLaunch {
  std::string kernel;  ///< as the source writes it, in the program's namespace: `name`, `name<128>`
  machine::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<std::string> arguments;
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
