#include "common/harness/check/verdict.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;

TEST_CASE("names of test cases") {
  const auto plain = parse_check_name("reduce_naive: technique");
  REQUIRE(plain);
  CHECK(plain->kernel == "reduce_naive");
  CHECK(plain->aspect == Aspect::technique);
  CHECK(parse_check_name("reduce_naive: result, real floats")->aspect == Aspect::result);
  CHECK_FALSE(parse_check_name("reduce_naive: results"));
  CHECK_FALSE(parse_check_name("reduce_naive"));
  CHECK_FALSE(parse_check_name(": result"));
}

TEST_CASE("an aspect fails if any of its test cases fails") {
  Record record;
  record.begin_case("k: result");
  record.end_case();
  CHECK(record.outcome("k", Aspect::result) == Outcome::passed);
  record.begin_case("k: result, more");
  record.add_failure("out[0] is 1, expected 2", {});
  CHECK(record.has_failed_here());
  record.end_case();
  record.begin_case("k: result, even more");
  CHECK_FALSE(record.has_failed_here());
  record.end_case();
  CHECK(record.outcome("k", Aspect::result) == Outcome::failed);
  REQUIRE(record.find("k", Aspect::result)->failures.size() == 1);
  CHECK(record.find("k", Aspect::result)->failures[0].test_case == "k: result, more");
  CHECK(record.outcome("k", Aspect::safety) == Outcome::not_checked);
  CHECK_FALSE(record.all_passed());
  CHECK_FALSE(record.has_broken());
}

TEST_CASE("a test case with a wrong name is a broken check, not a passed one") {
  Record record;
  record.begin_case("some test");
  record.end_case();
  CHECK(record.has_broken());
  CHECK_FALSE(record.all_passed());
}

TEST_CASE("a failure outside of a test case is kept aside") {
  Record record;
  record.add_failure("too much shared memory", {});
  CHECK(record.verdicts().empty());
  REQUIRE(record.take_stray());
  CHECK_FALSE(record.take_stray());
}
