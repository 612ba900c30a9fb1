#include "../progress.hpp"

#include "common/testing/catch.hpp"

using warpwise::cli::progress_text;
using namespace std::chrono_literals;

TEST_CASE("progress counts, and estimates once it knows enough") {
  CHECK(progress_text("grading", 3, 120, 9s) == "grading 3 of 120");
  CHECK(progress_text("grading", 20, 120, 1s) == "grading 20 of 120");
  CHECK(progress_text("grading", 40, 120, 25s) == "grading 40 of 120, about 50 s left");
  CHECK(progress_text("grading", 40, 120, 26s) == "grading 40 of 120, about 55 s left");
  CHECK(progress_text("grading", 30, 1200, 10s) == "grading 30 of 1200, about 7 min left");
  CHECK(progress_text("grading", 119, 120, 80s) == "grading 119 of 120");
  CHECK(progress_text("grading", 95, 101, 160s) ==
        "grading 95 of 101");  // the last take longer than the others
}
