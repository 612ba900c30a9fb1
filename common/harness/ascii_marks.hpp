#pragma once
/// \file Marks such as ✓ and → for terminals that cannot show them.

#include <iosfwd>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace warpwise::harness {

/// Whether text is UTF-8 here: what LC_ALL says, else LC_CTYPE, else LANG (POSIX, Base Definitions 8.2).
bool is_utf8_locale();

/// Passes text on to another buffer with our own marks spelled in ASCII: ✓ as +, ✗ as x, → as ->. Characters
/// that are not ours, such as those of a path, stay as they are.
class AsciiBuffer : public std::streambuf {
 public:
  explicit AsciiBuffer(std::streambuf& inner) : inner_(inner) {}
  ~AsciiBuffer() override;

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  void put(char c);
  void pass_on();
  std::streambuf& inner_;
  std::string character_;  ///< the bytes so far of one that takes several
};

/// While it lives, what is written to `stream` goes through an AsciiBuffer, unless the locale is UTF-8. Made
/// at the start of main, and nowhere else.
class AsciiMarks {
 public:
  explicit AsciiMarks(std::ostream& stream);
  ~AsciiMarks();
  AsciiMarks(const AsciiMarks&) = delete;  ///< it puts the stream's own buffer back once

 private:
  std::ostream& stream_;
  std::streambuf* own_;
  std::unique_ptr<AsciiBuffer> ascii_;
};

}  // namespace warpwise::harness
