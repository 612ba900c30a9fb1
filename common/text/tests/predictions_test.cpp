#include "common/text/predictions.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::text;
using warpwise::testing::ContainsSubstring;

namespace {

const std::string question =
    "### How many?\n\n- counter: block_barriers / blocks\n- why: one after the load,\n  one a level: "
    "`1 + 8 = 9`\n";

std::vector<Section> parse(const std::string& text) { return parse_predictions(text, "predict.md"); }

}  // namespace

TEST_CASE("a page of predictions has sections, and those have questions") {
  const auto sections = parse(
      "# Predictions\n\nAbout.\n\n## tree\n\nTwo\nlines.\n\nA paragraph.\n\n- measured: solution "
      "reduce_naive, n = 65536, block = 256\n\n" +
      question +
      "\n### And now?\n\n- measured: program predict.cu reads, launch = 2\n- counter: matches\n"
      "- within: 0.5\n- why: `1 = 1`\n\n## other\n\n- measured: attempt sum_wrong\n" +
      question);
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].name == "tree");
  CHECK(sections[0].text == "Two lines.\nA paragraph.");
  REQUIRE(sections[0].questions.size() == 2);
  const Question& first = sections[0].questions[0];
  CHECK(first.prompt == "How many?");
  CHECK(first.counter == "block_barriers / blocks");
  CHECK(first.why == "one after the load, one a level: `1 + 8 = 9`");
  CHECK(first.run == MeasuredRun{MeasuredRun::Of::solution, "", "reduce_naive", 65536, 256});
  const Question& second = sections[0].questions[1];
  CHECK(second.run == MeasuredRun{MeasuredRun::Of::program, "predict.cu", "reads", 0, 0, 2});
  CHECK(second.within == 0.5);
  CHECK(sections[1].questions[0].run == MeasuredRun{MeasuredRun::Of::attempt, "sum_wrong", ""});
}

TEST_CASE("what a page lacks is said with its line") {
  const std::string head = "## tree\n- measured: solution k\n";
  CHECK_THROWS_WITH(parse("# nothing\n"), ContainsSubstring("no section"));
  CHECK_THROWS_WITH(parse("## tree\n"), ContainsSubstring("section 'tree' asks nothing"));
  CHECK_THROWS_WITH(parse("## tree\n" + question),
                    ContainsSubstring("predict.md:2: 'How many?' lacks its line '- measured: '"));
  CHECK_THROWS_WITH(parse(head + "### Q\n- why: x\n"), ContainsSubstring("lacks its line '- counter: '"));
  CHECK_THROWS_WITH(parse(head + "### Q\n- counter: x\n"), ContainsSubstring("lacks its line '- why: '"));
  CHECK_THROWS_WITH(parse(head + "- why: x\n"), ContainsSubstring("predict.md:3: '- why: ' is under no"));
  CHECK_THROWS_WITH(parse(head + "### Q\n- wher: x\n"), ContainsSubstring("does not belong to a question"));
  CHECK_THROWS_WITH(parse(head + question + "text\n"), ContainsSubstring("neither a heading"));
  CHECK_THROWS_WITH(parse(head + question + head + question), ContainsSubstring("two sections 'tree'"));
  for (const char* run : {"solution", "attempt", "program predict.cu", "kernel k", ""})
    CHECK_THROWS_WITH(parse("## tree\n- measured: " + std::string(run) + "\n" + question),
                      ContainsSubstring("what is measured is"));
  CHECK_THROWS_WITH(parse("## tree\n- measured: solution k, n = many\n" + question),
                    ContainsSubstring("'n = NUMBER'"));
}

TEST_CASE("equations stand in backquotes") {
  const auto equations = equations_in("of `k` threads `2 * 3 = 6` add, so `6 / 2=3` are left, `=");
  REQUIRE(equations.size() == 3);
  CHECK(equations[0].left == "2 * 3");
  CHECK(equations[0].right == "6");
  CHECK(equations[1].right == "3");
  CHECK(equations_in("nothing").empty());
}
