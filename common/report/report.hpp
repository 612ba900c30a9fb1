#pragma once
/// \file What a run came to: chapters with their kernels, launches, verdicts. Chapters' executables, the
/// runtime and `exec` fill it in; screen, ladder, hardware comparison and files show it. Plain values.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../simulator/launch_report.hpp"

namespace warpwise::report {

/// What a check is about. Result: the values. Technique: how they came about. Safety: no findings.
enum class Aspect : std::uint8_t { result, technique, safety };
inline constexpr Aspect all_aspects[] = {Aspect::result, Aspect::technique, Aspect::safety};
constexpr std::string_view name_of(Aspect aspect) {
  return std::array{"result", "technique", "safety"}[static_cast<std::size_t>(aspect)];
}

enum class Outcome : std::uint8_t { not_checked, passed, failed };
inline constexpr Outcome all_outcomes[] = {Outcome::not_checked, Outcome::passed, Outcome::failed};
constexpr std::string_view name_of(Outcome outcome) {
  return std::array{"not checked", "passed", "failed"}[static_cast<std::size_t>(outcome)];
}

/// A source line, and what it has to do with a failure: how much it takes of a count that is too high.
struct LineShare {
  std::string file;
  std::uint32_t line = 0;
  std::string source;  ///< the line's text, where the file can be read
  std::string share;   ///< "16 of the 20"; or writes_results, where a result is wrong
  bool operator==(const LineShare&) const = default;
};

/// The share of a line that writes to global memory.
inline constexpr std::string_view writes_results = "writes results";
/// The share of a line that has `__activemask()`, where the result depends on the order.
inline constexpr std::string_view takes_who_is_there = "__activemask() is no fixed set of lanes";

/// A failed test case.
struct Failure {
  std::string test_case = {};
  std::string sentence = {};
  std::vector<simulator::Finding> findings = {};
  /// Not an expectation but the check itself broke off (an exception, a kernel that is not in the module):
  /// tells nothing about the kernel, and never counts as a rejection.
  bool is_broken = false;
  bool is_out_of_memory = false;      ///< what it broke off for: the kernel may have eaten all memory
  std::vector<LineShare> lines = {};  ///< where to look; those that have most to do with it first
  /// The last launch on the simulated GPU before it failed, of those that have its findings: its elements (0:
  /// not known), its threads a block, its schedule.
  unsigned n = 0, block = 0;
  std::string schedule = {};
  /// Which of the test case's launches on the simulated GPU it was, from 1; 0: there was none.
  unsigned launch = 0;
  /// Of a wrong element: "out[1]", what it holds (empty: it was never written), what it ought to hold. Of a
  /// sum of all elements the last two.
  std::string element = {}, found = {}, expected = {};
  bool operator==(const Failure&) const = default;
};

/// How a right result has been shown.
struct Proofs {
  std::vector<std::string> proved_at =
      {};  ///< "n = 33, block = 32": sizes at which it is right for every value
  std::vector<std::string> tried_at = {};  ///< at which it is right for the values that were tried
  std::string why_tried = {};  ///< what hindered a proof first; empty where nothing is known of it
  /// Sizes at which a proof of one of the results failed: they stay tried, whatever else is proved there.
  std::vector<std::string> hindered_at = {};
  void add(Proofs other);
  bool operator==(const Proofs&) const = default;
};
/// "proved for every value at 14 sizes, tried at 61 more"; empty where nothing is known.
std::string spelled(const Proofs& proofs);

/// One aspect of one kernel: failed if any of its test cases did.
struct Verdict {
  std::string kernel;
  Aspect aspect = Aspect::result;
  Outcome outcome = Outcome::not_checked;
  std::vector<Failure> failures;
  std::string chapter = {};
  Proofs proofs = {};  ///< of a result
  bool operator==(const Verdict&) const = default;
};

/// One launch. Of a launch on a real GPU only kernel, shape and seconds are known.
struct Launch {
  simulator::LaunchReport report =
      {};  ///< seconds: of the host if simulated, else the GPU's median, 0: not timed
  bool is_simulated = true;
  std::string chapter = {};    ///< empty for `exec`
  std::uint64_t elements = 0;  ///< the kernel was given; 0 where it is not known
  std::string remarks = {};    ///< lines that the chapter adds to the counters; may be empty
  bool operator==(const Launch&) const = default;
};

/// A kernel of a chapter: what is asked of it, and how it stands.
struct Kernel {
  std::string name = {};
  std::string technique = {};    ///< a few words
  std::string task = {};         ///< what it must do, in one line
  bool is_exercise = true;       ///< to be written by the student; false: given
  bool is_step = false;          ///< a step of the ladder that the tour shows
  std::string comes_from = {};   ///< the step that it is to be compared with; empty: none
  double bytes_per_element = 0;  ///< read from or written to global memory, for GB/s
  bool is_untouched = false;     ///< it writes nothing yet
  std::string problem = {};      ///< why its launch for the counters came to nothing, one sentence; or empty
  std::vector<std::string> family = {};  ///< kernels that are judged together under its name; it is one
  bool operator==(const Kernel&) const = default;
};

/// "ch01" of "ch01_naive": what one types for the chapter.
inline std::string short_name(std::string_view chapter) { return std::string(chapter.substr(0, 4)); }

struct Chapter {
  std::string name;    ///< "ch01_naive"
  std::string title;   ///< "A tree of adjacent pairs"
  std::string source;  ///< the .cu file that was run; empty where it is not known
  std::string gpu;     ///< name of the GPU on which results were checked too; may be empty
  std::vector<Kernel> kernels;
  bool operator==(const Chapter&) const = default;
};

inline constexpr std::uint32_t current_version = 1;

/// What one run came to, or several together.
struct Report {
  std::uint32_t version = current_version;  ///< of the document; a reader refuses what it does not know
  std::vector<Chapter> chapters;
  std::vector<Launch> launches;   ///< in the order in which they ran
  std::vector<Verdict> verdicts;  ///< in the order in which they were first checked
  bool operator==(const Report&) const = default;

  void append(Report other);
  /// A test case of this kernel and aspect has ended, with these failures. An aspect fails where one of its
  /// test cases does.
  void add(std::string_view chapter, std::string_view kernel, Aspect aspect,
           std::vector<Failure> failures = {}, Proofs proofs = {});
  /// Null where it was not checked.
  const Verdict* verdict(std::string_view chapter, std::string_view kernel, Aspect aspect) const;
  Outcome outcome(std::string_view chapter, std::string_view kernel, Aspect aspect) const;
  /// Something of it was checked, and nothing failed: some kernels have no check of one aspect. The one
  /// definition: of the screen, of `list` and of the tour.
  bool is_right(std::string_view chapter, std::string_view kernel) const;
  /// What a launch of the kernel was rejected for, of each launch once; first of all the failure whose
  /// findings the screen shows.
  std::vector<const Failure*> rejected_launches(std::string_view chapter, std::string_view kernel) const;
  /// The launch of a chapter's kernel for its counters, or for its time on a GPU; null where there is none.
  const Launch* launch(std::string_view chapter, std::string_view kernel, bool is_simulated) const;
  bool has_ended_early() const;  ///< a launch: the program was told of an error of the device
};

// --- Times that come with the course: those of its kernels on one GPU, docs/results/h200/times.json, which
// --- docs/results/measure.sh writes

inline constexpr std::uint32_t current_times_version = 1;

/// The median of a kernel's launches.
struct KernelTime {
  std::string chapter, kernel;  ///< "ch01_naive", "reduce_naive"
  std::uint64_t elements = 0;
  double milliseconds = 0;
  double gigabytes = 0;  ///< that it must read and write, a second
  bool operator==(const KernelTime&) const = default;
};

struct PublishedTimes {
  std::uint32_t version = current_times_version;
  std::string gpu;  ///< "NVIDIA H200"; empty where nothing was read
  std::vector<KernelTime> kernels;
  bool operator==(const PublishedTimes&) const = default;

  /// GB/s; 0: it was not measured.
  double of(std::string_view chapter, std::string_view kernel) const;
};

}  // namespace warpwise::report
