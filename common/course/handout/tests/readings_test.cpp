// What is left of a text for the search for code.
#include "../../../testing/catch.hpp"

#include "../readings.hpp"

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
