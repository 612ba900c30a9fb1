#include "report.hpp"

#include <algorithm>
#include <iterator>

namespace warpwise::report {

namespace {

template <class T, class Fits>
const T* find_first(const std::vector<T>& all, Fits fits) {
  const auto found = std::find_if(all.begin(), all.end(), fits);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void Report::append(Report other) {
  std::move(other.chapters.begin(), other.chapters.end(), std::back_inserter(chapters));
  std::move(other.launches.begin(), other.launches.end(), std::back_inserter(launches));
  std::move(other.verdicts.begin(), other.verdicts.end(), std::back_inserter(verdicts));
}

void Report::add(std::string_view chapter, std::string_view kernel, Aspect aspect,
                 std::vector<Failure> failures, Proofs proofs) {
  auto at = std::find_if(verdicts.begin(), verdicts.end(), [&](const Verdict& one) {
    return one.chapter == chapter && one.kernel == kernel && one.aspect == aspect;
  });
  if (at == verdicts.end())
    at = verdicts.insert(at, {std::string(kernel), aspect, Outcome::passed, {}, std::string(chapter), {}});
  if (!failures.empty()) at->outcome = Outcome::failed;
  std::move(failures.begin(), failures.end(), std::back_inserter(at->failures));
  at->proofs.add(std::move(proofs));
}

void Proofs::add(Proofs other) {
  const auto join = [](std::vector<std::string>& all, std::vector<std::string>& more) {
    for (std::string& each : more)
      if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(std::move(each));
  };
  join(proved_at, other.proved_at);
  join(tried_at, other.tried_at);
  join(hindered_at, other.hindered_at);
  std::erase_if(proved_at, [&](const std::string& each) {
    return std::find(hindered_at.begin(), hindered_at.end(), each) != hindered_at.end();
  });
  std::erase_if(tried_at, [&](const std::string& each) {
    return std::find(proved_at.begin(), proved_at.end(), each) != proved_at.end();
  });
  if (why_tried.empty()) why_tried = std::move(other.why_tried);
}

std::string spelled(const Proofs& proofs) {
  const auto sizes = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " size" : " sizes");
  };
  const std::size_t proved = proofs.proved_at.size(), tried = proofs.tried_at.size();
  if (proved == 0) return tried == 0 ? "" : "tried at " + sizes(tried);
  return "proved for every value at " + sizes(proved) +
         (tried == 0 ? "" : ", tried at " + std::to_string(tried) + " more");
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
  bool is_checked = false;
  for (const Aspect aspect : all_aspects) {
    const Outcome one = outcome(chapter, kernel, aspect);
    if (one == Outcome::failed) return false;
    is_checked = is_checked || one == Outcome::passed;
  }
  return is_checked;
}

std::vector<const Failure*> Report::rejected_launches(std::string_view chapter,
                                                      std::string_view kernel) const {
  std::vector<const Failure*> all;
  const auto add = [&](Aspect aspect, bool with_findings) {
    const Verdict* const of_aspect = verdict(chapter, kernel, aspect);
    if (of_aspect == nullptr) return;
    const Failure* const found = find_first(of_aspect->failures, [&](const Failure& one) {
      return !one.is_broken && one.launch != 0 && (!with_findings || !one.findings.empty());
    });
    const bool is_new = std::none_of(all.begin(), all.end(), [&](const Failure* each) {
      return found != nullptr && each->test_case == found->test_case && each->launch == found->launch;
    });
    if (found != nullptr && is_new) all.push_back(found);
  };
  for (const Aspect aspect : {Aspect::safety, Aspect::result, Aspect::technique}) add(aspect, true);
  for (const Aspect aspect : all_aspects) add(aspect, false);
  return all;
}

const Launch* Report::launch(std::string_view chapter, std::string_view kernel, bool is_simulated) const {
  return find_first(launches, [&](const Launch& one) {
    return one.chapter == chapter && one.report.kernel == kernel && one.is_simulated == is_simulated;
  });
}

bool Report::has_ended_early() const {
  return std::any_of(launches.begin(), launches.end(),
                     [](const Launch& launch) { return !launch.report.completed; });
}

double PublishedTimes::of(std::string_view chapter, std::string_view kernel) const {
  const KernelTime* const time = find_first(
      kernels, [&](const KernelTime& one) { return one.chapter == chapter && one.kernel == kernel; });
  return time == nullptr ? 0 : time->gigabytes;
}

}  // namespace warpwise::report
