#include "difference.hpp"

#include <algorithm>
#include <utility>

#include "source.hpp"

namespace warpwise::text {
namespace {

/// One place of a difference.
struct Hunk {
  std::size_t line = 0;  ///< of its first line in the page
  Lines before, after;
};

std::vector<Hunk> hunks_of(const Difference& difference) {
  std::vector<Hunk> hunks(1, Hunk{difference.line, {}, {}});
  for (std::size_t i = 0; i < difference.lines.size(); ++i) {
    const std::string& line = difference.lines[i];
    const std::size_t number = difference.line + i;
    if (line.starts_with("@@")) {
      hunks.push_back({number + 1, {}, {}});
      continue;
    }
    const char mark = line.empty() ? ' ' : line.front();
    const std::string rest = line.empty() ? "" : line.substr(1);
    if (mark != ' ' && mark != '-' && mark != '+')
      throw error_at(difference.page, number, "a line of a difference begins with a blank, '-' or '+'");
    if (mark != '+') hunks.back().before.push_back(rest);
    if (mark != '-') hunks.back().after.push_back(rest);
  }
  for (const Hunk& hunk : hunks) {
    if (hunk.before.empty())
      throw error_at(difference.page, hunk.line,
                     "a difference needs a line of " + difference.against + ", to say where it belongs");
    if (hunk.before == hunk.after)
      throw error_at(difference.page, hunk.line, "a difference without '-' and '+' changes nothing");
  }
  return hunks;
}

/// Where `wanted` stands in `lines`, line below line.
std::vector<std::size_t> places_of(const Lines& wanted, const Lines& lines) {
  std::vector<std::size_t> places;
  for (auto at = lines.begin(); at != lines.end(); ++at) {
    at = std::search(at, lines.end(), wanted.begin(), wanted.end());
    if (at == lines.end()) break;
    places.push_back(static_cast<std::size_t>(at - lines.begin()));
  }
  return places;
}

/// The one place of `hunk` in `lines`.
std::size_t place_of(const Difference& difference, const Hunk& hunk, const Lines& lines) {
  const auto places = places_of(hunk.before, lines);
  if (places.empty())
    throw error_at(difference.page, hunk.line,
                   difference.name + " no longer applies: " + difference.against +
                       " does not have the lines from '" + hunk.before.front() + "' on");
  if (places.size() > 1)
    throw error_at(difference.page, hunk.line,
                   difference.name + " applies at " + std::to_string(places.size()) + " places of " +
                       difference.against + ": add a line above or below '" + hunk.before.front() + "'");
  return places.front();
}

std::string with_hunks(const Difference& difference, std::string_view text) {
  const Lines lines = lines_of(text);
  std::vector<std::pair<std::size_t, Hunk>> placed;
  for (Hunk& hunk : hunks_of(difference)) {
    const std::size_t place = place_of(difference, hunk, lines);
    placed.emplace_back(place, std::move(hunk));
  }
  std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Lines result;
  std::size_t at = 0;
  for (const auto& [place, hunk] : placed) {
    if (place < at)
      throw error_at(difference.page, hunk.line, difference.name + ": two places of the difference overlap");
    result.insert(result.end(), lines.begin() + static_cast<long>(at),
                  lines.begin() + static_cast<long>(place));
    result.insert(result.end(), hunk.after.begin(), hunk.after.end());
    at = place + hunk.before.size();
  }
  result.insert(result.end(), lines.begin() + static_cast<long>(at), lines.end());
  return joined(result);
}

/// `text` with the functions of the block, together, in place of those that are called alike.
std::string with_block(const Difference& difference, std::string_view text) {
  const std::string block = joined(difference.lines);
  std::vector<std::string> own{difference.replaces};
  const Source of_block(block), source{std::string(text)};
  for (const Function& function : of_block.functions()) own.push_back(function.name);
  std::string result;
  bool is_placed = false;
  std::size_t at = 0;
  for (const Function& function : source.functions()) {
    if (std::find(own.begin(), own.end(), function.name) == own.end()) continue;
    result += text.substr(at, function.start - function.comment.size() - at);
    if (!is_placed) result += block + '\n';
    is_placed = true;
    at = std::min(text.find_first_not_of('\n', function.start + function.code.size()), text.size());
  }
  if (!is_placed)
    throw error_at(
        difference.page, difference.line,
        difference.name + " no longer applies: " + difference.against + " has no function of the block");
  result += text.substr(at);
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

}  // namespace

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<std::string> names_in_heading(std::string_view heading) {
  std::vector<std::string> names;
  for (std::size_t open = heading.find('`'); open != heading.npos;) {
    const std::size_t close = heading.find('`', open + 1);
    if (close == heading.npos) break;
    names.emplace_back(heading.substr(open + 1, close - open - 1));
    open = heading.find('`', close + 1);
  }
  return names;
}

PageError error_at(const std::string& page, std::size_t line, const std::string& sentence) {
  return PageError(page + ":" + std::to_string(line) + ": " + sentence);
}

void read_block(const Lines& page, std::size_t& at, Difference& block) {
  const std::string language = page[at].substr(3);
  block.is_block = language == "cuda" || language.starts_with("cuda ");
  if (language != "diff" && !block.is_block)
    throw error_at(block.page, at + 1, "a block is ```diff or ```cuda, not ```" + language);
  if (language.starts_with("cuda ")) block.replaces = language.substr(5);
  block.line = at + 2;
  for (++at; at < page.size() && page[at] != "```"; ++at) block.lines.push_back(page[at]);
  if (at == page.size()) throw error_at(block.page, block.line - 1, "no line ``` ends the block");
}

std::string with_difference(const Difference& difference, std::string_view text) {
  return difference.is_block ? with_block(difference, text) : with_hunks(difference, text);
}

}  // namespace warpwise::text
