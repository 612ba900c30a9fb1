#include "common/harness/attempt.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

TEST_CASE("the judgement of an attempt") {
  const auto expected = warpwise::text::parse_rejection("// rejected by: k: technique: block barriers");
  Record record;
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("there is no check k: technique"));

  record.begin_case("k: technique");
  record.end_case();
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("that check passed"));

  record.begin_case("k: technique, more");
  record.add_failure("shuffles: 4, expected 5", {});
  record.end_case();
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("shuffles: 4"));

  record.begin_case("k: result");
  record.add_failure("block barriers", {});
  record.end_case();
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);  // the right words in the wrong check

  record.begin_case("k: technique, again");
  record.add_failure("block barriers: 17, at most 9", {});
  record.end_case();
  CHECK(judge_attempt(expected, record).is_as_expected);
}
