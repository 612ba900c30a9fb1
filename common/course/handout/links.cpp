#include "links.hpp"

#include <sstream>

namespace warpwise::course {
namespace {

using Exists = std::function<bool(const std::string& target)>;

/// The `[` that belongs to the `]` at `close`; npos: none.
std::size_t opening_bracket(const std::string& line, std::size_t close) {
  int depth = 0;
  for (std::size_t at = close + 1; at-- > 0;) {
    if (line[at] == ']') ++depth;
    if (line[at] == '[' && --depth == 0) return at;
  }
  return line.npos;
}

/// The file that `target` names; empty where it is an address, or a place of the same page.
std::string file_of(const std::string& target) {
  if (target.find(':') != target.npos) return {};
  return target.substr(0, target.find_first_of("# "));
}

std::string without_dead(std::string line, const Exists& exists) {
  for (std::size_t close = line.find("]("); close != line.npos; close = line.find("](", close + 1)) {
    const std::size_t open = opening_bracket(line, close);
    const std::size_t end = line.find(')', close);
    if (open == line.npos || end == line.npos) continue;
    const std::string file = file_of(line.substr(close + 2, end - close - 2));
    if (file.empty() || exists(file)) continue;
    const std::string text = line.substr(open + 1, close - open - 1);
    const bool is_picture = open > 0 && line[open - 1] == '!';
    const std::size_t begin = is_picture ? open - 1 : open;
    line.replace(begin, end + 1 - begin, is_picture ? "*" + text + "*" : text);
    close = begin;
  }
  return line;
}

}  // namespace

std::string without_dead_links(std::string_view page, const Exists& exists) {
  std::istringstream lines{std::string(page)};
  std::string text, comment;
  bool is_in_block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(line.find_first_not_of(' ') == line.npos ? 0 : line.find_first_not_of(' '), 3, "```") ==
        0)
      is_in_block = !is_in_block;
    const std::string kept = is_in_block ? line : without_dead(line, exists);
    if (kept == line) text += comment;  // else it is about a picture that is gone
    comment.clear();
    const bool is_comment = !is_in_block && line.starts_with("<!-- picture: ");
    (is_comment ? comment : text) += kept + '\n';
  }
  return text + comment;
}

}  // namespace warpwise::course
