#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "../../text/difference.hpp"
#include "../../text/source.hpp"
#include "handout.hpp"

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
  bool is_next(std::string_view word) const {
    return text_[at_] == word[0] && text_.compare(at_, word.size(), word) == 0;
  }

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
    const char first = text_[at_];
    if (first == '&' || first == '\\')
      for (const auto& [written, meant] : escapes)
        if (is_next(written)) {
          if (meant != ' ') result_.characters += meant;
          at_ += written.size();
          return;
        }
    if (first != '\\') {
      result_.characters += first;
      ++at_;
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

namespace {

constexpr std::size_t trivial_length = 12;

/// Declarations, barriers and conditions with which any kernel may begin, of whatever it computes.
constexpr std::array idioms = {
    std::string_view("const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"),
    std::string_view("const unsigned i = threadIdx.x;"),
    std::string_view("const unsigned tid = threadIdx.x;"),
    std::string_view("const unsigned lane = threadIdx.x;"),
    std::string_view("const unsigned lane = threadIdx.x % 32;"),
    std::string_view("const unsigned warp = threadIdx.x / 32;"),
    std::string_view("const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;"),
    std::string_view("if (threadIdx.x == 0) {"),
    std::string_view("if (tid < 32) {"),
    std::string_view("if (lane == 0) {"),
    std::string_view("if (lane < 16) {"),
    std::string_view("if (warp == 0) {"),
    std::string_view("if (i < n) {"),
    std::string_view("for (unsigned c = 0; c < 32; ++c) {"),
    std::string_view("if (tid == 0) out[blockIdx.x] = partial[0];"),
    std::string_view("__syncthreads();"),
    std::string_view("__syncwarp();"),
    std::string_view("__threadfence();"),
    std::string_view("#pragma unroll"),
    std::string_view("asm volatile("),
    std::string_view("float sum = 0.0f;"),
    std::string_view("unsigned first = 0;"),
    std::string_view("int ahead = 0;"),
    std::string_view("return peers;"),
};

/// One blank for many, none at the ends.
std::string spaced(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t' || c == '\r';
    if (!is_blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

bool is_anchor(std::string_view line) { return line.starts_with("// [") && line.ends_with(']'); }

/// Without what a reading may leave out at the start of a line.
std::string without_marks(std::string characters) {
  return characters.erase(0, std::min(characters.find_first_not_of("/+->*|#"), characters.size()));
}

/// `characters` has as many at least.
using Beginning = std::uint64_t;
Beginning beginning_of(std::string_view characters) {
  Beginning beginning = 0;
  std::memcpy(&beginning, characters.data(), sizeof beginning);
  return beginning;
}

/// Which two characters these are, as a number below 65536.
std::size_t first_two(std::string_view characters) {
  return static_cast<unsigned char>(characters[0]) * 256u + static_cast<unsigned char>(characters[1]);
}

}  // namespace

std::string code_of(std::string_view line) {
  const std::string text = spaced(line);
  if (is_anchor(text)) return {};
  if (text.starts_with("//")) return text;
  return spaced(std::string_view(text).substr(0, text.find("//")));
}

std::string spelled(const Leak& leak) {
  return std::to_string(leak.line) + " shows a line of " + leak.source + " (" + leak.code + ")";
}

void SolutionLines::add_given(std::string_view text) {
  given_ += read_as(Reading::as_written, text).characters + '\n';
}

bool SolutionLines::is_trivial(const std::string& code, const std::string& characters) const {
  return code.size() < trivial_length || characters.size() < sizeof(Beginning) ||
         given_.find(characters) != given_.npos ||
         std::find(idioms.begin(), idioms.end(), code) != idioms.end();
}

void SolutionLines::add_solution(const std::string& source, std::string_view text) {
  for (const std::string& kernel : text::Source(std::string(text)).kernels()) kernels_.insert(kernel);
  for (const std::string& line : text::lines_of(text)) {
    std::string code = code_of(line);
    std::string characters = without_marks(read_as(Reading::as_written, code).characters);
    const bool is_known = std::any_of(secrets_.begin(), secrets_.end(),
                                      [&](const Secret& secret) { return secret.characters == characters; });
    if (is_known || is_trivial(code, characters)) continue;
    begins_[first_two(characters)] = true;
    by_beginning_.emplace(beginning_of(characters), secrets_.size());
    secrets_.push_back({std::move(characters), std::move(code), source});
  }
}

std::optional<Leak> SolutionLines::find_in(const ReadText& text) const {
  const std::string_view characters = text.characters;
  for (std::size_t at = 0; at + sizeof(Beginning) <= characters.size(); ++at) {
    if (!begins_[first_two(characters.substr(at))]) continue;
    const auto [first, last] = by_beginning_.equal_range(beginning_of(characters.substr(at)));
    for (auto each = first; each != last; ++each) {
      const Secret& secret = secrets_[each->second];
      if (characters.substr(at).starts_with(secret.characters))
        return Leak{text.line_of(at), secret.code, secret.source};
    }
  }
  return std::nullopt;
}

std::optional<Leak> SolutionLines::find_in(std::string_view text) const {
  for (const Reading reading : readings)
    if (auto leak = find_in(read_as(reading, text))) return leak;
  return std::nullopt;
}

}  // namespace warpwise::course
