#pragma once
/// \file The record of what was checked: by kernel, by aspect, with the sentence of each failure.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../../report/report.hpp"
#include "../device/count.hpp"

namespace warpwise::harness {

/// Thrown by a failed expectation, after it has been recorded.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using report::all_aspects;
using report::Aspect;
using report::Failure;
using report::Outcome;
using report::Verdict;

/// The name of a test case: "KERNEL: ASPECT" or "KERNEL: ASPECT, anything more".
struct CheckName {
  std::string kernel;
  Aspect aspect = Aspect::result;
};
/// Empty where `test_case` is not named so.
std::optional<CheckName> parse_check_name(std::string_view test_case);

/// The record of one run. Test cases are begun and ended by the Catch2 listener (runner.cpp).
class Record {
 public:
  void begin_case(std::string_view test_case);
  /// Adds to the test case that runs; outside of one (an exhibit's launch) it is kept for take_stray().
  void add_failure(std::string sentence, std::vector<simulator::Finding> findings, bool is_broken = false,
                   std::vector<report::LineShare> lines = {});
  /// The test case that runs breaks off, since there is no more memory.
  void add_out_of_memory(std::string sentence);
  /// A simulated launch of the test case that runs: a failure is told with the latest. `n`: its elements,
  /// where that is known.
  void add_launch(SharedReport launch, std::optional<unsigned> n = {}, std::string schedule = {});
  /// Of the test case that runs; null before its first.
  const SharedReport& latest_launch() const { return latest_.report; }
  void end_case();

  /// Takes back the last failure of the test case that runs; add_again() puts it there.
  Failure take_failure();
  void add_again(Failure failure);
  bool is_in_case() const { return is_in_case_; }
  bool has_failed_here() const { return has_failed_here_; }  ///< in the test case that runs
  /// Test cases begun so far: tells one from the next.
  unsigned cases_begun() const { return cases_begun_; }

  /// In the order in which they were first checked.
  const std::vector<Verdict>& verdicts() const { return verdicts_; }
  const Verdict* find(std::string_view kernel, Aspect aspect) const;
  Outcome outcome(std::string_view kernel, Aspect aspect) const;
  bool all_passed() const;
  bool has_broken() const;
  std::optional<Failure> take_stray();

 private:
  Verdict& verdict_of(const CheckName& name);

  std::vector<Verdict> verdicts_;
  std::optional<CheckName> current_;
  std::string test_case_;
  std::optional<Failure> stray_;
  struct Launched {
    SharedReport report;
    std::optional<unsigned> n;
    std::string schedule;
  };
  Launched latest_;
  bool is_in_case_ = false;
  bool has_failed_here_ = false;
  unsigned cases_begun_ = 0;
};

/// The record of this process.
Record& record();

}  // namespace warpwise::harness
