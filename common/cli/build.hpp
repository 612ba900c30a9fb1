#pragma once
/// \file Builds what a command needs, in silence if that is quick, else with progress; and has a chapter's
/// program launch it.

#include <functional>
#include <string>
#include <string_view>

#include "../report/report.hpp"
#include "clone.hpp"

namespace warpwise::cli {

struct BuildResult {
  bool is_built = false;
  std::string messages;  ///< what the compiler said: errors, or warnings where it is built
};
/// Builds `targets` (setup/build.sh), unless no source of the project has changed since; waits where another
/// ./warpwise builds here.
BuildResult build_targets(const Words& targets);
/// A source of the project has changed: the next build_targets() looks again.
void forget_builds();
/// Throws Failure with what the compiler said.
void build_or_fail(const Words& targets);
/// The chapter's program and the subject's module. Throws Failure, which says what does not compile.
void build_or_fail(const ChapterFolder& chapter, const Subject& subject);

/// The same, where the compiler's words matter: the warnings about the source come with every build, though
/// only the first after an edit compiles.
BuildResult build_module(const ChapterFolder& chapter, const Subject& subject);

/// The warnings about `file` in what a compiler said, each with its line of code and a blank line; those
/// about other files are left out.
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
/// The same of a chapter's program and a module, which `command` begins with. A report that `is_good` is kept
/// beside the module, and taken again while `command` and what the two files hold are the same.
struct KnownReport {
  report::Report report;
  bool was_kept = false;
};
KnownReport report_while_unchanged(const Words& command, const std::string& otherwise,
                                   const std::function<bool(const report::Report&)>& is_good);

}  // namespace warpwise::cli
