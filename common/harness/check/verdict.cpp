#include "verdict.hpp"

#include <algorithm>
#include <utility>

#include "unread_launches.hpp"

namespace warpwise::harness {

std::optional<CheckName> parse_check_name(std::string_view test_case) {
  const auto colon = test_case.find(": ");
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const std::string_view rest = test_case.substr(colon + 2);
  for (const Aspect aspect : all_aspects) {
    const std::string_view word = name_of(aspect);
    if (rest == word || (rest.starts_with(word) && rest.substr(word.size()).starts_with(", "))) {
      return CheckName{std::string(test_case.substr(0, colon)), aspect};
    }
  }
  return std::nullopt;
}

void Record::begin_case(std::string_view test_case) {
  test_case_ = test_case;
  current_ = parse_check_name(test_case);
  is_in_case_ = true;
  has_failed_here_ = false;
  latest_ = {};
  unread_launches().begin();
  ++cases_begun_;
  // A misnamed test case would be counted nowhere: that is a mistake of the chapter, and must not pass
  // unseen.
  if (!current_) {
    current_ = CheckName{test_case_, Aspect::result};
    add_failure("this test case is not named \"KERNEL: result\", \"KERNEL: technique\" or \"KERNEL: safety\"",
                {}, true);
  }
}

void Record::add_launch(SharedReport launch, std::optional<unsigned> n, std::string schedule) {
  if (is_in_case_) latest_ = {std::move(launch), n, std::move(schedule)};
}

void Record::add_failure(std::string sentence, std::vector<simulator::Finding> findings, bool is_broken,
                         std::vector<report::LineShare> lines) {
  Failure failure{.test_case = test_case_,
                  .sentence = std::move(sentence),
                  .findings = std::move(findings),
                  .is_broken = is_broken,
                  .lines = std::move(lines)};
  if (latest_.report) {
    failure.n = latest_.n.value_or(0);
    failure.block = latest_.report->block[0];
    failure.schedule = latest_.schedule;
  }
  if (!is_in_case_) {
    failure.test_case.clear();
    stray_ = std::move(failure);
    return;
  }
  has_failed_here_ = true;
  verdict_of(*current_).failures.push_back(std::move(failure));
}

void Record::add_out_of_memory(std::string sentence) {
  add_failure(std::move(sentence), {}, true);
  if (is_in_case_) verdict_of(*current_).failures.back().is_out_of_memory = true;
}

Failure Record::take_failure() {
  std::vector<Failure>& failures = verdict_of(*current_).failures;
  Failure last = std::move(failures.back());
  failures.pop_back();
  has_failed_here_ = false;
  return last;
}

void Record::add_again(Failure failure) {
  has_failed_here_ = true;
  verdict_of(*current_).failures.push_back(std::move(failure));
}

void Record::end_case() {
  if (!is_in_case_) return;
  if (const auto complaint = unread_launches().complaint(); complaint && !has_failed_here_)
    add_failure(*complaint, {}, true);
  Verdict& verdict = verdict_of(*current_);
  verdict.outcome = verdict.failures.empty() ? Outcome::passed : Outcome::failed;
  is_in_case_ = false;
  latest_ = {};
  current_.reset();
}

const Verdict* Record::find(std::string_view kernel, Aspect aspect) const {
  const auto found = std::find_if(verdicts_.begin(), verdicts_.end(), [&](const Verdict& verdict) {
    return verdict.kernel == kernel && verdict.aspect == aspect;
  });
  return found == verdicts_.end() ? nullptr : &*found;
}

Outcome Record::outcome(std::string_view kernel, Aspect aspect) const {
  const Verdict* verdict = find(kernel, aspect);
  return verdict == nullptr ? Outcome::not_checked : verdict->outcome;
}

bool Record::all_passed() const {
  return std::all_of(verdicts_.begin(), verdicts_.end(),
                     [](const Verdict& verdict) { return verdict.outcome == Outcome::passed; });
}

bool Record::has_broken() const {
  return std::any_of(verdicts_.begin(), verdicts_.end(), [](const Verdict& verdict) {
    return std::any_of(verdict.failures.begin(), verdict.failures.end(),
                       [](const Failure& failure) { return failure.is_broken; });
  });
}

std::optional<Failure> Record::take_stray() { return std::exchange(stray_, std::nullopt); }

Verdict& Record::verdict_of(const CheckName& name) {
  for (Verdict& verdict : verdicts_) {
    if (verdict.kernel == name.kernel && verdict.aspect == name.aspect) return verdict;
  }
  return verdicts_.emplace_back(Verdict{name.kernel, name.aspect, Outcome::not_checked, {}, {}});
}

Record& record() {
  static Record the_record;
  return the_record;
}

}  // namespace warpwise::harness
