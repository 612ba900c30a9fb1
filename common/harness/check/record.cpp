#include "record.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace warpwise::harness {

void Record::add(std::string_view kernel, Aspect aspect, std::vector<Failure> failures) {
  auto verdict = std::find_if(verdicts_.begin(), verdicts_.end(), [&](const Verdict& one) {
    return one.kernel == kernel && one.aspect == aspect;
  });
  if (verdict == verdicts_.end())
    verdict = verdicts_.insert(verdict, Verdict{std::string(kernel), aspect, Outcome::passed, {}, {}});
  if (!failures.empty()) verdict->outcome = Outcome::failed;
  std::move(failures.begin(), failures.end(), std::back_inserter(verdict->failures));
}

const Verdict* Record::find(std::string_view kernel, Aspect aspect) const {
  for (const Verdict& verdict : verdicts_)
    if (verdict.kernel == kernel && verdict.aspect == aspect) return &verdict;
  return nullptr;
}

Outcome Record::outcome(std::string_view kernel, Aspect aspect) const {
  const Verdict* verdict = find(kernel, aspect);
  return verdict == nullptr ? Outcome::not_checked : verdict->outcome;
}

bool Record::all_passed() const {
  return std::all_of(verdicts_.begin(), verdicts_.end(),
                     [](const Verdict& verdict) { return verdict.outcome == Outcome::passed; });
}

const Failure* Record::first_broken() const {
  for (const Verdict& verdict : verdicts_)
    for (const Failure& failure : verdict.failures)
      if (failure.is_broken) return &failure;
  return nullptr;
}

}  // namespace warpwise::harness
