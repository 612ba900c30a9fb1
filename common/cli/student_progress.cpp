#include "student_progress.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "../print/terminal.hpp"
#include "../text/files.hpp"
#include "../text/source.hpp"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

fs::path memory_of(const ChapterFolder& chapter) { return chapter.built / "judged"; }

bool is_judged(const report::Report& report, const report::Chapter& chapter, const std::string& kernel) {
  return std::any_of(report.verdicts.begin(), report.verdicts.end(), [&](const report::Verdict& verdict) {
    return verdict.chapter == chapter.name && verdict.kernel == kernel;
  });
}

/// A line for each kernel, "right reduce_naive 0123456789abcdef" or "wrong ...".
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

}  // namespace

ChapterProgress::ChapterProgress(ChapterFolder chapter)
    : chapter_(std::move(chapter)), judgements_(parse_judgements(text_or_nothing(memory_of(chapter_)))) {
  look();
}

const std::string& ChapterProgress::fingerprint(const std::string& kernel) {
  std::string& known = fingerprints_[kernel];
  if (known.empty()) {
    const std::string code = text::code_alone(chapter_.exercise().own_text(kernel));
    known = text::hexadecimal(text::hash_of(chapter_.contract_text(), text::hash_of(code)));
  }
  return known;
}

void ChapterProgress::look() {
  kernels_.clear();
  for (const std::string& kernel : chapter_.exercise().kernels()) {
    const auto judged = judgements_.find(kernel);
    const bool is_judged = judged != judgements_.end() && judged->second.fingerprint == fingerprint(kernel);
    KernelState state = is_judged ? KernelState::wrong : KernelState::unjudged;
    if (is_judged && judged->second.is_right)
      state = KernelState::right;
    else if (chapter_.exercise().is_skeleton(kernel))
      state = KernelState::unwritten;
    kernels_.push_back({kernel, state});
  }
}

std::size_t ChapterProgress::count_right() const {
  return static_cast<std::size_t>(
      std::count_if(kernels_.begin(), kernels_.end(),
                    [](const KernelProgress& kernel) { return kernel.state == KernelState::right; }));
}

bool ChapterProgress::is_right(std::string_view name) const {
  return std::any_of(kernels_.begin(), kernels_.end(), [&](const KernelProgress& kernel) {
    return kernel.kernel == name && kernel.state == KernelState::right;
  });
}

std::optional<KernelProgress> ChapterProgress::next() const {
  for (const KernelProgress& kernel : kernels_)
    if (kernel.state != KernelState::right) return kernel;
  return std::nullopt;
}

std::string ChapterProgress::kernel_in_question() const {
  for (const KernelProgress& kernel : kernels_)
    if (kernel.state == KernelState::wrong || kernel.state == KernelState::unjudged) return kernel.kernel;
  return {};
}

void ChapterProgress::take(const report::Report& report) {
  for (const report::Chapter& judged : report.chapters) {
    for (const report::Kernel& kernel : judged.kernels) {
      if (!is_judged(report, judged, kernel.name)) continue;
      const bool is_right = report.is_right(judged.name, kernel.name);
      judgements_[kernel.name] = {is_right, fingerprint(kernel.name)};
      for (const std::string& member : kernel.family) judgements_[member] = {is_right, fingerprint(member)};
    }
  }
  fs::create_directories(chapter_.built);
  text::write_text(memory_of(chapter_), spelled(judgements_));
  look();
}

bool have_same_code(const ChapterFolder& a, const ChapterFolder& b) {
  return a.contract_text() == b.contract_text() &&
         text::code_alone(a.exercise().text()) == text::code_alone(b.exercise().text());
}

std::string newly_right(const std::vector<KernelProgress>& before, const std::vector<KernelProgress>& now) {
  const auto was_right = [&](const KernelProgress& kernel) {
    return std::any_of(before.begin(), before.end(), [&](const KernelProgress& one) {
      return one.kernel == kernel.kernel && one.state == KernelState::right;
    });
  };
  std::string last;
  for (const KernelProgress& kernel : now)
    if (kernel.state == KernelState::right && !was_right(kernel)) last = kernel.kernel;
  return last;
}

std::vector<ChapterProgress> progress_of(const std::vector<ChapterFolder>& chapters) {
  return {chapters.begin(), chapters.end()};
}

std::optional<NextStep> next_step(const std::vector<ChapterProgress>& chapters, std::string_view from) {
  const auto first = std::find_if(chapters.begin(), chapters.end(), [&](const ChapterProgress& progress) {
    return progress.chapter().name == from;
  });
  const std::size_t begin = first == chapters.end() ? 0 : static_cast<std::size_t>(first - chapters.begin());
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const std::size_t place = (begin + i) % chapters.size();
    const ChapterProgress& progress = chapters[place];
    const std::optional<KernelProgress> kernel = progress.next();
    if (kernel || progress.kernels().empty())
      return NextStep{progress.chapter(), kernel.value_or(KernelProgress{}), place == 0};
  }
  return std::nullopt;
}

namespace {

/// Whether `name` is a word of the line.
bool has_word(const std::string& line, const std::string& name) {
  for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !text::is_of_name(line[at - 1])) && (end == line.size() || !text::is_of_name(line[end])))
      return true;
  }
  return false;
}

/// Whether a paragraph of the page asks to write `kernel`.
bool asks_to_write(const std::string& page, const std::string& kernel) {
  bool asks = false, names = false;
  for (const std::string& line : text::lines_of(page)) {
    if (line.empty()) asks = names = false;
    asks = asks || line.find("Write") != line.npos || line.find(" write ") != line.npos;
    names = names || has_word(line, kernel);
    if (asks && names) return true;
  }
  return false;
}

/// The page of the lesson that asks to write `kernel`; where none names it, that of the kernel above it in
/// the exercise.
fs::path page_of(const ChapterFolder& chapter, const std::string& kernel) {
  std::vector<fs::path> pages = {chapter.folder / "README.md"};
  for (const auto& entry : fs::directory_iterator(chapter.folder))
    if (entry.path().extension() == ".md" && entry.path() != chapter.hints_file() && entry.path() != pages[0])
      pages.push_back(entry.path());
  std::sort(pages.begin() + 1, pages.end());
  fs::path current = pages[0];
  for (const std::string& each : chapter.exercise().kernels()) {
    const auto found = std::find_if(pages.begin(), pages.end(), [&](const fs::path& page) {
      return asks_to_write(text_or_nothing(page), each);
    });
    if (found != pages.end()) current = *found;
    if (each == kernel) break;
  }
  return current;
}

}  // namespace

std::string invitation(const NextStep& step, bool is_same_chapter) {
  const std::string file = shown_path(step.chapter.exercise_file());
  const std::string& kernel = step.kernel.kernel;
  const std::string name = step.chapter.short_name();
  if (kernel.empty())
    return "Next: the skeleton of " + file + " is gone; bring it back:\n  ./warpwise reset " + name + "\n";
  std::string text = "Next: ";
  if (step.kernel.state == KernelState::unjudged) {
    text += kernel + " in " + file + " is written and waiting to be judged:";
  } else if (step.kernel.state == KernelState::wrong) {
    text += kernel + " in " + file + " is not right yet:";
  } else {
    const fs::path page = page_of(step.chapter, kernel);
    const bool is_at_hand = is_same_chapter && page.filename() == "README.md";
    text +=
        (is_at_hand ? "" : "read " + shown_path(page) + ", ") + "write " + kernel + " in " + file + ", then";
  }
  const bool is_beginning =
      step.kernel.state == KernelState::unwritten && !is_same_chapter && step.is_first_chapter;
  return (is_beginning ? "Never written a kernel? Start with docs/first-kernel.md.\n" : "") +
         print::wrapped_text(text, 0, 0) + "\n  ./warpwise run " + name +
         (is_same_chapter ? " " + kernel : "") + "\n";
}

}  // namespace warpwise::cli
