// Lessons, hints, attempts and links, as a student gets them.
#include "../../../testing/catch.hpp"

#include "../handout.hpp"

namespace {

using namespace warpwise::course;

SolutionLines lines() {
  SolutionLines lines;
  lines.add_solution("ch09/solution.cu", "  values[t] += values[t + stride];\n");
  return lines;
}

std::string stripped(const std::string& page) {
  return without_solutions(page, lines(), [](const std::string& file) { return file != "solution.cu"; });
}

const std::string note = std::string(later_note) + "\n";

}  // namespace

TEST_CASE("code of a solution is replaced by a note, mark and all") {
  CHECK(stripped("before\n<!-- code: solution.cu#tree -->\n```cpp\nanything\n```\nafter\n") ==
        "before\n" + note + "after\n");
  const std::string given = "<!-- code: levels.hpp#levels -->\n```cpp\nanything\n```\n";
  CHECK(stripped(given) == given);
}

TEST_CASE("a folded block stays folded") {
  CHECK(stripped("<details>\n<summary>Code</summary>\n\n<!-- code: solution.cu#tree "
                 "-->\n```cpp\nx\n```\n\n</details>\n") ==
        "<details>\n<summary>Code</summary>\n\n" + note + "\n</details>\n");
}

TEST_CASE("a block that shows a solution is replaced, whatever it is") {
  CHECK(stripped("$ see\n```\n  12 |  values[t] += values[t + stride];\n```\n") == "$ see\n" + note);
  CHECK(stripped("```\nvalues[t] += values[t + 1];\n```\n") == "```\nvalues[t] += values[t + 1];\n```\n");
}

TEST_CASE("in a sentence the code alone is replaced") {
  CHECK(stripped("so `values[t] += values[t + stride];` adds `values`\n") == "so `...` adds `values`\n");
  CHECK(stripped("       values[t] += values[t + stride];\n") == "       ...\n");
}

TEST_CASE("a block that nobody closes ends with the page") {
  CHECK(stripped("```\nvalues[t] += values[t + stride];\n") == note);
}

TEST_CASE("the last hint of each kernel is left out") {
  CHECK(without_last_hints(
            "# Hints\n\n## one\n\n1. first\n   more\n2. second\n\n       code\n\n## two\n\n1. only\n") ==
        "# Hints\n\n## one\n\n1. first\n   more\n\n## two\n\n1. only\n");
  CHECK(without_last_hints("## one\n\n1. a\n2. b\n3. c\n") == "## one\n\n1. a\n2. b\n");
}

TEST_CASE("a notice stands below the title") {
  CHECK(with_notice("# Title\n\nText.\n", "Note.") == "# Title\n\n> Note.\n\nText.\n");
  CHECK(with_notice("# Title", "Note.") == "# Title\n\n> Note.\n");
}

TEST_CASE("of an attempt the sentences remain") {
  CHECK(without_differences(
            "# Attempts\n\n## a\n\n- why: too early\n\n```diff\n-  x;\n```\n\n## b\n\n```cuda\ny\n```\n") ==
        "# Attempts\n\n## a\n\n- why: too early\n\n## b\n");
}

TEST_CASE(
    "what quotes another solution, or is one, is left out of a page; with it a heading that has nothing "
    "left") {
  SolutionLines held_back = lines();
  held_back.add_solution("ch08/solution.cu", "__global__ void later(float* out) {\n  *out = 1;\n}\n");
  const std::string page =
      "# Ways\n\n## one\n\n### a\n\n```diff\n+ values[t] +=\n+   values[t + stride]; // so\n```\n\n"
      "## two\n\n### b\n\n- why: c\n- also right as: other, later\n\n```cuda\nx\n```\n\n### d\n\n```cuda\n## "
      "y\n```\n";
  CHECK(without_paragraphs_showing(held_back, page, "### ") ==
        "# Ways\n\n## two\n\n### d\n\n```cuda\n## y\n```\n");
  CHECK(without_paragraphs_showing(lines(), page, "### ").find("- also right as: other, later") !=
        std::string::npos);
  CHECK(without_paragraphs_showing(held_back, "# A\n\n## b\n\nvalues[t] += values[t + stride];\n", "## ")
            .empty());
}

TEST_CASE("a link to what is not there is its text") {
  const auto exists = [](const std::string& target) { return target == "there.md"; };
  CHECK(without_dead_links("[a](there.md#x), [b](gone.md) and [`c`](gone.md#x).\n", exists) ==
        "[a](there.md#x), b and `c`.\n");
  CHECK(without_dead_links("![the tree](tree.svg) [x](https://example.org) [y](#here)\n", exists) ==
        "*the tree* [x](https://example.org) [y](#here)\n");
  CHECK(without_dead_links("```\n[b](gone.md)\n```\n", exists) == "```\n[b](gone.md)\n```\n");
  const std::string comment = "<!-- picture: show ch01 -->\n";
  CHECK(without_dead_links(comment + "![a](gone.svg)\n", exists) == "*a*\n");
  CHECK(without_dead_links(comment + "![a](there.md)\n", exists) == comment + "![a](there.md)\n");
}
