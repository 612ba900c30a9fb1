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
  std::vector<Exhibit> exhibits;
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

const Exhibit* CheckedChapter::find(std::string_view kernel) const {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(), [&](const Exhibit& exhibit) {
    return exhibit.kernel.text == kernel ||
           std::any_of(exhibit.family.begin(), exhibit.family.end(),
                       [&](const KernelName& member) { return member.text == kernel; });
  });
  return found == exhibits.end() ? nullptr : &*found;
}

RegisterChapter::RegisterChapter(const CheckedChapter& chapter) { registered().chapter = chapter; }

RegisterExhibits::RegisterExhibits(const std::vector<Exhibit>& exhibits, const char* file, int line) {
  for (const Exhibit& exhibit : exhibits) {
    registered().exhibits.push_back(exhibit);
    for (const CheckOf& check : exhibit.checks) register_check(exhibit.kernel.text, check, file, line);
  }
}

RegisterCheck::RegisterCheck(std::string_view kernel, CheckOf check, const char* file, int line) {
  register_check(kernel, std::move(check), file, line);
}

const CheckedChapter& chapter() {
  if (!registered().chapter)
    throw std::logic_error("no chapter is registered: one of its checks' files needs a RegisterChapter");
  static const CheckedChapter the_chapter = [] {
    std::vector<Exhibit>& exhibits = registered().exhibits;
    std::stable_sort(exhibits.begin(), exhibits.end(),
                     [](const Exhibit& a, const Exhibit& b) { return a.kernel.line < b.kernel.line; });
    CheckedChapter chapter = *registered().chapter;
    chapter.exhibits = exhibits;
    return chapter;
  }();
  return the_chapter;
}

const std::vector<RegisteredCheck>& registered_checks() { return registered().checks; }

}  // namespace warpwise::harness
