#include "standing.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "../harness/functions.hpp"
#include "../harness/hash.hpp"
#include "../harness/paint.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

fs::path memory_of(const Chapter& chapter) { return chapter.built / "judged"; }

Judgement last_judgement(const Chapter& chapter) {
  return parse_judgement(text_or_nothing(memory_of(chapter)));
}

Standing standing_of(const std::string& kernel, const std::string& source, const Judgement& judgement) {
  const auto judged = judgement.is_right.find(kernel);
  if (judged != judgement.is_right.end() && judged->second) return Standing::right;
  if (harness::is_skeleton(source, kernel)) return Standing::unwritten;
  return judged == judgement.is_right.end() ? Standing::unjudged : Standing::wrong;
}

/// Whether anything of it was checked and nothing failed: some kernels have no check of one aspect.
bool is_right(const report::Report& report, const report::Chapter& chapter, const std::string& kernel) {
  bool is_checked = false;
  for (const report::Aspect aspect : report::all_aspects) {
    const report::Outcome outcome = report.outcome(chapter.name, kernel, aspect);
    if (outcome == report::Outcome::failed) return false;
    is_checked = is_checked || outcome == report::Outcome::passed;
  }
  return is_checked;
}

bool is_judged(const report::Report& report, const report::Chapter& chapter, const std::string& kernel) {
  return std::any_of(report.verdicts.begin(), report.verdicts.end(), [&](const report::Verdict& verdict) {
    return verdict.chapter == chapter.name && verdict.kernel == kernel;
  });
}

}  // namespace

Judgement parse_judgement(std::string_view text) {
  std::istringstream words{std::string(text)};
  Judgement judgement;
  words >> judgement.fingerprint;
  for (std::string verdict, kernel; words >> verdict >> kernel;)
    judgement.is_right[kernel] = verdict == "right";
  return judgement;
}

std::string spelled(const Judgement& judgement) {
  std::string text = judgement.fingerprint + "\n";
  for (const auto& [kernel, is_right] : judgement.is_right)
    text += (is_right ? "right " : "wrong ") + kernel + "\n";
  return text;
}

std::string fingerprint_of(const Chapter& chapter) {
  const std::uint64_t exercise = harness::hash_of(text_or_nothing(chapter.exercise()));
  return harness::hexadecimal(harness::hash_of(text_or_nothing(chapter.folder / "kernels.hpp"), exercise));
}

void remember(const Chapter& chapter, const std::string& fingerprint, const report::Report& report) {
  Judgement judgement = last_judgement(chapter);
  if (judgement.fingerprint != fingerprint) judgement = {fingerprint, {}};
  for (const report::Chapter& judged : report.chapters)
    for (const report::Kernel& kernel : judged.kernels)
      if (is_judged(report, judged, kernel.name)) {
        judgement.is_right[kernel.name] = is_right(report, judged, kernel.name);
        for (const std::string& member : kernel.family)
          judgement.is_right[member] = judgement.is_right[kernel.name];
      }
  fs::create_directories(chapter.built);
  std::ofstream(memory_of(chapter)) << spelled(judgement);
}

std::vector<KernelStanding> standings_of(const Chapter& chapter) {
  if (!fs::exists(chapter.exercise())) return {};
  const std::string source = read_text(chapter.exercise());
  Judgement judgement = last_judgement(chapter);
  if (judgement.fingerprint != fingerprint_of(chapter)) judgement.is_right.clear();
  std::vector<KernelStanding> standings;
  for (const harness::FunctionText& kernel : harness::kernels_in(source))
    standings.push_back({kernel.name, standing_of(kernel.name, source, judgement)});
  return standings;
}

std::string kernel_in_question(const std::vector<KernelStanding>& kernels) {
  for (const KernelStanding& kernel : kernels)
    if (kernel.standing == Standing::wrong || kernel.standing == Standing::unjudged) return kernel.kernel;
  return {};
}

std::optional<NextStep> next_step(const std::vector<Chapter>& chapters, std::string_view from) {
  std::vector<Chapter> in_order = chapters;
  const auto first = std::find_if(in_order.begin(), in_order.end(),
                                  [&](const Chapter& chapter) { return chapter.name == from; });
  if (first != in_order.end()) std::rotate(in_order.begin(), first, in_order.end());
  for (const Chapter& chapter : in_order) {
    const std::vector<KernelStanding> kernels = standings_of(chapter);
    if (kernels.empty()) return NextStep{chapter, {}};
    for (const KernelStanding& kernel : kernels)
      if (kernel.standing != Standing::right) return NextStep{chapter, kernel};
  }
  return std::nullopt;
}

std::string invitation(const NextStep& step, bool is_same_chapter) {
  const std::string file = shown(step.chapter.exercise());
  const std::string& kernel = step.kernel.kernel;
  const std::string name = step.chapter.name.substr(0, 4);
  if (kernel.empty())
    return "Next: the skeleton of " + file + " is gone; bring it back:\n  ./warpwise reset " + name + "\n";
  std::string text = "Next: ";
  if (step.kernel.standing == Standing::unjudged) {
    text += kernel + " in " + file + " is written, and waits to be judged:";
  } else if (step.kernel.standing == Standing::wrong) {
    text += kernel + " in " + file + " is not right yet:";
  } else if (is_same_chapter) {
    text += "write " + kernel + " in " + file + ", then";
  } else {
    text +=
        "read " + shown(step.chapter.folder / "README.md") + ", write " + kernel + " in " + file + ", then";
  }
  return harness::wrapped_text(text, 0, 0) + "\n  ./warpwise run " + name +
         (is_same_chapter ? " " + kernel : "") + "\n";
}

}  // namespace warpwise::cli
