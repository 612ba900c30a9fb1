#include "common/text/rejection.hpp"

#include <stdexcept>

#include "common/testing/catch.hpp"

using namespace warpwise::text;
using warpwise::report::Aspect;
using warpwise::report::Failure;
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

std::string with_reason(const std::string& reason) {
  return "// rejected by: k: safety: " + reason + R"(
// why: b[i] = 2

b[i] = 2;
sync();
sync();  // first
c = 1;  // second
again();
again();
)";
}

}  // namespace

TEST_CASE("the first line of an attempt names kernel, aspect and reason") {
  const auto finding = parse_rejection("// rejected by: reduce_naive: safety: race at `a = 0;`\n\na = 0;\n");
  CHECK(finding.kernel == "reduce_naive");
  CHECK(finding.aspect == Aspect::safety);
  CHECK(finding.reason == "race at `a = 0;`");
  REQUIRE(finding.finding);
  CHECK(finding.finding->line == 3);
  CHECK_FALSE(parse_rejection("// rejected by: k: technique: block barriers").finding);
  CHECK(parse_rejection("// rejected by: k: technique: block barriers\r").reason == "block barriers");
}

TEST_CASE("any other first line is refused with a sentence") {
  for (const char* line : {"", "// why: x", "// rejected by: ", "// rejected by: k",
                           "// rejected by: k: speed: x", "// rejected by: : result: x"}) {
    CHECK_THROWS_AS(parse_rejection(line), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_rejection("// rejected by: k: speed: x"), ContainsSubstring("no aspect is named"));
  CHECK_THROWS_WITH(read_rejection("there/is/no.cu"), ContainsSubstring("there/is/no.cu: cannot be read"));
}

TEST_CASE("a reason that would fit any failure is refused") {
  for (const char* line :
       {"// rejected by: k: result", "// rejected by: k: result:", "// rejected by: k: safety"}) {
    CHECK_THROWS_WITH(parse_rejection(line), ContainsSubstring("no reason is given"));
  }
  for (const char* line : {"// rejected by: k: result: out[", "// rejected by: k: result: n = 33",
                           "// rejected by: k: result: n = 33: "}) {
    CHECK_THROWS_WITH(parse_rejection(line), ContainsSubstring("by its case and by what differs"));
  }
}

TEST_CASE("KIND at LINE must be a finding, whatever the sentence says") {
  const auto expected = parse_rejection(with_reason("race at `b[i] = 2;`"));
  CHECK(is_rejection(expected, failure_with("anything", FindingKind::race, 4)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at `b[i] = 2;`", FindingKind::race, 5)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at `b[i] = 2;`", FindingKind::barrier, 4)));
  CHECK_FALSE(is_rejection(expected, failure_with("race at `b[i] = 2;`")));
  const auto hyphen = parse_rejection(with_reason("out-of-bounds at `b[i] = 2;`"));
  CHECK(is_rejection(hyphen, failure_with("", FindingKind::out_of_bounds, 4)));
}

TEST_CASE("a line is named by all of its text, by its code, or by a piece of it") {
  const auto line_of = [](const std::string& place) {
    return parse_rejection(with_reason("race at " + place)).finding.value().line;
  };
  CHECK(line_of("`sync();`") == 5);  // all of it: not the one with a comment
  CHECK(line_of("`sync();  // first`") == 6);
  CHECK(line_of("`c = 1;`") == 7);   // without its comment
  CHECK(line_of("`[i] = 2`") == 4);  // a piece; the reason itself in line 1 does not count
  CHECK(line_of("`again();` (1st of 2)") == 8);
  CHECK(line_of("`again();` (2nd of 2)") == 9);
  CHECK_THROWS_WITH(line_of("`again();`"),
                    ContainsSubstring("`again();` occurs 2 times in the attempt, not 1"));
  CHECK_THROWS_WITH(line_of("`again();` (2nd of 3)"),
                    ContainsSubstring("occurs 2 times in the attempt, not 3"));
  CHECK_THROWS_WITH(line_of("`nowhere();`"), ContainsSubstring("occurs 0 times"));
  CHECK_THROWS_WITH(line_of("`again();` (3rd of 2)"), ContainsSubstring("as in (2nd of 3)"));
  CHECK_THROWS_WITH(line_of("`again();` twice"), ContainsSubstring("as in (2nd of 3), not ' twice'"));
}

TEST_CASE("the sentence of the failure begins with any other reason") {
  const auto expected = parse_rejection("// rejected by: k: result: n = 33, block = 32: out[1]");
  CHECK(is_rejection(expected, failure_with("n = 33, block = 32: out[1] is 5, expected 9")));
  CHECK_FALSE(is_rejection(expected, failure_with("n = 31, block = 32: out[1] is 5, expected 9")));
  CHECK_FALSE(is_rejection(expected, failure_with("again: n = 33, block = 32: out[1] is 5, expected 9")));
  const auto value = parse_rejection("// rejected by: k: result: n = 33: out[1] is 5");
  CHECK(is_rejection(value, failure_with("n = 33: out[1] is 5, expected 9")));
  CHECK_FALSE(is_rejection(value, failure_with("n = 33: out[1] is 52, expected 9")));
  // "at" in a sentence is no finding.
  const auto words = parse_rejection("// rejected by: k: technique: barriers at `9`");
  CHECK(is_rejection(words, failure_with("barriers at `9`: too many")));
}

TEST_CASE("a broken check never counts as a rejection") {
  Failure broken = failure_with("race", FindingKind::race, 4);
  broken.is_broken = true;
  CHECK_FALSE(is_rejection(parse_rejection(with_reason("race at `b[i] = 2;`")), broken));
  CHECK_FALSE(is_rejection(parse_rejection("// rejected by: k: safety: race"), broken));
}
