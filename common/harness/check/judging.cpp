#include "judging.hpp"

#include <iostream>

#include "../skeleton.hpp"

namespace warpwise::harness {

namespace {

/// Prints the first check that broke off; such a run proves nothing about the kernels.
bool tell_broken(const Record& record) {
  for (const Verdict& verdict : record.verdicts()) {
    for (const Failure& failure : verdict.failures) {
      if (!failure.is_broken) continue;
      std::cout << "the check itself broke off: " << failure.test_case << ": " << failure.sentence << '\n';
      return true;
    }
  }
  return false;
}

}  // namespace

int judge_skeleton(const Chapter& chapter, const Record& record, const std::string& source,
                   const std::string& kernel) {
  if (tell_broken(record)) return unusable;
  int status = all_well;
  for (const Exhibit& exhibit : chapter.exhibits) {
    if (!exhibit.is_exercise || (!kernel.empty() && exhibit.kernel.text != kernel)) continue;
    if (!is_skeleton_in_file(source, exhibit.kernel.text)) {
      std::cout << exhibit.kernel.text << ": written, no skeleton any more\n";
      continue;
    }
    const Verdict* verdict = record.find(exhibit.kernel.text, Aspect::result);
    if (verdict != nullptr && verdict->outcome == Outcome::failed) {
      std::cout << exhibit.kernel.text
                << ": fails, as a skeleton must: " << verdict->failures.front().sentence << '\n';
    } else {
      std::cout << exhibit.kernel.text
                << (verdict == nullptr ? ": has no result check\n"
                                       : ": passes its result check, though it is a skeleton\n");
      status = check_failed;
    }
  }
  return status;
}

int judge_rejection(const ExpectedRejection& expected, const Record& record) {
  if (tell_broken(record)) return unusable;
  const Rejection rejection = judge_attempt(expected, record);
  std::cout << (rejection.is_as_expected ? "rejected, as it must be: " : "") << rejection.sentence << '\n';
  return rejection.is_as_expected ? all_well : check_failed;
}

}  // namespace warpwise::harness
