#pragma once
/// \file The commands of ./warpwise. Each prints to stdout and returns an exit status (failure.hpp); each
/// throws Failure for what it cannot do.

#include <string>
#include <vector>

namespace warpwise::cli {

struct TourOptions {
  std::string device = "auto";  ///< sim, gpu or auto
  unsigned long long n = 0;     ///< elements; 0: each kernel's own choice
  std::string report;           ///< JSON file to write; empty: none
};
/// Runs every chapter's solution and prints the ladder.
int tour(const TourOptions& options);

/// Every test of the project, with CTest; `arguments` are handed to it.
int test(const std::vector<std::string>& arguments);

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

struct ShowOptions {
  std::string chapter, kernel;  ///< kernel empty: the attempt's, or the chapter's first
  bool uses_solution = false;
  std::string attempt;
  unsigned long long n = 0;  ///< elements; 0: few
  unsigned block = 64;       ///< threads, where the kernel takes any number
  std::string schedule = "converged";
  std::string beside;    ///< "solution" or "CHAPTER:KERNEL"; empty: nothing
  std::string output;    ///< file of the page; empty: below the build folder
  bool is_text = false;  ///< no page: the same for a terminal
};
/// Records one small launch and draws it: a page of HTML, or text.
int show(const ShowOptions& options);

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

/// Shows the next hint for `kernel` (empty: the first kernel that still has a TODO).
int hint(const std::string& chapter, const std::string& kernel, bool shows_all);

/// Prints the reference solution of `kernel` (empty: the whole file).
int solution(const std::string& chapter, const std::string& kernel);

/// Puts the skeleton back in place of the student's exercise.cu, which is kept beside it.
int reset(const std::string& chapter);

/// Runs the chapter again whenever a file in it is saved, and once it is right goes on to the next step; ends
/// with Ctrl-C.
int watch(const RunOptions& options);

}  // namespace warpwise::cli
