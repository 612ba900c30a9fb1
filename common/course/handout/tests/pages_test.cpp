// Lessons, kernels' pages and links, as a student gets them.
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

TEST_CASE("a notice stands below the title") {
  CHECK(with_notice("# Title\n\nText.\n", "Note.") == "# Title\n\n> Note.\n\nText.\n");
  CHECK(with_notice("# Title", "Note.") == "# Title\n\n> Note.\n");
}

namespace {

using Attempts = PageParts::Attempts;

std::string page_with(const PageParts& parts, const std::string& page,
                      const SolutionLines& held_back = SolutionLines()) {
  return kernel_page_with(parts, page, "kernels/one.md", held_back);
}

const std::string page_title = "# `one`\n\nHow to read it.\n\n";
const std::string attempts =
    "## Wrong attempts\n\nTwo mistakes.\n\n### a\n\n- rejected by: result: x\n- why: too early\n";
const std::string accepted =
    "\n## Other correct solutions\n\n### b\n\n- why: so\n- also right as: other, later\n\n"
    "```cuda\n## y\n```\n";
const std::string whole_attempts = attempts + "\n```diff\n-  x;\n```\n";
const std::string whole_page = page_title + whole_attempts + accepted;

}  // namespace

TEST_CASE("before the solutions a page of hints lacks the last one of each kernel") {
  const auto hint = [](const std::string& number) {
    return "<details><summary>Hint " + number + "</summary>\n\n    code\n\n</details>\n";
  };
  CHECK(without_last_hints("# Hints\n\n## `a`\n\n" + hint("1") + "\n" + hint("2") + "\n## `b`, `c`\n\n" +
                           hint("1") + "\n## `d`\n\n" + hint("1") + "\n" + hint("2") + "\n" + hint("3")) ==
        "# Hints\n\n## `a`\n\n" + hint("1") + "\n## `b`, `c`\n\n" + hint("1") + "\n## `d`\n\n" + hint("1") +
            "\n" + hint("2"));
}

TEST_CASE("before the solutions a kernel's page has attempts as sentences, or is left out") {
  CHECK(page_with({.attempts = Attempts::as_sentences}, whole_page) == page_title + attempts);
  CHECK(page_with({.attempts = Attempts::none}, whole_page).empty());
}

TEST_CASE("with the solutions a kernel's page has everything") {
  CHECK(page_with({Attempts::whole, true}, whole_page) == whole_page);
  CHECK(page_with({Attempts::none, true}, whole_page) == page_title + accepted.substr(1));
}

TEST_CASE("what quotes another solution, or is one, is left out of a kernel's page; a section with it") {
  SolutionLines held_back = lines();
  held_back.add_solution("ch08/solution.cu", "__global__ void later(float* out) {\n  *out = 1;\n}\n");
  CHECK(page_with({Attempts::whole, true}, whole_page, lines()) == whole_page);
  const std::string quoting =
      "\n### c\n\n- why: it\n\n```diff\n+ values[t] +=\n+   values[t + stride]; // so\n```\n";
  const std::string plain = "\n### d\n\n- why: it\n\n```cuda\n## y\n```\n";
  CHECK(page_with({Attempts::whole, true}, whole_page + quoting + plain, held_back) ==
        page_title + whole_attempts + "\n## Other correct solutions\n" + plain);
  CHECK(page_with({Attempts::none, true}, whole_page + quoting, held_back).empty());
}

TEST_CASE("of a page of several kernels those are left out of which nothing is left") {
  const std::string other = "\n# `another`\n" + accepted;  // a way called like that of the first
  const std::string third = "\n# `third`\n\n" + attempts;
  CHECK(page_with({.attempts = Attempts::as_sentences}, whole_page + other + third) ==
        page_title + attempts + third);
  CHECK(page_with({Attempts::whole, true}, whole_page + other + third) == whole_page + other + third);
  SolutionLines held_back;
  held_back.add_solution("ch08/solution.cu", "__global__ void later(float* out) {\n  *out = 1;\n}\n");
  const std::string mine =
      "# `one`\n\n## Other correct solutions\n\n### b\n\n- why: so\n\n```cuda\n## y\n```\n";
  CHECK(page_with({Attempts::none, true}, mine + other, held_back) == mine);
}

TEST_CASE("of an attempt's file only the line of its finding is shown, if it is not the solution's") {
  const std::string file =
      "// rejected by: sum: safety: race at `a[t] = b;`\n\n__global__ void sum() {\n  a[t] = b;\n  // x\n}\n";
  const std::string head = "// An attempt. Its lines come with the solutions.\n\n...\n";
  CHECK(listing_of(file, 4, lines()) == head + "  a[t] = b;\n\n...\n");
  CHECK(listing_of(file, 0, lines()) == head + "  ...\n\n...\n");
  SolutionLines held_back;
  held_back.add_solution("ch08/solution.cu", "__global__ void sum() {\n  longer_name[t] = b;\n}\n");
  CHECK(listing_of("// x\n  longer_name[t] = b;\n", 2, held_back) ==
        "// An attempt. Its lines come with the solutions.\n  ...\n");
}

TEST_CASE("a link to what is not there is its text") {
  const auto exists = [](const std::string& target) { return target == "there.md"; };
  CHECK(without_dead_links("[a](there.md#x), [b](gone.md) and [`c`](gone.md#x).\n", exists) ==
        "[a](there.md#x), b and `c`.\n");
  CHECK(without_dead_links("![the tree](tree.svg) [x](https://example.org) [y](#here)\n", exists) ==
        "*the tree* [x](https://example.org) [y](#here)\n");
  CHECK(without_dead_links("one that [goes\non](gone.md).\n\n[a\nb](there.md)\n", exists) ==
        "one that goes\non.\n\n[a\nb](there.md)\n");
  CHECK(without_dead_links("```\n[b](gone.md)\n```\n", exists) == "```\n[b](gone.md)\n```\n");
  const std::string comment = "<!-- picture: show ch01 -->\n";
  CHECK(without_dead_links(comment + "![a](gone.svg)\n", exists) == "*a*\n");
  CHECK(without_dead_links(comment + "![a](there.md)\n", exists) == comment + "![a](there.md)\n");
}
