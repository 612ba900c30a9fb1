#include "chapter.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace warpwise::harness {

namespace {
/// What this executable is about: filled in before main, and the same from then on.
struct Registered {
  std::optional<CheckedChapter> chapter;
  std::vector<ChapterKernel> kernels;
  std::vector<RegisteredCheck> checks;
};
Registered& registered() {
  static Registered all;
  return all;
}

void register_check(std::string_view kernel, CheckOf check, const char* file, int line) {
  std::string name = std::string(kernel) + ": " + std::string(name_of(check.aspect));
  if (!check.note.empty()) name += ", " + check.note;
  registered().checks.push_back({std::move(name), std::string(kernel), std::move(check), file, line});
}
}  // namespace

const ChapterKernel* CheckedChapter::find(std::string_view kernel) const {
  const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const ChapterKernel& entry) {
    return entry.kernel.text == kernel ||
           std::any_of(entry.family.begin(), entry.family.end(),
                       [&](const KernelName& member) { return member.text == kernel; });
  });
  return found == kernels.end() ? nullptr : &*found;
}

RegisterChapter::RegisterChapter(const CheckedChapter& chapter) { registered().chapter = chapter; }

RegisterKernels::RegisterKernels(const std::vector<ChapterKernel>& kernels, const char* file, int line) {
  for (const ChapterKernel& entry : kernels) {
    registered().kernels.push_back(entry);
    for (const CheckOf& check : entry.checks) register_check(entry.kernel.text, check, file, line);
  }
}

RegisterCheck::RegisterCheck(std::string_view kernel, CheckOf check, const char* file, int line) {
  register_check(kernel, std::move(check), file, line);
}

const CheckedChapter& chapter() {
  if (!registered().chapter)
    throw std::logic_error("no chapter is registered: one of its checks' files needs a RegisterChapter");
  static const CheckedChapter the_chapter = [] {
    std::vector<ChapterKernel>& kernels = registered().kernels;
    std::stable_sort(kernels.begin(), kernels.end(), [](const ChapterKernel& a, const ChapterKernel& b) {
      return a.kernel.line < b.kernel.line;
    });
    CheckedChapter chapter = *registered().chapter;
    chapter.kernels = kernels;
    return chapter;
  }();
  return the_chapter;
}

const std::vector<RegisteredCheck>& registered_checks() { return registered().checks; }

}  // namespace warpwise::harness
