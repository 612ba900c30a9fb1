#include "common/print/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "common/testing/catch.hpp"

using namespace warpwise::print;

namespace {

warpwise::simulator::Finding long_race() {
  warpwise::simulator::Finding finding;
  finding.file = "build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu";
  finding.line = 16;
  finding.message = "thread 0 reads partial[2] while thread 2 may still write it";
  finding.source = "partial[tid] += partial[tid + stride];";
  finding.note =
      "lanes of a warp need not run in step, and no barrier orders the two (seen 4 times, first in block 0)";
  finding.help = "put __syncthreads() between the two";
  return finding;
}

}  // namespace

TEST_CASE("a finding on a terminal is broken at spaces, into lines of 80 columns") {
  CHECK(finding_on_screen(long_race(), 4, Lines::broken) ==
        "    build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu:16: race:\n"
        "        thread 0 reads partial[2] while thread 2 may still write it\n"
        "       16 |     partial[tid] += partial[tid + stride];\n"
        "          = lanes of a warp need not run in step, and no barrier orders the two\n"
        "            (seen 4 times, first in block 0)\n"
        "          = help: put __syncthreads() between the two\n");
}

TEST_CASE("a source line is broken behind its number, and only for a screen") {
  warpwise::simulator::Finding finding;
  finding.line = 16;
  finding.message = "x";
  finding.source = "if (tid % (2 * stride) == 0) partial[tid] += partial[tid + stride] + (tid == 0);";
  CHECK(finding_on_screen(finding, 4, Lines::broken) ==
        "    :16: race: x\n"
        "       16 |     if (tid % (2 * stride) == 0) partial[tid] += partial[tid +\n"
        "                    stride] + (tid == 0);\n");
  CHECK(finding_on_screen(finding, 0, Lines::whole) == format(finding) + "\n");
}

TEST_CASE("a command is broken as the shell reads it") {
  const std::string command =
      "./warpwise show ch01 --attempt reduce_naive_no_barrier_in_loop --at 16 --n 1 --block 32";
  CHECK(fitted_command(command, 15, 19, Lines::broken) ==
        "./warpwise show ch01 --attempt reduce_naive_no_barrier_in_loop \\\n"
        "                   --at 16 --n 1 --block 32");
  CHECK(fitted_command(command, 15, 19, Lines::whole) == command);
}

TEST_CASE("an editor finds the first line of a finding whole") {
  const std::string text = finding_on_screen(long_race(), 0, Lines::whole);
  CHECK(text.substr(0, text.find('\n')) ==
        "build/ch01_naive/attempts/reduce_naive_no_barrier_in_loop.cu:16: race: thread 0 reads partial[2] "
        "while "
        "thread 2 may still write it");
}

TEST_CASE("a word that is longer than a line is not broken") {
  const std::string path(90, 'p');
  warpwise::simulator::Finding finding;
  finding.file = path;
  finding.line = 1;
  finding.message = "two words";
  CHECK(finding_on_screen(finding, 0, Lines::broken) == path + ":1:\n    race: two words\n");
}

TEST_CASE("text is wrapped at spaces and shortened with dots") {
  CHECK(wrapped_text("one two three", 0, 2, 7) == "one two\n  three");
  CHECK(wrapped_text("unbreakable", 0, 2, 5) == "unbreakable");
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abc...");
  CHECK(shortened("✓✓✓✓✓", 4) == "✓...");
  CHECK(indented("a\n\nb", 2) == "  a\n\n  b\n");
  CHECK(unindented(" \tx = 1; ") == "x = 1; ");
  CHECK(unindented("  ").empty());
}

TEST_CASE("colour is left out where there is no terminal") {
  CHECK(Paint(false).good("x") == "x");
  CHECK(Paint(true).good("x") == "\033[32mx\033[0m");
}

// --- Marks ------------------------------------------------------------------------------------------------

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
