#include "../build_progress.hpp"

#include "common/testing/catch.hpp"

using warpwise::cli::progress_text;
using namespace std::chrono_literals;

TEST_CASE("progress counts, and estimates once it knows enough") {
  CHECK(progress_text(0, 0, 9s) == "building");
  CHECK(progress_text(3, 120, 9s) == "building 3 of 120");
  CHECK(progress_text(20, 120, 1s) == "building 20 of 120");
  CHECK(progress_text(40, 120, 25s) == "building 40 of 120, about 50 s left");
  CHECK(progress_text(40, 120, 26s) == "building 40 of 120, about 55 s left");
  CHECK(progress_text(30, 1200, 10s) == "building 30 of 1200, about 7 min left");
  CHECK(progress_text(119, 120, 80s) == "building 119 of 120");
  CHECK(progress_text(95, 101, 160s) == "building 95 of 101");  // the last take longer than the others
}
