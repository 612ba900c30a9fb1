#pragma once
/// \file Reports as the checks of a chapter leave them, and the screens that are made of them.

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "common/print/screen.hpp"

namespace warpwise::print::tests {

using report::Aspect;
using report::Outcome;
using simulator::Finding;
using simulator::FindingKind;

inline report::Kernel kernel_of(const std::string& name, const std::string& technique,
                                const std::string& task) {
  report::Kernel kernel;
  kernel.name = name;
  kernel.technique = technique;
  kernel.task = task;
  return kernel;
}

inline report::Chapter the_chapter() {
  return {"ch01_naive",
          "A tree",
          "",
          "",
          {kernel_of("first", "a tree", "sum the elements of each block"),
           kernel_of("second", "another", "sum everything")}};
}

inline Finding race() {
  Finding finding;
  finding.kind = FindingKind::race;
  finding.file = "exercise.cu";
  finding.line = 14;
  finding.message = "thread 32 reads s[32]";
  return finding;
}

/// Verdicts as the checks of a chapter leave them.
class Verdicts {
 public:
  /// `name`: "first: result".
  void check(const std::string& name, const std::string& sentence = {}, std::vector<Finding> findings = {}) {
    report::Verdict& verdict = begin(name);
    if (!sentence.empty())
      fail(verdict, {.test_case = name, .sentence = sentence, .findings = std::move(findings)});
  }
  void fail(const std::string& name, report::Failure failure) { fail(begin(name), std::move(failure)); }
  /// Of `chapter`; where it says nothing else, what its kernels are asked is not read from files.
  report::Report report(report::Chapter chapter = the_chapter()) const {
    report::Report report;
    report.chapters = {std::move(chapter)};
    report.verdicts = all_;
    return report;
  }

 private:
  report::Verdict& begin(const std::string& name) {
    const std::size_t colon = name.find(": ");
    report::Verdict& verdict = all_.emplace_back();
    verdict.chapter = "ch01_naive";
    verdict.kernel = name.substr(0, colon);
    verdict.outcome = report::Outcome::passed;
    for (const report::Aspect aspect : report::all_aspects)
      if (name.substr(colon + 2) == name_of(aspect)) verdict.aspect = aspect;
    return verdict;
  }
  static void fail(report::Verdict& verdict, report::Failure failure) {
    verdict.outcome = report::Outcome::failed;
    verdict.failures.push_back(std::move(failure));
  }
  std::vector<report::Verdict> all_;
};

inline std::string screen_of(ScreenContent content) {
  std::ostringstream out;
  if (content.contract.empty()) content.contract = "kernels.hpp";
  print_screen(out, content, Paint(false));
  return out.str();
}
inline std::string screen_of(const report::Report& report, bool is_verbose = false) {
  return screen_of({.report = report, .is_verbose = is_verbose});
}

inline std::string screen(const Verdicts& verdicts, const std::set<std::string>& untouched = {},
                          bool is_verbose = false, const std::string& source = {}) {
  report::Report report = verdicts.report();
  for (report::Kernel& kernel : report.chapters.front().kernels)
    kernel.is_untouched = untouched.contains(kernel.name);
  return screen_of({.report = report, .source = source, .is_verbose = is_verbose});
}

}  // namespace warpwise::print::tests
