#include "common/harness/attempt.hpp"

#include <stdexcept>

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::simulator::Finding;
using warpwise::simulator::FindingKind;
using warpwise::testing::ContainsSubstring;

namespace {

Failure failure_with(const std::string& sentence, FindingKind kind = FindingKind::race, unsigned line = 0) {
  Failure failure;
  failure.sentence = sentence;
  if (line != 0) {
    Finding finding;
    finding.kind = kind;
    finding.line = line;
    failure.findings.push_back(finding);
  }
  return failure;
}

}  // namespace

TEST_CASE("the first line of an attempt names kernel, aspect and reason") {
  const auto finding = parse_rejection("// rejected by: reduce_naive: safety: race at 14");
  CHECK(finding.kernel == "reduce_naive");
  CHECK(finding.aspect == Aspect::safety);
  CHECK(finding.reason == "race at 14");
  CHECK(parse_rejection("// rejected by: k: technique: block barriers\r").reason == "block barriers");
  CHECK(parse_rejection("// rejected by: k: result:").reason.empty());
  CHECK(parse_rejection("// rejected by: k: result").reason.empty());
}

TEST_CASE("any other first line is refused with a sentence") {
  for (const char* line : {"", "// why: x", "// rejected by: ", "// rejected by: k",
                           "// rejected by: k: speed: x", "// rejected by: : result: x"}) {
    CHECK_THROWS_AS(parse_rejection(line), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_rejection("// rejected by: k: speed: x"), ContainsSubstring("no aspect is named"));
  CHECK_THROWS_WITH(read_rejection("there/is/no.cu"), ContainsSubstring("there/is/no.cu: cannot be read"));
}

TEST_CASE("KIND at LINE must be a finding, whatever the sentence says") {
  const auto expected = parse_rejection("// rejected by: k: safety: race at 14");
  CHECK(is_rejection(expected, failure_with("anything", FindingKind::race, 14)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at 14", FindingKind::race, 15)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at 14", FindingKind::barrier, 14)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at 14")));
  const auto hyphen = parse_rejection("// rejected by: k: safety: out-of-bounds at 3");
  CHECK(is_rejection(hyphen, failure_with("", FindingKind::out_of_bounds, 3)));
}

TEST_CASE("other reasons must occur in the sentence") {
  const auto expected = parse_rejection("// rejected by: k: result: n = 33");
  CHECK(is_rejection(expected, failure_with("n = 33, block = 32: out[1] is 5, expected 9")));
  CHECK_FALSE(is_rejection(expected, failure_with("n = 31, block = 32: out[0] is 5, expected 9")));
  // "at" in a sentence is no finding.
  const auto words = parse_rejection("// rejected by: k: technique: barriers at 9");
  CHECK(is_rejection(words, failure_with("barriers at 9: too many")));
}

TEST_CASE("a broken check never counts as a rejection") {
  Failure broken = failure_with("race at 14", FindingKind::race, 14);
  broken.is_broken = true;
  CHECK_FALSE(is_rejection(parse_rejection("// rejected by: k: safety: race at 14"), broken));
  CHECK_FALSE(is_rejection(parse_rejection("// rejected by: k: safety"), broken));
}

TEST_CASE("the judgement of an attempt") {
  const auto expected = parse_rejection("// rejected by: k: technique: block barriers");
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
