// What a page tells before `predict` asks it.

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <sstream>

#include "../text/predictions.hpp"
#include "lesson.hpp"

namespace warpwise::course {
namespace {

/// "16384" of "16 384": a blank between digits, with three of them behind it.
std::string without_thousands(const std::string& text) {
  static const std::regex blank(R"((\d) (\d{3})(?!\d))");
  return std::regex_replace(text, blank, "$1$2");
}

/// Whether `text` has the number, and not as a part of another, or of a name.
bool has_number(const std::string& text, const std::string& number) {
  const std::string all = without_thousands(text);
  const auto joins = [&](std::size_t at) {
    const auto c = at < all.size() ? static_cast<unsigned char>(all[at]) : ' ';
    const bool is_point =
        c == '.' && at + 1 < all.size() && std::isdigit(static_cast<unsigned char>(all[at + 1])) != 0;
    return std::isalnum(c) != 0 || c == '_' || c == '^' || is_point;
  };
  for (std::size_t at = all.find(number); at != all.npos; at = all.find(number, at + 1))
    if ((at == 0 || (!joins(at - 1) && all[at - 1] != '.')) && !joins(at + number.size())) return true;
  return false;
}

std::string answer_of(const text::Question& question) {
  const std::vector<text::Equation> equations = text::equations_in(question.why);
  if (equations.empty()) return {};
  std::string answer = without_thousands(equations.back().right);
  answer.erase(0, answer.find_first_not_of(' '));
  return answer.substr(0, answer.find_last_not_of(' ') + 1);
}

/// What a reader sees at once, piece by piece: a line of what stands in a block of code, else a whole block.
std::vector<Block> pieces_of(const Block& block) {
  if (block.kind != BlockKind::code) return {block};
  std::vector<Block> lines;
  std::istringstream text(block.text);
  std::size_t number = block.line;
  for (std::string line; std::getline(text, line);) lines.push_back({block.kind, ++number, line, {}});
  return lines;
}

/// Such small numbers stand everywhere: on a screen 0 and 1, in a sentence those of one digit.
bool says_something(const std::string& answer, bool is_code) {
  return answer.size() > 1 || (is_code && answer > "1");
}

/// The line that tells the answer of `question` above line `end`.
std::optional<std::size_t> line_that_tells(const std::vector<Block>& shown, std::size_t end,
                                           const text::Question& question) {
  const std::string answer = answer_of(question);
  const std::string& kernel = question.run.kernel;
  if (answer.empty() || kernel.empty()) return std::nullopt;
  for (const Block& block : shown)
    if (block.line < end && says_something(answer, block.kind == BlockKind::code) &&
        block.text.find(kernel) != block.text.npos && has_number(block.text, answer))
      return block.line;
  return std::nullopt;
}

}  // namespace

std::vector<Breach> check_predictions(std::string_view page, const std::vector<text::Section>& sections) {
  std::vector<Block> shown;
  std::size_t folds = 0;
  for (const Block& block : read_page(page)) {
    if (block.kind == BlockKind::details) ++folds;
    if (block.kind == BlockKind::end_of_details && folds > 0) --folds;
    if (folds > 0 || block.kind == BlockKind::comment) continue;
    for (Block& piece : pieces_of(block)) shown.push_back(std::move(piece));
  }
  std::vector<Breach> breaches;
  for (const text::Section& section : sections) {
    const std::regex asked("\\./warpwise predict\\s+ch[0-9]+\\s+" + section.name + "\\b");
    const auto place = std::find_if(shown.begin(), shown.end(),
                                    [&](const Block& block) { return std::regex_search(block.text, asked); });
    if (place == shown.end()) continue;  // another page asks
    for (const text::Question& question : section.questions)
      if (const auto line = line_that_tells(shown, place->line, question))
        breaches.push_back({*line, "tells that `" + question.run.kernel + "` has " + answer_of(question) +
                                       ", which line " + std::to_string(place->line) + " asks: \"" +
                                       question.prompt + "\""});
  }
  return breaches;
}

}  // namespace warpwise::course
