#include "terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <utility>

namespace warpwise::print {
namespace {

constexpr std::pair<std::string_view, std::string_view> spellings[] = {
    {"✓", "+"}, {"✗", "x"},  {"·", "-"},  {"→", "->"}, {"…", "..."}, {"×", "x"}, {"−", "-"}, {"–", "-"},
    {"—", "-"}, {"≤", "<="}, {"≥", ">="}, {"²", "^2"}, {"─", "-"},   {"│", "|"}, {"├", "+"}, {"└", "+"},
    {"┌", "+"}, {"┐", "+"},  {"┘", "+"},  {"┤", "+"},  {"┬", "+"},   {"┴", "+"}, {"┼", "+"}, {"█", "#"},
};

/// How many bytes a character takes that starts with `lead`.
std::size_t length_of(char lead) {
  const auto bits = static_cast<unsigned char>(lead);
  return bits < 0xC0 ? 1 : bits < 0xE0 ? 2 : bits < 0xF0 ? 3 : 4;
}

}  // namespace

bool is_utf8_locale() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return locale.find("utf-8") != locale.npos || locale.find("utf8") != locale.npos;
  }
  return false;
}

AsciiBuffer::~AsciiBuffer() { pass_on(); }

AsciiBuffer::int_type AsciiBuffer::overflow(int_type c) {
  if (!traits_type::eq_int_type(c, traits_type::eof())) put(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

std::streamsize AsciiBuffer::xsputn(const char* text, std::streamsize count) {
  for (std::streamsize i = 0; i < count; ++i) put(text[i]);
  return count;
}

int AsciiBuffer::sync() {
  pass_on();
  return inner_.pubsync();
}

void AsciiBuffer::put(char c) {
  const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;
  if (!continues) pass_on();  // what came before it is no character
  character_ += c;
  if (character_.size() >= length_of(character_.front())) pass_on();
}

void AsciiBuffer::pass_on() {
  std::string_view spelled = character_;
  for (const auto& [mark, ascii] : spellings) {
    if (mark == spelled) spelled = ascii;
  }
  inner_.sputn(spelled.data(), static_cast<std::streamsize>(spelled.size()));
  character_.clear();
}

AsciiMarks::AsciiMarks(std::ostream& stream) : stream_(stream), own_(stream.rdbuf()) {
  if (is_utf8_locale()) return;
  ascii_ = std::make_unique<AsciiBuffer>(*own_);
  stream_.rdbuf(ascii_.get());
}

AsciiMarks::~AsciiMarks() {
  stream_.flush();
  stream_.rdbuf(own_);
}

}  // namespace warpwise::print
