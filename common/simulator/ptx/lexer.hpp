#pragma once
/// \file PTX text to tokens (PTX ISA 4.1 to 4.5). Tokens are views into the text, which must outlive them.

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwise::simulator::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    identifier,   ///< `ld`, `%r1`, `$L__BB0_2`, `_`
    directive,    ///< `.global`, `.shared::cta`: `text` is without the first dot
    integer,      ///< `bits`; `is_unsigned` where written with U or too large for 63 bits
    real,         ///< `bits` are those of a double
    string,       ///< `text` is without its quotes, escapes untouched
    punctuation,  ///< one or two characters
    end,
  };
  Kind kind = Kind::end;
  bool is_unsigned = false;
  std::uint32_t line = 1;
  std::string_view text;
  std::uint64_t bits = 0;

  bool is(std::string_view punctuation) const { return kind == Kind::punctuation && text == punctuation; }
  bool is_directive(std::string_view name) const { return kind == Kind::directive && text == name; }
  bool is_identifier() const { return kind == Kind::identifier; }
};

/// Reads one token after the other. Throws Error where the text is no PTX.
class Lexer {
 public:
  /// `name` is the file's name in messages.
  Lexer(std::string_view text, std::string name);

  /// The token at the cursor, and the one after it.
  const Token& peek() const { return current_; }
  const Token& peek_second() const { return second_; }
  /// Returns the token at the cursor and moves on.
  Token take();

  bool accept(std::string_view punctuation);
  bool accept_directive(std::string_view name);
  /// Take a token of the kind or throw: `what` says what was expected, e.g. "the name of a variable".
  void expect(std::string_view punctuation, std::string_view what);
  std::string_view expect_identifier(std::string_view what);
  std::uint64_t expect_integer(std::string_view what);
  std::string_view expect_string(std::string_view what);

  /// Throws "expected `what`, found ..." at the token at the cursor.
  [[noreturn]] void fail_expected(std::string_view what) const;
  /// Throws `message` at the line of the token at the cursor, or at `line`.
  [[noreturn]] void fail(const std::string& message) const;
  [[noreturn]] void fail_at(std::uint32_t line, const std::string& message) const;

  const std::string& name() const { return name_; }
  /// The text between two tokens of this lexer, both included, as written.
  static std::string_view between(const Token& first, const Token& last);

 private:
  Token scan();
  void skip_blanks_and_comments();
  Token scan_number();
  Token scan_prefixed_number(char prefix);
  Token scan_directive();
  Token scan_string();
  Token scan_punctuation();
  Token token(Token::Kind kind, std::size_t length);

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  Token current_;
  Token second_;
};

/// `text` in quotes, shortened and made printable, for messages.
std::string quoted(std::string_view text);

}  // namespace warpwise::simulator::ptx
