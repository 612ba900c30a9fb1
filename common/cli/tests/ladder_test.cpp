#include "../ladder.hpp"

#include "../failure.hpp"
#include "common/testing/catch.hpp"

using namespace warpwise::cli;
using warpwise::testing::ContainsSubstring;

namespace {

const std::string names =
    "kernel\ttechnique\tn\tresult\tmethod\tsafety\twarp_instructions\tdivergent_branches\tblock_barriers\t"
    "shared_wavefronts\tbank_conflicts\tglobal_sectors\tgpu\tgpu_n\tmilliseconds\tgigabytes_per_second\n";

}  // namespace

TEST_CASE("rows are read by the names of their columns") {
  const auto rows = parse_ladder(
      "a line that is no row\n" + names +
      "reduce\ttree\t65536\tright\tright\tright\t131072\t12288\t9\t38400\t0\t8192\t-\t-\t-\t-\n");
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].is_right());
  CHECK(rows[0].number("divergent_branches") == 12288);
  CHECK(rows[0].text("gpu").empty());
  CHECK_THROWS_WITH(rows[0].text("speed"), ContainsSubstring("no column 'speed'"));
  CHECK_THROWS_WITH(rows[0].number("kernel"), ContainsSubstring("is no number: 'reduce'"));
}

TEST_CASE("a ladder that is cut off is no ladder") {
  CHECK_THROWS_AS(parse_ladder(""), Failure);
  CHECK_THROWS_AS(parse_ladder(names), Failure);
  CHECK_THROWS_WITH(parse_ladder(names + "reduce\ttree\n"), ContainsSubstring("has 2 fields, not 16"));
}

TEST_CASE("the table shows counters, and times only where a GPU took them") {
  const std::string row = "reduce\ttree\t65536\tright\tright\tright\t131072\t12288\t9\t38400\t0\t8192\t";
  const std::string without = ladder_table({{"ch01: pairs", parse_ladder(names + row + "-\t-\t-\t-\n")}});
  CHECK_THAT(without, ContainsSubstring("reduce  2^16     yes     12 288         9          0      38 400"));
  CHECK(without.find("GB/s") == std::string::npos);
  const std::string with =
      ladder_table({{"ch01: pairs", parse_ladder(names + row + "H200\t67108864\t0.734\t365.6\n")}});
  CHECK_THAT(with, ContainsSubstring("2^26  0.73   366\n"));
  CHECK_THAT(with, ContainsSubstring("median on H200"));
}

TEST_CASE("the table names what is wrong, and what was not checked is not right") {
  const auto rows = parse_ladder(names + "reduce\ttree\t0\tright\twrong\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n");
  CHECK_FALSE(rows[0].is_right());
  CHECK_THAT(ladder_table({{"ch01", rows}}), ContainsSubstring("NO: technique, safety"));
}
TEST_CASE("the climb says what each rung gained and what it paid") {
  const std::string head =
      "kernel\ttechnique\trung\twarp_instructions_per_element\tdivergent_branches\tblock_barriers\t"
      "shared_wavefronts\tbank_conflicts\tglobal_sectors\tgigabytes_per_second\n";
  const std::string climb =
      climb_text({{"one", parse_ladder(head + "pairs\ttree\tyes\t3.9\t12288\t9\t38400\t0\t8448\t400\n"
                                              "aside\tother\t-\t1\t1\t1\t1\t1\t1\t1\n")},
                  {"two", parse_ladder(head + "near\tside by side\tyes\t3.2\t1536\t9\t38400\t"
                                              "26880\t8400\t679\n")}});
  CHECK(climb ==
        "  pairs                    tree\n"
        "  near                     side by side\n"
        "      gained  GB/s 400 → 679, divergent 12 288 → 1 536, instr/elem 3.90 → 3.20\n"
        "      paid    conflicts 0 → 26 880\n");
  CHECK(climb_text({{"one", parse_ladder(head + "pairs\ttree\tyes\t4\t1\t9\t3\t0\t8\t-\n")}}).empty());
}
