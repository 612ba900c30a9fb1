#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "parser.hpp"

namespace warpwise::simulator::ptx {
namespace {

// Own tests of characters: those of <cctype> depend on the locale and are undefined for negative values.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool starts_identifier(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

/// The double with the value of the float whose bits these are. A NaN keeps its payload, signalling or not:
/// a conversion by the processor would make it quiet.
std::uint64_t widen_float(std::uint32_t bits) {
  const bool is_nan = (bits & 0x7F800000u) == 0x7F800000u && (bits & 0x007FFFFFu) != 0;
  if (!is_nan) return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
  const std::uint64_t sign = bits >> 31;
  const std::uint64_t payload = bits & 0x007FFFFFu;
  return sign << 63 | 0x7FF0000000000000ull | payload << 29;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "'";
  for (char c : text.substr(0, longest)) out += (c >= ' ' && c <= '~') ? c : '?';
  if (text.size() > longest) out += "...";
  return out + "'";
}

Lexer::Lexer(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {
  current_ = scan();
  second_ = scan();
}

Token Lexer::take() {
  const Token taken = current_;
  current_ = second_;
  if (current_.kind != Token::Kind::end) second_ = scan();
  return taken;
}

bool Lexer::accept(std::string_view punctuation) {
  if (!current_.is(punctuation)) return false;
  take();
  return true;
}

bool Lexer::accept_directive(std::string_view name) {
  if (!current_.is_directive(name)) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view punctuation, std::string_view what) {
  if (!accept(punctuation)) fail_expected("'" + std::string(punctuation) + "' " + std::string(what));
}

std::string_view Lexer::expect_identifier(std::string_view what) {
  if (current_.kind != Token::Kind::identifier) fail_expected(what);
  return take().text;
}

std::uint64_t Lexer::expect_integer(std::string_view what) {
  if (current_.kind != Token::Kind::integer) fail_expected(what);
  return take().bits;
}

std::string_view Lexer::expect_string(std::string_view what) {
  if (current_.kind != Token::Kind::string) fail_expected(what);
  return take().text;
}

void Lexer::fail_expected(std::string_view what) const {
  std::string found = current_.kind == Token::Kind::end ? "the end of the text" : in_quotes(current_.text);
  if (current_.kind == Token::Kind::directive) found.insert(1, ".");
  fail("expected " + std::string(what) + ", found " + found);
}

void Lexer::fail(const std::string& message) const { fail_at(current_.line, message); }

void Lexer::fail_at(std::uint32_t line, const std::string& message) const {
  throw Error(name_, line, message);
}

std::string_view Lexer::between(const Token& first, const Token& last) {
  const char* end = last.text.data() + last.text.size();
  return {first.text.data(), static_cast<std::size_t>(end - first.text.data())};
}

Token Lexer::token(Token::Kind kind, std::size_t length) {
  Token out;
  out.kind = kind;
  out.line = line_;
  out.text = text_.substr(position_, length);
  position_ += length;
  return out;
}

Token Lexer::scan() {
  skip_blanks_and_comments();
  if (position_ >= text_.size()) return token(Token::Kind::end, 0);
  const char c = text_[position_];
  const bool is_remainder = c == '%' && (position_ + 1 == text_.size() || !is_word(text_[position_ + 1]));
  if (starts_identifier(c) && !is_remainder) {
    std::size_t end = position_ + 1;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return token(Token::Kind::identifier, end - position_);
  }
  if (is_digit(c)) return scan_number();
  if (c == '.') return scan_directive();
  if (c == '"') return scan_string();
  return scan_punctuation();
}

void Lexer::skip_blanks_and_comments() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (text_.substr(position_, 2) == "//") {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (text_.substr(position_, 2) == "/*") {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) fail_at(line_, "this comment has no end: expected '*/'");
      const std::string_view comment = text_.substr(position_, end - position_);
      line_ += static_cast<std::uint32_t>(std::count(comment.begin(), comment.end(), '\n'));
      position_ = end + 2;
    } else {
      return;
    }
  }
}

/// `0f` + 8 hexadecimal digits, `0d` + 16, `0x…`, `0b…` (PTX ISA 4.5.1, 4.5.2).
Token Lexer::scan_prefixed_number(char prefix) {
  const bool is_real = prefix == 'f' || prefix == 'd';
  const int base = prefix == 'b' ? 2 : 16;
  std::size_t end = position_ + 2;
  std::uint64_t value = 0;
  for (; end < text_.size() && digit_value(text_[end]) < base; ++end) {
    if (value >> (base == 2 ? 63 : 60) != 0) fail_at(line_, "this number does not fit in 64 bits");
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit_value(text_[end]));
  }
  const std::size_t digits = end - position_ - 2;
  if (digits == 0) fail_at(line_, "expected digits after " + in_quotes(text_.substr(position_, 2)));
  if (is_real && digits != (prefix == 'f' ? 8u : 16u))
    fail_at(line_, prefix == 'f' ? "expected 8 hexadecimal digits after 0f"
                                 : "expected 16 hexadecimal digits after 0d");
  Token out = token(is_real ? Token::Kind::real : Token::Kind::integer, end - position_);
  out.bits = prefix == 'f' ? widen_float(static_cast<std::uint32_t>(value)) : value;
  out.is_unsigned = !is_real && value >> 63 != 0;
  return out;
}

Token Lexer::scan_number() {
  const std::string_view rest = text_.substr(position_);
  Token out;
  const char prefix = rest.size() > 1 ? static_cast<char>(rest[1] | 0x20) : '\0';
  const bool has_prefix = rest.size() > 1 && is_letter(rest[1]) &&
                          (prefix == 'x' || prefix == 'b' || prefix == 'f' || prefix == 'd');
  if (rest[0] == '0' && has_prefix) {
    out = scan_prefixed_number(prefix);
  } else {
    std::size_t end = 0;
    while (end < rest.size() && is_digit(rest[end])) ++end;
    const bool has_fraction = end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1]);
    const bool has_exponent = end < rest.size() && (rest[end] == 'e' || rest[end] == 'E');
    if (has_fraction || has_exponent) {
      double value = 0;
      const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
      if (error != std::errc{}) fail_at(line_, "this number does not fit in a double");
      out = token(Token::Kind::real, static_cast<std::size_t>(stop - rest.data()));
      out.bits = std::bit_cast<std::uint64_t>(value);
    } else {
      std::uint64_t value = 0;
      const int base = rest[0] == '0' && end > 1 ? 8 : 10;
      const auto [stop, error] = std::from_chars(rest.data(), rest.data() + end, value, base);
      if (error == std::errc::result_out_of_range) fail_at(line_, "this number does not fit in 64 bits");
      if (stop != rest.data() + end) fail_at(line_, "expected an octal digit after a leading 0");
      out = token(Token::Kind::integer, end);
      out.bits = value;
      out.is_unsigned = value >> 63 != 0;
    }
  }
  if (out.kind == Token::Kind::integer && position_ < text_.size() && (text_[position_] | 0x20) == 'u') {
    ++position_;
    out.is_unsigned = true;
  }
  if (position_ < text_.size() && is_word(text_[position_]))
    fail_at(line_, "expected the end of a number, found " + in_quotes(text_.substr(position_, 1)));
  return out;
}

Token Lexer::scan_directive() {
  std::size_t end = position_ + 1;
  while (end < text_.size()) {
    if (is_word(text_[end])) {
      ++end;
    } else if (end + 2 < text_.size() && text_.substr(end, 2) == "::" && is_word(text_[end + 2])) {
      end += 2;
    } else {
      break;
    }
  }
  if (end == position_ + 1) fail_at(line_, "expected the name of a directive after '.'");
  Token out = token(Token::Kind::directive, end - position_);
  out.text.remove_prefix(1);
  return out;
}

Token Lexer::scan_string() {
  std::size_t end = position_ + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
    end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] != '\n' ? 2 : 1;
  if (end >= text_.size() || text_[end] != '"') fail_at(line_, "this string has no end: expected '\"'");
  Token out = token(Token::Kind::string, end + 1 - position_);
  out.text.remove_prefix(1);
  out.text.remove_suffix(1);
  return out;
}

Token Lexer::scan_punctuation() {
  static constexpr std::array<std::string_view, 8> two = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
  if (std::find(two.begin(), two.end(), text_.substr(position_, 2)) != two.end())
    return token(Token::Kind::punctuation, 2);
  constexpr std::string_view one = "{}()[]<>,;:+-*/%@!|&^~=?";
  if (one.find(text_[position_]) == std::string_view::npos)
    fail_at(line_, "expected PTX, found the character " + in_quotes(text_.substr(position_, 1)));
  return token(Token::Kind::punctuation, 1);
}

}  // namespace warpwise::simulator::ptx
