#include "../ascii_marks.hpp"

#include <cstdlib>
#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {

std::string through_buffer(std::string_view text, std::size_t piece) {
  std::ostringstream out;
  {
    AsciiBuffer buffer(*out.rdbuf());
    std::ostream stream(&buffer);
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) stream << text.substr(0, piece);
  }
  return out.str();
}

/// What stdout would say of "✓ →" in this locale.
std::string shown_in(const char* all, const char* type, const char* lang) {
  setenv("LC_ALL", all, 1);
  setenv("LC_CTYPE", type, 1);
  setenv("LANG", lang, 1);
  std::ostringstream out;
  {
    const AsciiMarks marks(out);
    out << "✓ →";
  }
  return out.str();
}

}  // namespace

TEST_CASE("marks are spelled in ASCII, in whatever pieces they come") {
  for (const std::size_t piece : {1U, 2U, 3U, 100U}) {
    CHECK(through_buffer("✗ a\n    · b → c…\n", piece) == "x a\n    - b -> c...\n");
  }
}

TEST_CASE("characters that are not ours, and bytes that are none, pass") {
  CHECK(through_buffer("Übung/Größe.cu ✓", 1) == "Übung/Größe.cu +");
  CHECK(through_buffer("\xE2\x9C", 1) == "\xE2\x9C");
  CHECK(through_buffer("\xE2\x9Cx\x93", 2) == "\xE2\x9Cx\x93");
}

TEST_CASE("the locale decides: LC_ALL before LC_CTYPE before LANG") {
  CHECK(shown_in("C.UTF-8", "C", "C") == "✓ →");
  CHECK(shown_in("", "de_DE.utf8", "C") == "✓ →");
  CHECK(shown_in("", "", "en_GB.UTF-8") == "✓ →");
  CHECK(shown_in("POSIX", "de_DE.utf8", "C.UTF-8") == "+ ->");
  CHECK(shown_in("", "", "C") == "+ ->");
  CHECK(shown_in("", "", "") == "+ ->");
}
