

// What is left of a text for the search for code.
#include "../../../testing/catch.hpp"

#include "../handout.hpp"

namespace {

using namespace warpwise::course;

std::string read(Reading reading, const std::string& text) { return read_as(reading, text).characters; }

}  // namespace

TEST_CASE("every reading leaves out layout, and reads escapes as what they mean") {
  for (const Reading reading : readings) {
    CHECK(read(reading, "if (a\n\t< b)\r\n  x;") == "if(a<b)x;");
    CHECK(read(reading, "if (a &lt; b &amp;&amp; c[&quot;d&#39;])") == "if(a<b&&c[\"d'])");
    CHECK(read(reading, R"(if (a < b \|\| c))") == "if(a<b||c)");
    CHECK(read(reading, R"("if (a \u003c b)\n\tx = \"y\";\\n")") == R"("if(a<b)x="y";")");
    CHECK(read(reading, "a\xc2\xa0=&#160;b") == "a=b");
  }
}

TEST_CASE("as code a text is without comments and without the marks of a difference") {
  CHECK(read(Reading::as_code, "+  a = /* why */ b;  // so\n-  c;\n> d") == "a=b;c;d");
  CHECK(read(Reading::as_code, "accepted/** holds x = 1;") == "accepted*holdsx=1;");
  CHECK(read(Reading::as_written, "+  a /* why */") == "+a/*why*/");
}

TEST_CASE("as it is shown a text is without tags and signs of comments") {
  CHECK(read(Reading::as_shown, "<tspan class=\"name\">sum</tspan> += x;") == "sum+=x;");
  CHECK(read(Reading::as_shown, "// a = /* why */ b;\n//   + c;\n/* d\n * e */") == "a=b;c;de");
  CHECK(read(Reading::as_shown, "for (; i < n; ++i) if (i> 2)") == "for(;i<n;++i)if(i>2)");
}

TEST_CASE("a character's line is known") {
  const ReadText text = read_as(Reading::as_code, "a\n/* b\n c */\n\nd;\n");
  CHECK(text.characters == "ad;");
  CHECK(text.line_of(0) == 1);
  CHECK(text.line_of(1) == 5);
}

// What counts as a line of a solution, and where it is found.

namespace {

using warpwise::course::code_of;
using warpwise::course::SolutionLines;

SolutionLines marked_lines() {
  SolutionLines lines;
  lines.add_given("  // TODO: in `__shared__ float slots[32];`, each warp its own\nreturn identity_of(n);\n");
  lines.add_solution("ch09/solution.cu",
                     "  // [tree]\n"
                     "  __shared__ float slots[32];\n"
                     "  for (unsigned d = 1;   d < 32; d *= 2) {  // double it\n"
                     "    sum += x;\n"
                     "    if (a < b || c) total += other_lane(total, d);\n"
                     "    __syncthreads();\n"
                     "  }\n"
                     "  // the last lane has it\n"
                     "  // [/tree]\n"
                     "  return identity_of(n);\n");
  return lines;
}

}  // namespace

TEST_CASE("the code of a line is without its comment and its spaces") {
  CHECK(code_of("   a +=   b;  // why") == "a += b;");
  CHECK(code_of("  // alone") == "// alone");
  CHECK(code_of("  // [anchor]").empty());
  CHECK(code_of("  // [/anchor]").empty());
  CHECK(code_of("").empty());
}

TEST_CASE("short lines, given lines and idioms are trivial") {
  CHECK(marked_lines().size() == 3);  // the loop, the condition, the comment
  CHECK_FALSE(marked_lines().are_shown_in("sum += x;\n"));
  CHECK_FALSE(marked_lines().are_shown_in("__shared__ float slots[32];\n"));
  CHECK_FALSE(marked_lines().are_shown_in("return identity_of(n);\n"));
  CHECK_FALSE(marked_lines().are_shown_in("__syncthreads();\n"));
}

TEST_CASE("a line is found within another one, however it is spaced") {
  const auto leak =
      marked_lines().find_in("nothing\n\tthe loop is `for (unsigned d = 1; d < 32; d *= 2) {`, then\n");
  REQUIRE(leak);
  CHECK(leak->line == 2);
  CHECK(leak->code == "for (unsigned d = 1; d < 32; d *= 2) {");
  CHECK(leak->source == "ch09/solution.cu");
  CHECK_FALSE(marked_lines().are_shown_in("for (unsigned d = 1; d < 16; d *= 2) {\n"));
}

TEST_CASE("a line is found as SVG, HTML and tables write it") {
  CHECK(marked_lines().are_shown_in("<text>for (unsigned d = 1; d &lt; 32; d *= 2) {</text>"));
  CHECK(marked_lines().are_shown_in("| `if (a < b \\|\\| c) total += other_lane(total, d);` | why |"));
  CHECK(marked_lines().are_shown_in("  // the last lane has it"));
}
