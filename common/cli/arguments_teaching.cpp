// What an instructor's commands can be told.

#include "arguments.hpp"

#include <CLI/CLI.hpp>

namespace warpwise::cli {

void add_arguments(CLI::App& command, GradeOptions& options) {
  const auto submissions = command.add_option("submissions", options.submissions,
                                              "a folder with a folder or a file NAME.cu for each student");
  command.add_flag("--one", options.is_one, "that folder or file is one submission");
  command.add_option("--chapter", options.chapters, "ch01, or ch01,ch03 (default: what each submission has)")
      ->delimiter(',');
  command.add_option("--points", options.points, "what counts how much, as JSON (docs/grading.md)");
  command.add_option("--out", options.out, "the folder of the results")->capture_default_str();
  command.add_option("--gradescope", options.gradescope, "with --one: Gradescope's results.json");
  command.add_option("--shard", options.shard, "PART/OF: this part of the class alone");
  command.add_option("--merge", options.merged, "puts the folders of all parts together in --out")
      ->excludes(submissions);
  command.add_flag("--unfenced", options.is_unfenced, "compile and judge without bubblewrap");
  command.add_option("--jobs", options.jobs, "submissions at the same time (default: one a processor)");
  command.add_option("--seconds", options.seconds, "of a processor, for nvcc and for the checks each")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command.add_option("--memory", options.memory, "MiB, for nvcc and for the checks each")
      ->check(CLI::Range(256, 1 << 20))
      ->capture_default_str();
  command.footer("Exit status: 0 all were graded, 1 some could not be, 2 wrong usage.");
}

void add_arguments(CLI::App& command, HandoutOptions& options) {
  command.add_option("folder", options.folder, "to be made: the repository, or what grades it")->required();
  command.add_option("--chapters", options.chapters, "of these alone: ch01,ch03 (default: all)")
      ->delimiter(',');
  command.add_flag("!--no-attempts", options.has_attempts, "without the list of known mistakes");
  const auto solutions =
      command.add_flag("--solutions", options.adds_solutions, "add the solutions to a handout, as a commit");
  command
      .add_option("--for", options.target,
                  "gradescope: an autograder a chapter; github: with a workflow that grades; grading: where "
                  "./warpwise grade judges by --variant")
      ->check(CLI::IsMember({"gradescope", "github", "grading"}))
      ->excludes(solutions);
  command.add_option("--solutions-come", options.solutions_come,
                     "when, for ./warpwise solution there: \"on 1 December\"");
  command.add_option("--checks-from", options.checks_from,
                     "with --for github: OWNER/NAME of the course's repository (default: the remote's)");
  command.add_option("--variant", options.variant, "another task, for marks: a seed, or a variant's name")
      ->excludes(solutions);
  command
      .add_option("--points", options.points,
                  "with --for gradescope: what counts how much (docs/grading.md), in its zip")
      ->check(CLI::ExistingFile);
  command.footer("What is handed out is the last commit (docs/handouts.md).");
}

void add_arguments(CLI::App& command, NewChapterOptions& options) {
  command.add_option("name", options.name, "stencil, or ch08_stencil")->required();
  command.add_flag("--check", options.only_checks, "make nothing: what does this chapter still lack?");
}

}  // namespace warpwise::cli
