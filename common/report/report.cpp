#include "report.hpp"

#include <algorithm>
#include <iterator>

namespace warpwise::report {

namespace {

template <class T>
void move_behind(std::vector<T>& all, std::vector<T>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

template <class T, class Fits>
const T* find_first(const std::vector<T>& all, Fits fits) {
  const auto found = std::find_if(all.begin(), all.end(), fits);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name_of(Aspect aspect) {
  constexpr std::string_view names[] = {"result", "technique", "safety"};
  return names[static_cast<std::size_t>(aspect)];
}

std::string_view name_of(Outcome outcome) {
  constexpr std::string_view names[] = {"not checked", "passed", "failed"};
  return names[static_cast<std::size_t>(outcome)];
}

void Report::append(Report other) {
  move_behind(chapters, other.chapters);
  move_behind(launches, other.launches);
  move_behind(verdicts, other.verdicts);
}

const Verdict* Report::verdict(std::string_view chapter, std::string_view kernel, Aspect aspect) const {
  return find_first(verdicts, [&](const Verdict& one) {
    return one.chapter == chapter && one.kernel == kernel && one.aspect == aspect;
  });
}

Outcome Report::outcome(std::string_view chapter, std::string_view kernel, Aspect aspect) const {
  const Verdict* found = verdict(chapter, kernel, aspect);
  return found == nullptr ? Outcome::not_checked : found->outcome;
}

bool Report::is_right(std::string_view chapter, std::string_view kernel) const {
  return std::all_of(std::begin(all_aspects), std::end(all_aspects),
                     [&](Aspect aspect) { return outcome(chapter, kernel, aspect) == Outcome::passed; });
}

const Launch* Report::launch(std::string_view chapter, std::string_view kernel, bool is_simulated) const {
  return find_first(launches, [&](const Launch& one) {
    return one.chapter == chapter && one.report.kernel == kernel && one.is_simulated == is_simulated;
  });
}

bool Report::has_findings() const {
  return std::any_of(launches.begin(), launches.end(),
                     [](const Launch& launch) { return !launch.report.findings.empty(); });
}

}  // namespace warpwise::report
