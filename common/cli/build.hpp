#pragma once
/// \file Builds what a command needs, in silence if that is quick, else with progress; and has a chapter's
/// program launch it.

#include <string>
#include <string_view>

#include "../report/report.hpp"
#include "clone.hpp"

namespace warpwise::cli {

struct BuildResult {
  bool is_built = false;
  std::string messages;  ///< what the compiler said: errors, or warnings where it is built
};
/// Builds `targets` (setup/build.sh); waits where another ./warpwise builds here.
BuildResult build_targets(const Words& targets);
/// Throws Failure with what the compiler said.
void build_or_fail(const Words& targets);
/// The chapter's program and the subject's module. Throws Failure, which says what does not compile.
void build_or_fail(const ChapterFolder& chapter, const Subject& subject);

/// The same, where the compiler's words matter: warnings about the source are kept, and so come with every
/// build, though only the first after an edit compiles.
BuildResult build_module(const ChapterFolder& chapter, const Subject& subject);

/// The warnings about `file` in what nvcc said, each with its line of code and a blank line; those about
/// other files are left out.
std::string warnings_about(std::string_view messages, std::string_view file);
/// Without the warnings about what a skeleton declares and does not use yet: of `messages`, as
/// warnings_about() gives them, those of that kind in a function of `source` that has a TODO.
std::string without_unfinished(std::string_view messages, const text::Source& source);

/// What the chapter's program, which is built, says of its kernels and their checks. Throws Failure.
report::Report declared_by(const ChapterFolder& chapter);

/// What is launched without checks; 0: as the chapter chooses.
struct LaunchChoice {
  std::string kernel;
  unsigned long long n = 0;
  unsigned block = 0;
};
/// With one host thread, so that it counts the same every time: with several, how often a block polls is
/// chance.
Words launch_command(const ChapterFolder& chapter, const Subject& subject, const LaunchChoice& choice);
/// Runs `command`, which takes `--report FILE`, and reads that. Throws Failure, "OTHERWISE: why", where it
/// writes none.
report::Report report_of(Words command, const std::string& otherwise);

/// The path of nvcc in the toolkit for which this build tree was configured.
const char* nvcc();
/// The options with which it compiles kernels to PTX (cmake/HostCompiler.cmake), with `;` between the words.
const char* nvcc_kernel_options();
/// "compute_75": the virtual architecture if none is asked for.
const char* nvcc_architecture();
/// Its version: "13.0.88".
const char* toolkit_version();

}  // namespace warpwise::cli
