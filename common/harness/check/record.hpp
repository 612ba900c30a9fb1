#pragma once
/// \file The record of a run: what its checks have found, by kernel and aspect.

#include <string_view>
#include <vector>

#include "../../report/report.hpp"

namespace warpwise::harness {

using report::all_aspects;
using report::Aspect;
using report::Failure;
using report::Outcome;
using report::Verdict;

class Record {
 public:
  /// A test case of this kernel and aspect has ended, with these failures. An aspect fails where one of its
  /// test cases does.
  void add(std::string_view kernel, Aspect aspect, std::vector<Failure> failures = {});

  /// In the order in which they were first checked.
  const std::vector<Verdict>& verdicts() const { return verdicts_; }
  /// Null where it was not checked.
  const Verdict* find(std::string_view kernel, Aspect aspect) const;
  Outcome outcome(std::string_view kernel, Aspect aspect) const;
  bool all_passed() const;
  /// The first failure of a check that broke off, see Failure::is_broken; null where there is none.
  const Failure* first_broken() const;

 private:
  std::vector<Verdict> verdicts_;
};

}  // namespace warpwise::harness
