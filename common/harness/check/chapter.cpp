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
};
Registered& registered() {
  static Registered all;
  return all;
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

void register_case(const KernelName& kernel, std::string_view note, Aspect aspect, std::function<void()> body,
                   const char* file, unsigned line) {
  struct Body final : Catch::ITestInvoker {
    explicit Body(std::function<void()> body) : body_(std::move(body)) {}
    void invoke() const override { body_(); }
    std::function<void()> body_;
  };
  using Owner = decltype(Catch::makeTestInvoker(std::declval<void (*)()>()));  // of Catch2 2 a plain pointer
  const std::string name(kernel.text);
  Catch::AutoReg(Owner(new Body(std::move(body))), Catch::SourceLineInfo(file, line), "",
                 {name + ": " + std::string(note), "[" + name + "][" + std::string(name_of(aspect)) + "]"});
}

RegisterChapter::RegisterChapter(const CheckedChapter& chapter) { registered().chapter = chapter; }

RegisterKernels::RegisterKernels(const std::vector<ChapterKernel>& kernels) {
  auto& all = registered().kernels;
  all.insert(all.end(), kernels.begin(), kernels.end());
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

}  // namespace warpwise::harness
