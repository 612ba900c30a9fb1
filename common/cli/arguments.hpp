#pragma once
/// \file What each command can be told: its options and their places, their help and the values that they
/// take.

#include "commands.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 has it
class App;
}

namespace warpwise::cli {

/// Each fills in `options` when the command line is parsed: it must live until then.
void add_arguments(CLI::App& command, TourOptions& options);
void add_arguments(CLI::App& command, RunOptions& options);
void add_arguments(CLI::App& command, WatchOptions& options);
void add_arguments(CLI::App& command, ShowOptions& options);
void add_arguments(CLI::App& command, PredictOptions& options);
void add_arguments(CLI::App& command, PuzzleOptions& options);
void add_arguments(CLI::App& command, HintOptions& options);
void add_arguments(CLI::App& command, SolutionOptions& options);
void add_arguments(CLI::App& command, ResetOptions& options);
void add_arguments(CLI::App& command, BenchOptions& options);
void add_arguments(CLI::App& command, ProfileOptions& options);
void add_arguments(CLI::App& command, GradeOptions& options);
void add_arguments(CLI::App& command, HandoutOptions& options);
void add_arguments(CLI::App& command, NewChapterOptions& options);
void add_arguments(CLI::App& command, TestOptions& options);

}  // namespace warpwise::cli
