#include "standing.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "../harness/functions.hpp"
#include "../harness/hash.hpp"
#include "../print/terminal.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

fs::path memory_of(const Chapter& chapter) { return chapter.built / "judged"; }

/// The contract and the student's file, as they are now.
struct Texts {
  std::string contract, exercise;
};
Texts texts_of(const Chapter& chapter) {
  return {text_or_nothing(chapter.folder / "kernels.hpp"), text_or_nothing(chapter.exercise())};
}

/// `source` without the other kernels and the functions that only they call. What stands outside of functions
/// may call one, as macros do.
std::string own_text(const std::string& source, const std::string& kernel) {
  const std::vector<harness::FunctionText> functions = harness::functions_in(source);
  std::string text;
  std::size_t at = 0;
  for (const harness::FunctionText& function : functions) {
    text += source.substr(at, function.start - at);
    at = function.start + function.code.size();
    if (function.is_kernel && function.name == kernel) text += function.code;
  }
  text += source.substr(at);
  const std::vector<std::string> called = harness::names_reached(text, source);
  for (const harness::FunctionText& function : functions)
    if (!function.is_kernel && std::find(called.begin(), called.end(), function.name) != called.end())
      text += function.code;
  return text;
}

std::string fingerprint_of(const std::string& contract, const std::string& code) {
  return harness::hexadecimal(harness::hash_of(contract, harness::hash_of(code)));
}

std::string fingerprint_of(const std::string& kernel, const Texts& texts) {
  return fingerprint_of(texts.contract, harness::code_alone(own_text(texts.exercise, kernel)));
}

Judgements last_judgements(const Chapter& chapter) {
  return parse_judgements(text_or_nothing(memory_of(chapter)));
}

Standing standing_of(const std::string& kernel, const Texts& texts, const Judgements& judgements) {
  const auto judged = judgements.find(kernel);
  const bool is_judged =
      judged != judgements.end() && judged->second.fingerprint == fingerprint_of(kernel, texts);
  if (is_judged && judged->second.is_right) return Standing::right;
  if (harness::is_skeleton(texts.exercise, kernel)) return Standing::unwritten;
  return is_judged ? Standing::wrong : Standing::unjudged;
}

bool is_judged(const report::Report& report, const report::Chapter& chapter, const std::string& kernel) {
  return std::any_of(report.verdicts.begin(), report.verdicts.end(), [&](const report::Verdict& verdict) {
    return verdict.chapter == chapter.name && verdict.kernel == kernel;
  });
}

}  // namespace

Judgements parse_judgements(std::string_view text) {
  std::istringstream words{std::string(text)};
  Judgements judgements;
  for (std::string verdict, kernel, fingerprint; words >> verdict >> kernel >> fingerprint;)
    judgements[kernel] = {verdict == "right", fingerprint};
  return judgements;
}

std::string spelled(const Judgements& judgements) {
  std::string text;
  for (const auto& [kernel, judgement] : judgements)
    text += (judgement.is_right ? "right " : "wrong ") + kernel + ' ' + judgement.fingerprint + '\n';
  return text;
}

std::string fingerprint_of(const Chapter& chapter) {
  const Texts texts = texts_of(chapter);
  return fingerprint_of(texts.contract, harness::code_alone(texts.exercise));
}

void remember(const Chapter& chapter, const report::Report& report) {
  const Texts texts = texts_of(chapter);
  Judgements judgements = last_judgements(chapter);
  for (const report::Chapter& judged : report.chapters) {
    for (const report::Kernel& kernel : judged.kernels) {
      if (!is_judged(report, judged, kernel.name)) continue;
      const bool is_right = report.is_right(judged.name, kernel.name);
      judgements[kernel.name] = {is_right, fingerprint_of(kernel.name, texts)};
      for (const std::string& member : kernel.family)
        judgements[member] = {is_right, fingerprint_of(member, texts)};
    }
  }
  fs::create_directories(chapter.built);
  std::ofstream(memory_of(chapter)) << spelled(judgements);
}

std::vector<KernelStanding> standings_of(const Chapter& chapter) {
  if (!fs::exists(chapter.exercise())) return {};
  const Texts texts = texts_of(chapter);
  const Judgements judgements = last_judgements(chapter);
  std::vector<KernelStanding> standings;
  for (const harness::FunctionText& kernel : harness::kernels_in(texts.exercise))
    standings.push_back({kernel.name, standing_of(kernel.name, texts, judgements)});
  return standings;
}

std::string kernel_in_question(const std::vector<KernelStanding>& kernels) {
  for (const KernelStanding& kernel : kernels)
    if (kernel.standing == Standing::wrong || kernel.standing == Standing::unjudged) return kernel.kernel;
  return {};
}

std::string newly_right(const std::vector<KernelStanding>& before, const std::vector<KernelStanding>& now) {
  const auto was_right = [&](const KernelStanding& kernel) {
    return std::any_of(before.begin(), before.end(), [&](const KernelStanding& one) {
      return one.kernel == kernel.kernel && one.standing == Standing::right;
    });
  };
  std::string last;
  for (const KernelStanding& kernel : now)
    if (kernel.standing == Standing::right && !was_right(kernel)) last = kernel.kernel;
  return last;
}

std::optional<KernelStanding> next_kernel(const Chapter& chapter) {
  for (const KernelStanding& kernel : standings_of(chapter))
    if (kernel.standing != Standing::right) return kernel;
  return std::nullopt;
}

std::optional<NextStep> next_step(const std::vector<Chapter>& chapters, std::string_view from) {
  std::vector<Chapter> in_order = chapters;
  const auto first = std::find_if(in_order.begin(), in_order.end(),
                                  [&](const Chapter& chapter) { return chapter.name == from; });
  if (first != in_order.end()) std::rotate(in_order.begin(), first, in_order.end());
  for (const Chapter& chapter : in_order) {
    if (standings_of(chapter).empty()) return NextStep{chapter, {}};
    if (const auto kernel = next_kernel(chapter)) return NextStep{chapter, *kernel};
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
  const bool is_beginning = step.kernel.standing == Standing::unwritten && !is_same_chapter &&
                            step.chapter.name == chapters_of_this_clone().front().name;
  return (is_beginning ? "Never written a kernel? Begin with docs/first-kernel.md.\n" : "") +
         print::wrapped_text(text, 0, 0) + "\n  ./warpwise run " + name +
         (is_same_chapter ? " " + kernel : "") + "\n";
}

}  // namespace warpwise::cli
