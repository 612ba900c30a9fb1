#include "common/course/lesson.hpp"

#include <stdexcept>

#include "common/testing/catch.hpp"

using namespace warpwise::course;
using warpwise::testing::ContainsSubstring;

namespace {

/// All breaches of a page, a line each.
std::string breaches_of(const std::string& page) {
  std::string text;
  for (const Breach& breach : check_prose(page))
    text += std::to_string(breach.line) + ": " + breach.what + "\n";
  return text;
}

std::string words(std::size_t characters) { return std::string(characters - 1, 'a') + "."; }

std::string many(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += i % 50 == 49 ? "word.\n\n" : "word ";
  return text + "\n\n";
}

const std::string folded = "<details><summary>Look</summary>\n\nThe answer.\n\n</details>\n";

}  // namespace

TEST_CASE("a page is a row of blocks, each with its line") {
  const auto blocks = read_page(
      "# Title\nwords\nmore words\n- item\n  goes on\n\n| a |\n|---|\n```cpp\n# no heading\n```\n"
      "<!-- a\nb -->\n![alt](x.svg)\n<details>\n<summary>s</summary>\n\n</details>\n");
  std::string kinds;
  for (const Block& block : blocks)
    kinds += std::to_string(static_cast<int>(block.kind)) + "@" + std::to_string(block.line) + " ";
  CHECK(kinds == "0@1 1@2 2@4 3@7 4@9 5@12 6@14 7@15 8@16 9@18 ");
  CHECK(blocks[1].text == "words\nmore words");
  CHECK(blocks[4].text == "# no heading");
  CHECK(blocks[4].info == "cpp");
}

TEST_CASE("a paragraph has six lines of what is read") {
  CHECK(breaches_of(words(600)).empty());
  CHECK(breaches_of(words(500) + " [link](" + std::string(300, 'x') + ".md)").empty());
  CHECK(breaches_of(words(300) + "\n\n" + words(400)).empty());
  CHECK_THAT(breaches_of(words(601)), ContainsSubstring("1: a paragraph of 601 characters"));
  CHECK_THAT(breaches_of("- one\n- " + words(601)), ContainsSubstring("2: a paragraph of 603 characters"));
  CHECK(breaches_of("```\n" + words(601) + "\n```\n").empty());
}

TEST_CASE("a sentence has one parenthesis at most") {
  CHECK(breaches_of("One (this). Another (that).").empty());
  CHECK(breaches_of("Time O(log n) and work O(n), says `f(a) + (b) + (c)` (here).").empty());
  CHECK_THAT(breaches_of("One (this) and another (that)."), ContainsSubstring("more than one parenthesis"));
  CHECK_THAT(breaches_of("One (this, fig. 3) and (that)."), ContainsSubstring("more than one parenthesis"));
}

TEST_CASE("the answer to a prediction is folded right behind it") {
  CHECK(breaches_of("**Predict**: how many?\n\n- this?\n- that?\n\n```sh\n./warpwise run\n```\n\n" + folded)
            .empty());
  for (const char* between :
       {"| 1 |\n", "![p](p.svg)\n", "```\n1\n```\n", "## Who?\n", "**Predict** more?\n\n"}) {
    CAPTURE(between);
    CHECK_THAT(breaches_of("**Predict**: how many?\n\n" + std::string(between) + "\n" + folded),
               ContainsSubstring("1: a prediction whose answer is not folded"));
  }
  CHECK_THAT(breaches_of("**Predict** it: it is 7. Is it?"), ContainsSubstring("not folded"));
}

TEST_CASE("a command that shows a kernel's cost stands behind the prediction of it") {
  const std::string run = "Check it with `./warpwise run ch02 reduce_contiguous`.\n\n",
                    predict = "**Predict**: how many?\n\n" + folded;
  CHECK_THAT(breaches_of("## Why?\n\n" + run + predict),
             ContainsSubstring("the screen shows what line 5 asks"));
  CHECK_THAT(breaches_of("```sh\n./warpwise watch ch01\n```\n\n" + predict),
             ContainsSubstring("asks to predict"));
  CHECK(breaches_of(predict + run).empty());
  const std::string screen = "```\n$ ./warpwise run ch02 --solution\n  counted 7\n```\n\n";
  CHECK_THAT(breaches_of(screen + predict), ContainsSubstring("the screen shows what line 6 asks"));
  CHECK(breaches_of(predict + screen).empty());
  CHECK(breaches_of("<details><summary>Look</summary>\n\n" + screen + "</details>\n\n" + predict).empty());
  CHECK(breaches_of("## Why?\n\n" + run + "## How?\n\n" + predict).empty());
  CHECK(breaches_of("`./warpwise run ch02 --solution` shows another.\n\n" + predict).empty());
}

TEST_CASE("what is folded has a summary, an empty line and an end") {
  CHECK(breaches_of(folded).empty());
  CHECK_THAT(breaches_of("<details>\n\nText.\n\n</details>\n"), ContainsSubstring("without a <summary>"));
  CHECK_THAT(breaches_of("<details><summary>s</summary>\nText.\n\n</details>\n"),
             ContainsSubstring("no empty line"));
  CHECK_THAT(breaches_of("<details><summary>s</summary>\n\nText.\n\n## Why?\n\n</details>\n"),
             ContainsSubstring("does not end in its section"));
}

TEST_CASE("a page has 2000 words that are not folded") {
  CHECK(breaches_of(many(2000)).empty());
  CHECK(breaches_of(many(2001)) ==
        "1: the page has 2001 words outside blocks of code and folds: more than 2000\n");
  CHECK(breaches_of(many(2000) + "- - → · —\n\n<!-- a comment -->\n```\n" + many(10) + "```\n").empty());
  CHECK(breaches_of(many(2000) + "<details><summary>s</summary>\n\n" + many(10) + "</details>\n").empty());
  CHECK_THAT(breaches_of(many(1996) + "| one | two |\n|---|---|\n| three | `four five` |\n"),
             ContainsSubstring("2001 words"));
  CHECK_THAT(breaches_of(folded + many(1999) + "# Two words?\n"), ContainsSubstring("2001 words"));
}

TEST_CASE("the first kernel to write comes within 600 words") {
  const auto asked_after = [](std::size_t count, const std::string& prompt) {
    return breaches_of(many(count) + prompt);
  };
  CHECK(asked_after(600, "**Write** `sum`.\n").empty());
  for (const char* prompt : {"**Write** `sum`.\n", "Write `sum`.\n", "## 4. Write it: `sum`. How?\n"})
    CHECK_THAT(asked_after(601, prompt),
               ContainsSubstring("601 words before the first kernel to write: more than 600"));
  CHECK(asked_after(10, "**Write** `sum`.\n\n" + many(700) + "**Write** `max`.\n").empty());
  CHECK(asked_after(700, "Write each kernel before you unfold its code.\n")
            .empty());  // of the page, not the task
  CHECK(breaches_of("<details><summary>Why?</summary>\n\n" + many(601) + "</details>\n\n**Write** `sum`.\n")
            .empty());
}

TEST_CASE("a line has 80 columns at most, whatever they are made of") {
  CHECK(check_columns(std::string(80, 'x') + "\n" + "✓" + std::string(79, 'x')).empty());
  const std::vector<Breach> breaches = check_columns("short\n| " + std::string(79, 'x'));
  REQUIRE(breaches.size() == 1);
  CHECK(breaches[0].line == 2);
  CHECK(breaches[0].what == "a line of 81 columns: more than 80");
}

TEST_CASE("a page asks for four predictions at most") {
  std::string page;
  for (int i = 0; i < 4; ++i) page += "**Predict**: how many?\n\n" + folded + "\n";
  CHECK(breaches_of(page).empty());
  CHECK(breaches_of(page + "**Predict**, once more?\n\n" + folded) ==
        "1: the page has 5 predictions: more than 4\n");
}

TEST_CASE("a section asks before it tells") {
  CHECK(breaches_of("## Who adds?\n\nSome do.\n").empty());
  CHECK(breaches_of("## Adding\n\n![p](p.svg)\n\nWho adds?\n").empty());
  CHECK_THAT(breaches_of("## Adding\n\nSome add.\n\nWho?\n"),
             ContainsSubstring("\"Adding\" tells before it asks"));
  CHECK_THAT(breaches_of("## Adding\n\n## Why?\n\nSo.\n"),
             ContainsSubstring("\"Adding\" tells before it asks"));
}

TEST_CASE("links lead somewhere") {
  const auto faults = [](const std::string& page) {
    std::string text;
    for (const Breach& breach : check_links(page, [](const std::string& path) -> std::string {
           if (path == "words.md") return "# Words\n\n## Who adds?\n\n<a id=\"lane\"></a>\n";
           throw std::runtime_error(path);
         }))
      text += std::to_string(breach.line) + ": " + breach.what + "\n";
    return text;
  };
  CHECK(faults("## Two words\n[a](words.md) [b](words.md#who-adds) [c](words.md#lane) [d](#two-words)")
            .empty());
  CHECK(faults("[web](https://example.org/none) `[code](none.md)`").empty());
  CHECK(faults("text\n\n[a](none.md)") == "3: a link that leads nowhere: none.md does not exist\n");
  CHECK_THAT(faults("[a](words.md#none)"), ContainsSubstring("words.md#none has no heading for #none"));
  CHECK_THAT(faults("![a](none.svg)"), ContainsSubstring("none.svg does not exist"));
}

TEST_CASE("what predict asks is not told above the place that asks it") {
  using namespace warpwise::text;
  const auto sections = parse_predictions(
      "# Predictions\n\n## tree\n\nText.\n\n- measured: solution sum_tree, n = 64\n\n### How many?\n\n"
      "- counter: divergent_branches\n- why: so: `8 * 1536 = 12 288`\n\n### Barriers?\n\n"
      "- counter: block_barriers\n- why: `1 + 8 = 9`\n",
      "predict.md");
  const auto told = [&](const std::string& above) {
    std::string lines;
    for (const Breach& breach : check_predictions(
             above + "\n\nHow many? `./warpwise predict\nch01 tree` asks.\n\nIt has sum_tree 12288.\n",
             sections))
      lines += std::to_string(breach.line) + " ";
    return lines;
  };
  CHECK(told("```\n$ ./warpwise run ch01\n  kernel\n  sum_tree  2^16 12288 9 0\n```") == "4 4 ");
  CHECK(told("```\n$ ./warpwise run ch01\n  sum_tree  2^16 ? ? 0\n  other 2^16 12288 9\n```").empty());
  CHECK(told("Here `sum_tree` has 12 288 of them, and 9 more.") == "1 ");
  CHECK(told("Here `sum_tree` has 112288 or 2^12288, and 12288.5.").empty());
  CHECK(told("<details><summary>x</summary>\n\nsum_tree: 12288\n\n</details>").empty());
}
