#include "common/grade/untrusted.hpp"

#include <set>

#include "common/testing/catch.hpp"

using namespace warpwise::grade;

TEST_CASE("what would move a cursor or turn the direction is made visible, and the rest stays") {
  CHECK(visible("a\tb\nç ✓ 𝄞") == "a\tb\nç ✓ 𝄞");
  CHECK(visible("\x1b[2J\r\x07") == "\\x1b[2J\\x0d\\x07");
  CHECK(visible("\xe2\x80\xae"
                "abc") ==
        "\\u202e"
        "abc");
  CHECK(visible("\xc2\x9b"
                "31m") == "\\x9b31m");  // the other way to begin an escape sequence
  CHECK(visible(std::string("a\0b", 3)) == "a\\x00b");
  CHECK(visible_line("a\nb\tc") == "a\\nb c");
}

TEST_CASE("bytes that are no UTF-8 become a replacement character each") {
  const std::string replaced = "\xef\xbf\xbd";
  CHECK(visible("\xff\xfe") == replaced + replaced);
  CHECK(visible("\xc3") == replaced);                                // cut off
  CHECK(visible("\xc0\xaf") == replaced + replaced);                 // longer than needed
  CHECK(visible("\xed\xa0\x80") == replaced + replaced + replaced);  // a surrogate
}

TEST_CASE("text does not leave its place in XML or in a table") {
  CHECK(xml_escaped("<b a=\"1\">&\n") == "&lt;b a=&quot;1&quot;&gt;&amp;&#10;");
  CHECK(csv_cell("plain") == "plain");
  CHECK(csv_cell("a,\"b\"") == "\"a,\"\"b\"\"\"");
  CHECK(csv_cell("=1+1") == "'=1+1");
  CHECK(csv_cell("@x,y") == "\"'@x,y\"");
}

TEST_CASE("every name has a file of its own, in the folder where it belongs") {
  std::set<std::string> names;
  for (const std::string& name : {std::string("ada"), std::string("a b"), std::string("a\nb"),
                                  std::string(".."), std::string("."), std::string("a/b"), std::string("%2e"),
                                  std::string(250, 'x'), std::string(250, 'x') + "y", std::string("\xff")}) {
    const std::string file = file_name_for(name);
    CHECK(names.insert(file).second);
    CHECK(file.find('/') == file.npos);
    CHECK_FALSE(file.starts_with('.'));
    CHECK(file.size() < 210);
  }
  CHECK(file_name_for("ada-1_b.c") == "ada-1_b.c");
  CHECK(file_name_for("a b") == "a%20b");
}

TEST_CASE("long text is cut at a line, and says so") {
  CHECK(at_most(100, "short\n") == "short\n");
  CHECK(at_most(5, "one\ntwo\nthree\n") == "one\n(10 more bytes are left out)\n");
}
