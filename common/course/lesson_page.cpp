#include "lesson.hpp"

#include <algorithm>
#include <cctype>
#include <regex>

namespace warpwise::course {
namespace {

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == line.npos; }

std::string_view without_margin(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(' '), line.size()));
}

bool begins_item(std::string_view line) {
  line = without_margin(line);
  if (line.starts_with("- ") || line.starts_with("* ")) return true;
  const std::size_t digits = line.find_first_not_of("0123456789");
  return digits != line.npos && digits > 0 && line.substr(digits).starts_with(". ");
}

/// What a line begins where no block is open.
BlockKind kind_of(std::string_view line) {
  const bool is_indented = line.starts_with("    ");
  line = without_margin(line);
  if (line.starts_with("```") || is_indented) return BlockKind::code;
  if (line.starts_with("<!--")) return BlockKind::comment;
  if (line.starts_with("#")) return BlockKind::heading;
  if (line.starts_with("|")) return BlockKind::table;
  if (line.starts_with("![")) return BlockKind::picture;
  if (line.starts_with("<details")) return BlockKind::details;
  if (line.starts_with("<summary")) return BlockKind::summary;
  if (line.starts_with("</details")) return BlockKind::end_of_details;
  return begins_item(line) ? BlockKind::item : BlockKind::paragraph;
}

bool is_one_line(BlockKind kind) {
  return kind == BlockKind::heading || kind == BlockKind::picture || kind == BlockKind::details ||
         kind == BlockKind::summary || kind == BlockKind::end_of_details;
}

/// Reads a page line by line.
class Reader {
 public:
  explicit Reader(std::string_view page) : lines_(text::lines_of(page)) {}

  std::vector<Block> read() {
    while (at_ < lines_.size()) {
      if (is_blank(lines_[at_]))
        ++at_;
      else
        read_block();
    }
    return std::move(blocks_);
  }

 private:
  void read_block() {
    Block block{.kind = kind_of(lines_[at_]), .line = at_ + 1, .text = lines_[at_++]};
    const std::string_view first = without_margin(block.text);
    if (first.starts_with("```")) {
      block.info = first.substr(3);
      block.text.clear();
      while (at_ < lines_.size() && !without_margin(lines_[at_]).starts_with("```")) append(block);
      ++at_;
    } else if (block.kind == BlockKind::comment) {
      while (block.text.find("-->") == std::string::npos && at_ < lines_.size()) append(block);
    } else if (block.kind == BlockKind::heading) {
      block.info = first.substr(0, first.find_first_not_of('#'));
      block.text = without_margin(first.substr(block.info.size()));
    } else if (!is_one_line(block.kind)) {
      while (at_ < lines_.size() && continues(block.kind, lines_[at_])) append(block);
    }
    blocks_.push_back(std::move(block));
  }

  static bool continues(BlockKind open, std::string_view line) {
    if (is_blank(line)) return false;
    if (open == BlockKind::table || open == BlockKind::code) return kind_of(line) == open;
    const BlockKind kind = kind_of(without_margin(line));  // prose may be indented as its list is
    return kind == BlockKind::paragraph;
  }

  void append(Block& block) {
    if (!block.text.empty()) block.text += '\n';
    block.text += lines_[at_++];
  }

  text::Lines lines_;
  std::size_t at_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<Block> read_page(std::string_view page) { return Reader(page).read(); }

std::string visible(std::string_view prose) {
  static const std::regex link(R"(\]\([^)\s]*\))"), tag("</?[a-z][^>]*>"), marks(R"(\*\*|\[)");
  std::string text = std::regex_replace(std::string(prose), link, "");
  text = std::regex_replace(text, tag, "");
  return std::regex_replace(text, marks, "");
}

std::string without_code(std::string_view prose) {
  static const std::regex code("`[^`]*`");
  return std::regex_replace(std::string(prose), code, "code");
}

std::string anchor_of(std::string_view heading) {
  std::string anchor;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ')
      anchor += '-';
    else if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80)
      anchor += static_cast<char>(std::tolower(byte));
  }
  return anchor;
}

}  // namespace warpwise::course
