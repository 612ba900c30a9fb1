#include "common/course/pictures.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;

namespace {

const std::string comment = "<!-- picture: show ch03 reduce_max --solution --svg banks -->\n";

}  // namespace

TEST_CASE("a picture is a comment with its command, and below it the image") {
  const auto pictures =
      pictures_in("# A lesson\n\n" + comment + "![Lane 5 meets lane 21](pictures/banks.svg)\n\nWords.\n");
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].line == 3);
  CHECK(pictures[0].command == "show ch03 reduce_max --solution --svg banks");
  CHECK(pictures[0].file == "pictures/banks.svg");
  CHECK(pictures_in("```\n" + comment + "```\n").empty());
  CHECK(pictures_in("<!-- picture: exec docs/program.cu --svg lanes -->\n![a](pictures/a.svg)\n").size() ==
        1);
  CHECK(pictures_in("no picture, and ![another image](elsewhere.png)\n").empty());
}

TEST_CASE("a comment and its image need each other") {
  CHECK_THROWS_WITH(pictures_in(comment + "\n![a](pictures/a.svg)\n"),
                    ContainsSubstring("line 1: no ![words]"));
  CHECK_THROWS_WITH(pictures_in(comment), ContainsSubstring("line 1: no ![words]"));
  CHECK_THROWS_WITH(pictures_in("\n![a](pictures/a.svg)\n"),
                    ContainsSubstring("line 2: pictures/a.svg has no `<!-- picture: show ... -->` above it"));
  CHECK_THROWS_WITH(pictures_in(comment + "![](pictures/a.svg)\n"),
                    ContainsSubstring("line 2: the picture has no words"));
}

TEST_CASE("a picture shows what no student changes") {
  const auto refused = [](const std::string& command, const std::string& why) {
    CHECK_THROWS_WITH(pictures_in("<!-- picture: " + command + " -->\n![a](pictures/a.svg)\n"),
                      ContainsSubstring(why));
  };
  refused("show ch03 --svg banks", "the exercise is the student's");
  refused("show ch03 --solution", "is drawn by `show CHAPTER KERNEL");
  refused("run ch03 --solution --svg banks", "is drawn by `show CHAPTER KERNEL");
  refused("show ch03 --solution --svg banks --output x.svg", "not --output");
  refused("exec docs/program.cu --show", "or `exec FILE --svg VIEW`");
}

TEST_CASE("a picture names the command that draws it") {
  CHECK(command_in("<svg><metadata>./warpwise show ch01 --at 'a &lt; b &amp;&amp; c'</metadata></svg>") ==
        "show ch01 --at 'a < b && c'");
  CHECK(command_in("<svg></svg>").empty());
}
