#pragma once
/// \file The record of what was checked: by kernel, by aspect, with the sentence of each failure.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "../simulator/observers/report.hpp"

namespace warpwise::harness {

/// Thrown by a failed expectation, after it has been recorded.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a check is about. Result: the values. Technique: how they came about. Safety: no findings.
enum class Aspect { result, technique, safety };
inline constexpr Aspect all_aspects[] = {Aspect::result, Aspect::technique, Aspect::safety};
std::string_view name_of(Aspect aspect);

/// The name of a test case: "KERNEL: ASPECT" or "KERNEL: ASPECT, anything more".
struct CheckName {
  std::string kernel;
  Aspect aspect = Aspect::result;
};
/// Empty where `test_case` is not named so.
std::optional<CheckName> parse_check_name(std::string_view test_case);

/// A failed test case.
struct Failure {
  std::string test_case;
  std::string sentence;
  std::vector<simulator::Finding> findings;
  /// Not an expectation but the check itself broke off (an exception, a kernel that is not in the module):
  /// tells nothing about the kernel, and never counts as a rejection.
  bool is_broken = false;
};

enum class Outcome { not_checked, passed, failed };

/// One aspect of one kernel: failed if any of its test cases did.
struct Verdict {
  std::string kernel;
  Aspect aspect = Aspect::result;
  Outcome outcome = Outcome::not_checked;
  std::vector<Failure> failures;
};

/// The record of one run. Test cases are begun and ended by the Catch2 listener (runner.cpp).
class Record {
 public:
  void begin_case(std::string_view test_case);
  /// Adds to the test case that runs; outside of one (an exhibit's launch) it is kept for take_stray().
  void add_failure(std::string sentence, std::vector<simulator::Finding> findings, bool is_broken = false);
  void end_case();

  bool is_in_case() const { return is_in_case_; }
  bool has_failed_here() const { return has_failed_here_; }  ///< in the test case that runs

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
  bool is_in_case_ = false;
  bool has_failed_here_ = false;
};

/// The record of this process.
Record& record();

}  // namespace warpwise::harness
