#include "solution_lines.hpp"

#include <algorithm>
#include <utility>

#include "../../text/characters.hpp"

namespace warpwise::course {
namespace {

/// How SVG, HTML and JSON write a character of code.
constexpr std::array<std::pair<std::string_view, char>, 15> escapes = {{{"&lt;", '<'},
                                                                        {"&gt;", '>'},
                                                                        {"&quot;", '"'},
                                                                        {"&apos;", '\''},
                                                                        {"&amp;", '&'},
                                                                        {"&#39;", '\''},
                                                                        {"&#34;", '"'},
                                                                        {"&#60;", '<'},
                                                                        {"&#62;", '>'},
                                                                        {"&#38;", '&'},
                                                                        {"&#160;", ' '},
                                                                        {"&nbsp;", ' '},
                                                                        {"\\u003c", '<'},
                                                                        {"\\u003e", '>'},
                                                                        {"\\u0026", '&'}}};

constexpr std::string_view no_break_space = "\xc2\xa0";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool is_mark(char c) {
  return c == '+' || c == '-' || c == '>' || c == '*' || c == '|' || c == '#';
}

/// Reads a text from its beginning to its end, once.
class Reader {
 public:
  Reader(Reading reading, std::string_view text) : reading_(reading), text_(text) {
    result_.characters.reserve(text.size());
  }

  ReadText result() && {
    while (at_ < text_.size())
      if (!skip_left_out()) take_character();
    return std::move(result_);
  }

 private:
  bool is_next(std::string_view word) const { return text_.compare(at_, word.size(), word) == 0; }

  /// Goes on to `end`, and notes where the lines between begin.
  bool skip_to(std::size_t end) {
    for (; at_ < end; ++at_)
      if (text_[at_] == '\n') {
        result_.line_starts.push_back(result_.characters.size());
        is_line_start_ = true;
      }
    return true;
  }

  bool skip_left_out() {
    if (is_blank(text_[at_])) return skip_to(at_ + 1);
    if (is_next(no_break_space)) return skip_to(at_ + no_break_space.size());
    if (reading_ == Reading::as_written) return false;
    if (is_line_start_ && is_mark(text_[at_])) return skip_to(at_ + 1);
    return reading_ == Reading::as_code ? skip_comment() : skip_sign_or_tag();
  }

  bool skip_comment() {
    if (is_next("//")) return skip_to(std::min(text_.find('\n', at_), text_.size()));
    if (!is_next("/*")) return false;
    const std::size_t end = text_.find("*/", at_ + 2);
    return skip_to(end == text_.npos ? at_ + 2 : end + 2);  // nobody closes it: a pattern such as accepted/**
  }

  /// Code that is commented out may have a comment of its own: where that ends on its line, it goes.
  bool skip_sign_or_tag() {
    if (is_next("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      if (end < text_.find('\n', at_)) return skip_to(end + 2);
    }
    if (is_next("//") || is_next("/*") || is_next("*/")) return skip_to(at_ + 2);
    if (text_[at_] != '<' || at_ + 1 == text_.size()) return false;
    const char next = text_[at_ + 1];
    if (!text::is_letter(next) && next != '/' && next != '!') return false;
    const std::size_t end = text_.find_first_of("<>", at_ + 1);
    return end != text_.npos && text_[end] == '>' && skip_to(end + 1);
  }

  void take_character() {
    is_line_start_ = false;
    for (const auto& [written, meant] : escapes)
      if (text_[at_] == written[0] && is_next(written)) {
        if (meant != ' ') result_.characters += meant;
        at_ += written.size();
        return;
      }
    if (text_[at_] != '\\') {
      result_.characters += text_[at_++];
      return;
    }
    while (at_ < text_.size() && text_[at_] == '\\') ++at_;  // JSON in JSON has several
    if (at_ < text_.size() && (text_[at_] == 'n' || text_[at_] == 't' || text_[at_] == 'r')) ++at_;
  }

  Reading reading_;
  std::string_view text_;
  std::size_t at_ = 0;
  bool is_line_start_ = true;  // nothing was taken of this line yet
  ReadText result_{{}, {0}};
};

}  // namespace

std::size_t ReadText::line_of(std::size_t at) const {
  return static_cast<std::size_t>(std::upper_bound(line_starts.begin(), line_starts.end(), at) -
                                  line_starts.begin());
}

ReadText read_as(Reading reading, std::string_view text) { return Reader(reading, text).result(); }

}  // namespace warpwise::course
