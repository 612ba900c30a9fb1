#include "unpredicted.hpp"

#include <algorithm>
#include <string_view>

namespace warpwise::print {
namespace {

/// Of which counters a figure tells: those whose name begins and ends like this.
struct Telling {
  const Figure* figure;
  std::string_view begin, end;
};
constexpr Telling tellings[] = {
    {&figures::divergent_branches, "divergent_branches", ""},
    {&figures::block_barriers, "block_barriers", ""},
    {&figures::shared_wavefronts, "shared_", "_wavefronts"},
    {&figures::bank_conflicts, "", "bank_conflicts"},
    {&figures::global_sectors, "global_", "_sectors"},
    {&figures::instructions_per_element, "warp_instructions", ""},
    {&figures::lanes_busy, "lanes_busy", ""},
};

/// Whether the arithmetic names such a counter.
bool names_one(std::string_view arithmetic, const Telling& telling) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz_";
  for (std::size_t at = 0; (at = arithmetic.find_first_of(letters, at)) != arithmetic.npos;) {
    const std::size_t end = std::min(arithmetic.find_first_not_of(letters, at), arithmetic.size());
    const std::string_view name = arithmetic.substr(at, end - at);
    if (name.starts_with(telling.begin) && name.ends_with(telling.end)) return true;
    at = end;
  }
  return false;
}

}  // namespace

bool is_unpredicted(const Figure& figure, const std::string& kernel, const std::vector<Unpredicted>& open) {
  return std::any_of(open.begin(), open.end(), [&](const Unpredicted& one) {
    return one.kernel == kernel &&
           std::any_of(std::begin(tellings), std::end(tellings), [&](const Telling& telling) {
             return telling.figure == &figure && names_one(one.counted, telling);
           });
  });
}

bool has_unpredicted(const std::string& kernel, const std::vector<Unpredicted>& open) {
  return std::any_of(open.begin(), open.end(), [&](const Unpredicted& one) { return one.kernel == kernel; });
}

std::string where_to_predict(const std::string& chapter, const std::vector<Unpredicted>& open) {
  std::vector<std::string> sections;
  for (const Unpredicted& one : open)
    if (std::find(sections.begin(), sections.end(), one.section) == sections.end())
      sections.push_back(one.section);
  std::string text;
  for (const std::string& section : sections)
    text +=
        (text.empty() ? "  ? predict them: ./warpwise predict " : "                  ./warpwise predict ") +
        chapter + ' ' + section + (text.empty() ? "  (or --counters)" : "") + '\n';
  return text;
}

}  // namespace warpwise::print
