#pragma once
/// \file The parts of a run of a chapter's executable: its command line, devices with the module under test,
/// the checks, the kernels, and what is judged beside the checks.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../print/unpredicted.hpp"
#include "../../report/trace_file.hpp"
#include "../../text/rejection.hpp"
#include "../device/gpu_device.hpp"
#include "chapter.hpp"

namespace warpwise::harness {

// --- The command line -------------------------------------------------------------------------------------

enum class DeviceChoice { simulator, gpu, automatic };

struct Options {
  std::string module;  ///< path of the .ptx; empty: the chapter's exercise
  DeviceChoice device = DeviceChoice::automatic;
  std::optional<unsigned> n;      ///< elements of the kernels
  std::string kernel;             ///< empty: all
  std::string report;             ///< JSON file to write; empty: none
  std::string hardware_table;     ///< counters of a GPU that must be those of this run; empty: none
  std::string trace;              ///< JSON file to write; empty: none
  bool runs_no_checks = false;    ///< only what `trace` and `report` ask for
  bool traces_rejected = false;   ///< `trace` is of launches that the checks reject, if there are any
  std::optional<unsigned> block;  ///< threads a block, where the launch may choose
  std::string schedule;           ///< of the launch that is traced; empty: converged
  bool lists_kernels = false;
  bool expects_failure = false;
  std::string expected_rejection;   ///< path of the attempt's .cu; empty: none
  unsigned threads = 0;             ///< of the host, for the simulated GPU; 0: one a processor
  std::uint64_t seed = 0;           ///< other inputs and further sizes (inputs.hpp); 0: the usual ones
  std::uint64_t kernel_budget = 0;  ///< warp instructions of a kernel in all checks together; 0: any
  bool is_quiet = false;            ///< leaves out what kernels print
  bool is_verbose = false;
  bool shows_lines = false;
  bool wants_help = false;
  std::vector<print::Unpredicted> unpredicted;  ///< what the counters do not tell yet
  std::vector<std::string> catch_arguments;  ///< all other words: which test cases, and Catch2's own options

  /// With an option of its own, Catch2's report stands in the place of ours.
  bool catch2_reports() const {
    return std::ranges::any_of(catch_arguments, [](const auto& word) { return word.starts_with('-'); });
  }
  /// Catch2 is asked for a list or for help, and not to run anything.
  bool catch2_only_lists() const {
    return std::ranges::any_of(catch_arguments, [](const auto& word) {
      return word.starts_with("--list") || word == "-l" || word == "-t" || word == "-?";
    });
  }
};

/// Wrong usage; what() is one sentence.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What is to be judged cannot be: the module lacks it, or this machine. what() is one sentence.
class NotJudged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// `arguments` without the program's name. "--n 5" and "--n=5" are the same. Throws UsageError.
Options parse_options(std::span<const char* const> arguments);

/// What `--help` prints.
std::string usage(const std::string& program);

// --- Devices and checks -----------------------------------------------------------------------------------

struct Devices {
  std::unique_ptr<SimulatedDevice> simulated;
  std::unique_ptr<GpuDevice> gpu;  ///< may be absent

  std::string gpu_name() const { return gpu ? gpu->properties().name : ""; }
};

/// The devices that `choice` names, with `module` loaded. Throws NotJudged where the module cannot be used or
/// a GPU is asked for that is not there.
Devices load_devices(DeviceChoice choice, const std::string& module);

/// The path of the chapter's kernels.hpp: a variant's beside its program, the course's below the current
/// folder, or else where this program was built.
std::string contract_file(const CheckedChapter& chapter);

/// Throws UsageError where the chapter has no such kernel, NotJudged where the module lacks one that is going
/// to be checked (`kernel` empty: any).
void expect_kernels(const CheckedChapter& chapter, const std::string& kernel, const SimulatedDevice& device,
                    const std::string& module);

/// Runs the test cases that `names` matches, as in "[reduce_naive][safety]" (empty: all), with Catch2, as
/// they are declared unless `catch_arguments` say otherwise. Only an option among these lets Catch2's own
/// report through. The report of the chapter has the verdicts, and no launches yet.
report::Report run_checks(const Devices& devices, const std::string& names,
                          const std::vector<std::string>& catch_arguments);

// --- Kernels ----------------------------------------------------------------------------------------------

// A report of what a chapter's checks and its kernels have come to: one launch a kernel, for counters and
// times.

/// The chapter with its kernels as they are declared; no verdicts and no launches yet.
report::Report report_of(const CheckedChapter& chapter);

enum class Judged { yes, no };

/// What is wrong with a check that has looked at nothing that `launch` wrote.
std::string unread_sentence(const Launch& launch);

/// Runs each kernel of `the_chapter` (or `kernel` only) whose result `report` does not call wrong; where
/// that is `judged`, a launch on the simulated GPU that gives a wrong result, or whose result the kernel
/// does not compare, is none to show, and what is wrong with it goes to the report. It runs on the simulated
/// GPU with the kernel's own n, on a GPU (null: none) with 2^26 elements and timed, or with `n` on both;
/// never with more than its largest_n. Adds the launches to the report, and to its one chapter what went
/// wrong.
void measure_kernels(report::Report& report, const CheckedChapter& the_chapter, const std::string& kernel,
                     std::optional<unsigned> n, SimulatedDevice& simulated, GpuDevice* gpu,
                     Judged judged = Judged::yes);

/// While it lives, what kernels print is left out.
struct Silence : OtherOptions {
  explicit Silence(SimulatedDevice& device)
      : OtherOptions(device, [](auto& options) { options.launch.print = [](std::string_view) {}; }) {}
};

/// What each lane did in the launches of each kernel (or of `kernel` only), right or wrong, with `n`
/// elements or as many as `usual_n` says. What a kernel prints is left out. a kernel that ends early is
/// there up to where it came.
report::TraceFile trace_kernels(const CheckedChapter& the_chapter, const std::string& kernel,
                                unsigned (*usual_n)(const ChapterKernel&), std::optional<unsigned> n,
                                SimulatedDevice& simulated);

/// The launches that `report` says its checks reject of `kernel`, each made again by its test case and
/// recorded, in the order of Report::rejected_launches().
report::TraceFile trace_rejected(const report::Report& report, const std::string& kernel,
                                 const Devices& devices);

// --- Judging ----------------------------------------------------------------------------------------------

// What is judged beside the checks: code that is borrowed; and the runs by which the checks themselves are
// checked, and the simulator's counters.

/// Exit statuses of a chapter's executable. unusable: nothing is judged, though the command line is right.
/// The module lacks a kernel, the machine has no GPU, or a check itself broke off.
enum Status { all_well = 0, check_failed = 1, wrong_usage = 2, unusable = 3 };

/// Adds a failed check of the technique for each exercise of `chapter` that `report` has a verdict of, and
/// that has borrowed code (borrowed_by()).
void judge_borrowed(const CheckedChapter& chapter, const simulator::Program& program, report::Report& report);

/// A skeleton: every exercise (or `kernel` only) that still is one in the file `source` fails its result
/// check. Prints how, and returns the status.
int judge_skeleton(const CheckedChapter& chapter, const report::Report& report, const std::string& source,
                   const std::string& kernel);

/// What a report says about an attempt.
struct Rejection {
  bool is_as_expected = false;
  std::string sentence;  ///< how it was rejected, or why this does not count
};
Rejection judge_attempt(const text::ExpectedRejection& expected, const report::Report& report);
/// An attempt is rejected by the check, and for the reason, that its first line names (rejection.hpp). Prints
/// how, and returns the status.
int judge_rejection(const text::ExpectedRejection& expected, const report::Report& report);

/// What the simulator counts, held against what a GPU's own counters said of the same launches.
struct HardwareComparison {
  unsigned compared = 0;    ///< counters
  std::string differences;  ///< one line each: "reduce, shuffles: simulated 3, hardware 4"
};

/// `table` is docs/results/h200/counters.tsv, which says how it was measured: chapter, kernel, counter,
/// simulated, hardware, verdict, with tabs between them. Rows of another verdict than `=` are left out: why
/// they differ is said in docs/results/README.md.
HardwareComparison compare_with_hardware(const report::Report& report, std::string_view table);

/// Prints the comparison with the file at `table_path` and returns an exit status: 1 where anything differs
/// or nothing was compared. Throws UsageError where the file cannot be read.
int judge_counters(const report::Report& report, const std::string& table_path);

// --- Printing ---------------------------------------------------------------------------------------------

/// What kernels print, up to a point: the checks launch each of them hundreds of times, and the verdict
/// stands below. Not for several threads at once: the simulated GPU hands over one block's text after the
/// other.
class Prints {
 public:
  Prints(std::ostream& out, std::uint64_t most_lines) : out_(out), left_(most_lines) {}

  void show(std::string_view text) {
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n') + std::size_t{1});
      const std::string_view next = line.empty() ? text : line;  // the last need not end
      text.remove_prefix(next.size());
      if (left_ == 0) {
        ++dropped_;
      } else {
        --left_;
        out_ << next;
      }
    }
  }

  /// Says how much was not shown.
  void end() const {
    if (dropped_ == 0) return;
    out_ << '(' << dropped_
         << " more lines of printf; --verbose shows all. To print less, print under a condition: if (n == "
            "33))\n\n";
  }

 private:
  std::ostream& out_;
  std::uint64_t left_;
  std::uint64_t dropped_ = 0;
};

}  // namespace warpwise::harness
