#include "../expression.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

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
