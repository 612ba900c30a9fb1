#include "../run_report.hpp"

#include "common/testing/catch.hpp"

using warpwise::runtime::progress_sentence;

TEST_CASE("a launch that takes long is told with an estimate from the blocks that have ended") {
  CHECK(
      progress_sentence("sum",
                        {.seconds = 20, .warp_instructions = 7000, .blocks_ended = 100, .blocks = 400}) ==
      "sum has run for 20 s: 100 of its 400 blocks have ended, about 60 s are left (7000 warp instructions; "
      "--budget N ends a launch after N)");
  CHECK_THAT(
      progress_sentence("sum", {.seconds = 160, .blocks_ended = 1, .blocks = 16}),
      warpwise::testing::ContainsSubstring("has run for 3 minutes: 1 of its 16 blocks have ended, about "
                                           "40 minutes are left"));
}

TEST_CASE("where no block has ended there is nothing to estimate from") {
  CHECK_THAT(
      progress_sentence("sum", {.seconds = 10.2, .blocks = 16}),
      warpwise::testing::ContainsSubstring("sum has run for 11 s: none of its 16 blocks has ended yet"));
  CHECK_THAT(progress_sentence("sum", {.seconds = 10, .blocks = 1}),
             warpwise::testing::ContainsSubstring("its block has not ended yet"));
}
