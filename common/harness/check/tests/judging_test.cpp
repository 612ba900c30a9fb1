#include "common/harness/check/judging.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::testing::ContainsSubstring;

namespace {

Failure failure_with(const std::string& sentence) {
  Failure failure;
  failure.sentence = sentence;
  return failure;
}

}  // namespace

TEST_CASE("the judgement of an attempt") {
  const auto expected = warpwise::text::parse_rejection("// rejected by: k: technique: block barriers");
  Record record;
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("there is no check k: technique"));

  record.add("k", Aspect::technique);
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("that check passed"));

  record.add("k", Aspect::technique, {failure_with("shuffles: 4, expected 5")});
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);
  CHECK_THAT(judge_attempt(expected, record).sentence, ContainsSubstring("shuffles: 4"));

  record.add("k", Aspect::result, {failure_with("block barriers")});
  CHECK_FALSE(judge_attempt(expected, record).is_as_expected);  // the right words in the wrong check

  record.add("k", Aspect::technique, {failure_with("block barriers: 17, at most 9")});
  CHECK(judge_attempt(expected, record).is_as_expected);
}

namespace {

warpwise::report::Report reduce_with_seven_shuffles() {
  warpwise::report::Report report;
  report.chapters.emplace_back().name = "ch01_naive";
  warpwise::report::Launch launch;
  launch.chapter = "ch01_naive";
  launch.report.kernel = "reduce";
  launch.report.counters.shuffles = 7;
  report.launches = {launch};
  return report;
}

}  // namespace

TEST_CASE("counters are held against the rows of their chapter that agreed on the hardware") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "# a comment\n"
                                                "ch01_naive\treduce\tshuffles\t7\t7\t=\n"
                                                "ch01_naive\treduce\tvotes\t1\t2\tmachine code\n"
                                                "ch02_other\treduce\tshuffles\t9\t9\t=\n");
  CHECK(comparison.compared == 1);
  CHECK(comparison.differences.empty());
}

TEST_CASE("what the hardware counted otherwise, or what was not launched here, differs") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "ch01_naive\treduce\tshuffles\t8\t8\t=\n"
                                                "ch01_naive\tother\tvotes\t1\t1\t=\n");
  CHECK(comparison.compared == 2);
  CHECK(comparison.differences ==
        "reduce, shuffles: simulated 7, hardware 8\nother, votes: simulated 0, hardware 1\n");
}
