#pragma once
/// \file The commands of ./warpwise. Each prints to stdout and returns an exit status (failure.hpp); each
/// throws Failure for what it cannot do.

#include <optional>
#include <string>
#include <vector>

#include "../print/ladder.hpp"
#include "../print/show.hpp"

namespace warpwise::cli {

struct TourOptions {
  std::string device = "auto";  ///< sim, gpu or auto
  unsigned long long n = 0;     ///< elements; 0: each kernel's own choice
  std::string report;           ///< JSON file to write; empty: none
  print::LadderCounters counters = print::LadderCounters::none;
};
/// Runs every chapter's solution and prints the ladder.
int tour(const TourOptions& options);

struct TestOptions {
  std::vector<std::string> arguments;  ///< handed to CTest as they are
};
/// Every test of the project, with CTest.
int test(const TestOptions& options);

struct RunOptions {
  std::string chapter;
  bool uses_solution = false;
  std::string attempt;  ///< name below attempts/, empty: the exercise
  std::string kernel;   ///< empty: all
  std::string device = "auto";
  unsigned long long n = 0;  ///< elements of the run that is shown; 0: the chapter's choice
  std::string report;
  std::string trace;              ///< JSON file to write; empty: none
  bool is_verbose = false;        ///< every failure in full
  bool shows_lines = false;       ///< what each source line costs
  std::vector<std::string> more;  ///< handed to the chapter's executable as they are
};
/// Builds a module of the chapter and checks it. What it says of the exercise is remembered (standing.hpp),
/// and where all is well the next step is named.
int run(const RunOptions& options);

struct WatchOptions {
  RunOptions run;           ///< of each round
  bool keeps_page = false;  ///< draws the kernel anew after each save
};
/// Runs the chapter again whenever a file in it is saved, and once it is right goes on to the next step; ends
/// with Ctrl-C.
int watch(const WatchOptions& options);

struct ShowOptions {
  std::string chapter,
      kernel;  ///< kernel empty: the attempt's, the first that is written and not right, the first
  bool uses_solution = false;
  std::string attempt;
  std::string accepted;      ///< name in accepted.md
  unsigned long long n = 0;  ///< elements; 0: few
  unsigned block = 64;       ///< threads, where the kernel takes any number
  std::string schedule = "converged";
  std::string beside;     ///< "solution" or "CHAPTER:KERNEL"; empty: nothing
  std::string output;     ///< file of the page or picture; empty: below the build folder
  std::string bench;      ///< a result of `bench --json`, or "h200": the page has its figures of the kernel
  bool is_text = false;   ///< no page: the same for a terminal
  std::string view;       ///< no page: one picture, as SVG; one of print::view_names()
  print::Moment moment;   ///< of the run, that a picture shows
  bool is_opened = true;  ///< the page, in a browser, where there is a desktop
  std::string command;    ///< as it was given, without --output: a picture says what draws it again
};
/// Records one small launch and draws it: a page of HTML, text, or one picture.
int show(const ShowOptions& options);

struct PredictOptions {
  std::string chapter, section;  ///< section empty: the first in which something is not right yet
  bool asks_again = false;       ///< what is right already, too
};
/// Asks the numbers of a section on stdin, measures them, and shows both with the reason. Remembers the
/// guesses.
int predict(const PredictOptions& options);

struct PuzzleOptions {
  std::string chapter;                     ///< empty: any
  std::optional<unsigned long long> seed;  ///< the same puzzle for the same seed
  bool shows_unsolved = false;             ///< of kernels, too, that are still to be written
};
/// Shows a wrong kernel without its label and asks on stdin for a line and a kind. Remembers what is solved.
int puzzle(const PuzzleOptions& options);

struct BenchOptions {
  std::string chapter, kernel;  ///< empty: all that have a counterpart in CUB
  bool uses_solution = false;
  std::string sizes = "10:30";  ///< exponents of 2: the smallest and the largest n
  std::string json, svg;        ///< files to write; empty: none
  std::string compare;          ///< an earlier result of --json, or "h200"; empty: none
  bool measures_simulator = false;
  int repetitions = 10;  ///< launches of which the best counts; of the simulator's figures
};
/// How fast: kernels beside CUB on the GPU, or the simulator's warp instructions a second. Builds what it
/// needs; throws Failure where a GPU is asked for and there is none.
int bench(const BenchOptions& options);

struct HandoutOptions {
  std::string folder;                 ///< to be made, or with `adds_solutions` one that was made before
  std::vector<std::string> chapters;  ///< as `run` takes them; empty: all
  bool has_attempts = true;           ///< the known mistakes, as sentences
  bool adds_solutions = false;        ///< those of `chapters`, as a commit in `folder`
  std::string target;                 ///< "gradescope", "github", "grading"; empty: a repository alone
  std::string solutions_come;         ///< when, for `./warpwise solution` there: "on 1 December"
  std::string checks_from;            ///< OWNER/NAME on GitHub, of the course that grades; empty: its remote
  std::string points;                 ///< JSON file for the autograder; empty: the built-in ones
  std::string variant;                ///< the seed of another task; empty: the course's own
};
/// Makes a repository for students, without solutions in its tree and history, or what grades it.
int handout(const HandoutOptions& options);

struct GradeOptions {
  std::string submissions;            ///< a folder with one entry each
  bool is_one = false;                ///< it is itself one submission
  std::vector<std::string> chapters;  ///< as the user names them; empty: what each submission has
  std::string points;                 ///< JSON file; empty: the built-in ones
  std::string out = "graded";
  std::string gradescope;           ///< file for the results.json of the one submission; empty: none
  std::string shard;                ///< "3/16"; empty: all
  std::vector<std::string> merged;  ///< folders of parts to put together; empty: grade
  bool is_unfenced = false;
  unsigned jobs = 0;       ///< 0: one a processor
  unsigned seconds = 60;   ///< of a processor, for the compiler and for the checks each
  unsigned memory = 4096;  ///< MiB, likewise
};
/// Grades a class (common/classroom). Returns 1 where a submission could not be graded.
int grade(const GradeOptions& options);
struct ProfileOptions {
  std::string chapter, kernel;  ///< empty: all
  bool uses_solution = false;
  unsigned long long n = 1U << 15;  ///< elements: few enough that grids are the same on both GPUs
  std::string keep;                 ///< where Nsight Compute's own report goes, .ncu-rep; empty: nowhere
  std::string save;                 ///< file of the counters, a line each; empty: none
  std::string compare;              ///< an earlier result of --save, or "h200"; empty: none
};
/// The hardware's counters, by Nsight Compute, beside the simulator's, kernel by kernel and line by line.
int profile(const ProfileOptions& options);

/// Chapters, how many of their kernels are right, and what is next.
int list();

struct HintOptions {
  std::string chapter, kernel;  ///< kernel empty: the first that is not right
  bool shows_all = false;       ///< not the next alone
};
/// Shows the next hint for a kernel.
int hint(const HintOptions& options);

struct SolutionOptions {
  std::string chapter, kernel;  ///< kernel empty: the whole file
};
/// Prints the reference solution.
int solution(const SolutionOptions& options);

struct ResetOptions {
  std::string chapter;
};
/// Puts the skeleton back in place of the student's exercise.cu, which is kept beside it.
int reset(const ResetOptions& options);

struct NewChapterOptions {
  std::string name;
  bool only_checks = false;  ///< of one that there is
};
/// Makes a chapter of that name, to be filled in; or, of one that there is, says what it lacks (exit status 1
/// if anything).
int new_chapter(const NewChapterOptions& options);

}  // namespace warpwise::cli
