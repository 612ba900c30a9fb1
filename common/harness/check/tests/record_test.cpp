#include "common/harness/check/record.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

namespace {
Failure failure(const std::string& sentence) {
  Failure failure;
  failure.sentence = sentence;
  return failure;
}
}  // namespace

TEST_CASE("an aspect fails if any of its test cases fails") {
  Record record;
  CHECK(record.outcome("k", Aspect::result) == Outcome::not_checked);
  record.add("k", Aspect::result);
  CHECK(record.outcome("k", Aspect::result) == Outcome::passed);
  CHECK(record.all_passed());
  record.add("k", Aspect::result, {failure("out[0] is 1, expected 2")});
  record.add("k", Aspect::result);
  CHECK(record.outcome("k", Aspect::result) == Outcome::failed);
  REQUIRE(record.find("k", Aspect::result)->failures.size() == 1);
  CHECK(record.find("k", Aspect::result)->failures[0].sentence == "out[0] is 1, expected 2");
  CHECK(record.outcome("k", Aspect::safety) == Outcome::not_checked);
  CHECK(record.find("k", Aspect::safety) == nullptr);
  CHECK_FALSE(record.all_passed());
}

TEST_CASE("verdicts stand in the order in which they were first checked") {
  Record record;
  record.add("b", Aspect::result);
  record.add("a", Aspect::safety);
  record.add("b", Aspect::result);
  REQUIRE(record.verdicts().size() == 2);
  CHECK(record.verdicts()[0].kernel == "b");
  CHECK(record.verdicts()[1].aspect == Aspect::safety);
}

TEST_CASE("a check that broke off is found") {
  Record record;
  record.add("k", Aspect::result, {failure("wrong")});
  CHECK(record.first_broken() == nullptr);
  Failure broken = failure("out of range");
  broken.is_broken = true;
  record.add("k", Aspect::safety, {broken});
  REQUIRE(record.first_broken() != nullptr);
  CHECK(record.first_broken()->sentence == "out of range");
}
