// handout.txt is read as it is written.
#include "../../testing/catch.hpp"

#include "../handout_plan.hpp"

using namespace warpwise::course;

TEST_CASE("a plan is read as it was written") {
  const HandoutPlan plan{
      "0123abcd", {"ch01_naive", "ch03_bank_conflicts"}, {"ch01_naive"}, false, "on 1 December 2026", "7"};
  const auto read = parse_handout_plan(spelled(plan));
  REQUIRE(read);
  CHECK(read->commit == plan.commit);
  CHECK(read->chapters == plan.chapters);
  CHECK(read->solved == plan.solved);
  CHECK_FALSE(read->has_attempts);
  CHECK(read->solutions_come == plan.solutions_come);
  CHECK(read->variant == plan.variant);
}

TEST_CASE("what says neither commit nor chapters is no plan") {
  CHECK_FALSE(parse_handout_plan("").has_value());
  CHECK_FALSE(parse_handout_plan("commit 0123abcd\n").has_value());
  CHECK_FALSE(parse_handout_plan("chapters ch01_naive\n").has_value());
}
