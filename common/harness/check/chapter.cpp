#include "chapter.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace warpwise::harness {

namespace {
std::optional<Chapter>& registered_chapter() {
  static std::optional<Chapter> the_chapter;
  return the_chapter;
}
}  // namespace

const Exhibit* Chapter::find(std::string_view kernel) const {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(), [&](const Exhibit& exhibit) {
    return exhibit.kernel.text == kernel ||
           std::any_of(exhibit.family.begin(), exhibit.family.end(),
                       [&](const KernelName& member) { return member.text == kernel; });
  });
  return found == exhibits.end() ? nullptr : &*found;
}

RegisterChapter::RegisterChapter(const Chapter& chapter) { registered_chapter() = chapter; }

const Chapter& chapter() {
  if (!registered_chapter())
    throw std::logic_error("no chapter is registered: checks.cpp needs a RegisterChapter");
  return *registered_chapter();
}

}  // namespace warpwise::harness
