#pragma once
/// \file The comment header of a program of the corpus: what must be found in it, and how to launch it.
///
///     // finding: race at 14 or 12        a defect that must be found, on one of these lines
///     // finding: deadlock|timeout at 9   ... of one of these kinds
///     // finding: launch                  the launch itself must be refused: no line
///     // finding: none                    a right program: it completes and nothing is found
///     // also: uninitialised at 14        may be found as well: a consequence, or a matter of the schedule
///     // why: one sentence
///     // arch: compute_80                 where compute_75 has no such instructions
///     // launch: kernel=NAME grid=4 block=16x16 shared=1024 cooperative=yes args=in:f32[9]:random,in,n:u32:9
///
/// Launches run one after the other. An argument is a new buffer `name:type[count]:content` (contents:
/// random, iota, zero, poison, null, freed), a scalar `name:type:value`, or the name of an earlier buffer.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../gpu.hpp"

namespace warpwise::simulator::tests {

/// A set of findings that counts as one: any of the kinds, on any of the lines (no lines: anywhere).
struct ExpectedFinding {
  std::vector<std::string> kinds;
  std::vector<std::uint32_t> lines;
  std::string text;  ///< as written
  bool covers(const Finding& finding) const;
};

struct ProgramLaunch {
  std::string kernel;  ///< as the source writes it: `name`, `name<128>`
  machine::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  bool is_cooperative = false;
  std::vector<std::string> arguments;
};

struct CorpusProgram {
  std::string path;
  std::string why;
  std::vector<ExpectedFinding> required;   ///< empty for a right program
  std::vector<ExpectedFinding> permitted;  ///< `also`
  std::vector<ProgramLaunch> launches;
};

/// Throws std::runtime_error with path and line where the header is not as above, or incomplete.
CorpusProgram read_corpus_program(const std::string& path);

struct CorpusResult {
  std::vector<Finding> findings;
  bool completed = true;
  double seconds = 0;  ///< of the host, all launches
};

/// Loads `ptx_path` and does the launches of `program`. A refused launch becomes a finding of kind launch,
/// line 0. Throws ptx::Error where the module cannot be read.
CorpusResult run_corpus_program(const CorpusProgram& program, const std::string& ptx_path,
                                const GpuOptions& options);

}  // namespace warpwise::simulator::tests
