#include "common/text/hints.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;
using warpwise::testing::ContainsSubstring;

namespace {

std::string hint(const std::string& number, const std::string& text) {
  return "<details><summary>Hint " + number + "</summary>\n\n" + text + "\n\n</details>\n\n";
}

}  // namespace

TEST_CASE("a page has the hints of each kernel, and of those that have theirs in common") {
  const std::vector<KernelHints> all =
      parse_hints("# Hints\n\nOne at a time.\n\n## `first`\n\n" + hint("1", "One\nmore of it:\n\n    code") +
                      hint("2", "Two") + "## `second`, `third`\n\n" + hint("1", "Only"),
                  "hints.md");
  REQUIRE(all.size() == 3);
  CHECK(all[0].kernel == "first");
  CHECK(all[0].hints == std::vector<std::string>{"One\nmore of it:\n\n    code", "Two"});
  CHECK(all[1].kernel == "second");
  CHECK(all[2].kernel == "third");
  CHECK(all[1].hints == std::vector<std::string>{"Only"});
  CHECK(all[2].hints == all[1].hints);
  CHECK(parse_hints("", "hints.md").empty());
}

TEST_CASE("a page of hints that cannot be read says which line, and why") {
  const auto read = [](const std::string& text) { return parse_hints(text, "h.md"); };
  CHECK_THROWS_WITH(read("## first\n"), ContainsSubstring("h.md:1: a section is '## `KERNEL`'"));
  CHECK_THROWS_WITH(read(hint("1", "a")), ContainsSubstring("h.md:1: a hint above the first '## `KERNEL`'"));
  const std::string kernel = "## `first`\n";
  CHECK_THROWS_WITH(read(kernel + "1. One\n"), ContainsSubstring("h.md:2: in a section everything belongs"));
  CHECK_THROWS_WITH(
      read(kernel + hint("2", "a")),
      ContainsSubstring("h.md:2: the hints of a kernel are numbered: '<details><summary>Hint 1</"));
  CHECK_THROWS_WITH(read(kernel + "<details><summary>Hint 1</summary>\n"),
                    ContainsSubstring("h.md:2: no line '</details>' ends the hint"));
  CHECK_THROWS_WITH(read(kernel + hint("1", "")), ContainsSubstring("a hint without words"));
  CHECK_THROWS_WITH(read(kernel + "## `second`\n"), ContainsSubstring("no hint for first"));
  CHECK_THROWS_WITH(read(kernel + hint("1", "a") + kernel),
                    ContainsSubstring("there are two sections for first"));
}

TEST_CASE("a hint is broken anew for the screen, and its code stays as it is") {
  const std::string words = "five words and no more of";  // 25 columns
  const std::string code = "    " + std::string(90, 'x');
  CHECK(in_screen_width(words + '\n' + words + '\n' + words + '\n' + words + "\n\n" + code) ==
        words + ' ' + words + ' ' + words + '\n' + words + "\n\n" + code + '\n');
}
