#include <sstream>

#include "../guessing.hpp"
#include "../student_record.hpp"
#include "common/testing/catch.hpp"
#include "common/testing/temporary_folder.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;
using warpwise::testing::TemporaryFolder;

TEST_CASE("guesses survive writing and reading") {
  const Guesses guesses = {{{"tree", "How many barriers?"}, {"8", false}},
                           {{"tree", "How many branches?"}, {"5 * 8 + 8", true}}};
  const TemporaryFolder folder;
  const ChapterFolder chapter{"ch01_naive", folder.path() / "ch01_naive", folder.path() / "build/ch01_naive"};
  CHECK(guesses_kept(chapter).empty());
  keep(guesses, chapter);
  CHECK(guesses_kept(chapter) == guesses);
  folder.write("build/ch01_naive/predicted", "nonsense\nright\ttree\n\n");
  CHECK(guesses_kept(chapter).empty());
}

TEST_CASE("a question is open until somebody has guessed, right or wrong, also in a handout") {
  const TemporaryFolder folder;
  const ChapterFolder chapter{"ch01_naive", folder.path() / "ch01_naive", folder.path() / "build/ch01_naive"};
  CHECK(unpredicted(chapter).empty());  // no page
  folder.write("ch01_naive/lesson/predict.md",
               "# Predictions\n\n## tree\n\nA tree.\n\n- measured: solution reduce_naive\n\n"
               "### How many barriers?\n\n- counter: block_barriers / blocks\n- why: `1 + 8 = 9`\n\n"
               "### How many branches?\n\n- counter: divergent_branches\n- why: `4 + 4 = 8`\n\n"
               "### And without the barrier?\n\n- measured: attempt reduce_naive_no_barrier\n"
               "- counter: block_barriers\n- why: `8 - 8 = 0`\n");
  const auto counters = [&] {
    std::string all;
    for (const auto& one : unpredicted(chapter))
      all += one.kernel + ' ' + one.section + ' ' + one.counted + '\n';
    return all;
  };
  CHECK(counters() == "reduce_naive tree block_barriers / blocks\nreduce_naive tree divergent_branches\n");
  keep({{{"tree", "How many barriers?"}, {"8", false}}}, chapter);
  CHECK(counters() == "reduce_naive tree divergent_branches\n");
  // A kernel that is written later may cost the same.
  folder.write(
      "ch01_naive/exercise.cu",
      "__global__ void before() {}\n__global__ void reduce_naive() {}\n__global__ void after() {}\n");
  const ChapterFolder again{"ch01_naive", folder.path() / "ch01_naive", folder.path() / "build/ch01_naive"};
  REQUIRE(unpredicted(again).size() == 2);
  CHECK(unpredicted(again)[1].kernel == "after");
  folder.write("ch01_naive/lesson/predict.md", "## tree\n\n### How many barriers?\n");
  CHECK(counters().empty());  // nothing says what is counted
}

TEST_CASE("a guess is right if it is what is shown, or near enough") {
  CHECK(agrees(9, 9));
  CHECK_FALSE(agrees(8, 9));
  CHECK_FALSE(agrees(9.1, 9));
  CHECK(agrees(20.38, 20.3765));
  CHECK_FALSE(agrees(20.4, 20.3765));
  CHECK(agrees(76, 71, 5));
  CHECK_FALSE(agrees(76.1, 71, 5));
}

TEST_CASE("figures are shown so that they can be read") {
  CHECK(figure_text(9) == "9");
  CHECK(figure_text(65536) == "65 536");
  CHECK(figure_text(20.3765) == "20.38");
  CHECK(figure_text(1.5) == "1.5");
  CHECK(figure_text(76.001) == "76");
  CHECK(figure_text(-2) == "-2");
}

TEST_CASE("answers from a pipe are written behind their questions") {
  std::istringstream in(" 9 \r\n\nlast");
  std::ostringstream out;
  Dialogue dialogue(in, out, false);
  CHECK(dialogue.ask("barriers?") == "9");
  CHECK(dialogue.ask("branches?") == "");
  CHECK(dialogue.ask("lanes?") == "last");
  CHECK_FALSE(dialogue.ask("more?").has_value());
  CHECK(out.str() == "barriers? 9\nbranches? \nlanes? last\nmore? \n");
}

TEST_CASE("how many hints were shown survives writing and reading") {
  const TemporaryFolder folder;
  const ChapterFolder chapter{"ch01_naive", folder.path() / "ch01_naive", folder.path() / "build/ch01_naive"};
  CHECK(hints_shown(chapter).empty());
  const HintsShown hints = {{"first", 2}, {"second", 0}};
  keep_hints_shown(hints, chapter);
  CHECK(hints_shown(chapter) == hints);
  forget_hints_shown(chapter);
  CHECK(hints_shown(chapter).empty());
  folder.write("build/ch01_naive/hints-shown", "nonsense");
  CHECK(hints_shown(chapter).empty());
}

TEST_CASE("arithmetic is read as one writes it") {
  CHECK(evaluate("9") == 9);
  CHECK(evaluate(" 2 * (5 * 8 + 4 + 2 + 1) + 1") == 95);
  CHECK(evaluate("7 - 4 - 1") == 2);
  CHECK(evaluate("64 / 4 / 2") == 8);
  CHECK(evaluate("2^3^2") == 512);
  CHECK(evaluate("-3 + 5") == 2);
  CHECK(evaluate("2.5 * 4") == 10);
}

TEST_CASE("thousands may stand apart") {
  CHECK(evaluate("65 536 / 32") == 2048);
  CHECK(evaluate("1 048 576") == 1048576);
  CHECK_THROWS_AS(evaluate("65 53"), ExpressionError);
  CHECK_THROWS_AS(evaluate("6 5"), ExpressionError);
}

TEST_CASE("names stand for what was counted") {
  const Names names = {{"blocks", 256}, {"block_barriers", 2304}, {"by_interval[4]", 16}};
  CHECK(evaluate("block_barriers / blocks", names) == 9);
  CHECK(evaluate("by_interval[4]", names) == 16);
  CHECK_THROWS_WITH(evaluate("block_bariers", names), ContainsSubstring("nothing is called 'block_bariers'"));
  CHECK_THROWS_WITH(evaluate("by_interval[5]", names), ContainsSubstring("'by_interval[5]'"));
}

TEST_CASE("what is no arithmetic is said to be none") {
  for (const char* text : {"", "nine", "8 +", "(8", "8)", "*", "1..2", "8 8", "1e", "[", "a["})
    CHECK_THROWS_AS(evaluate(text), ExpressionError);
  CHECK_THROWS_WITH(evaluate("1 / 0"), ContainsSubstring("divides by 0"));
}
