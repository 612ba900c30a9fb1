#include "../published.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::cli;

TEST_CASE("published times are read from what a chapter's program prints, and other lines are passed over") {
  PublishedTimes times;
  read_published(
      "# GPU: NVIDIA H200, 580\nch01_naive on the simulated GPU and on NVIDIA H200\n"
      "  reduce  2^16    12288       9\n  reduce  2^26 on NVIDIA H200: 0.6359 ms, 422.1 GB/s\n",
      "ch01_naive", times);
  CHECK(times.gpu == "NVIDIA H200");
  CHECK(times.gigabytes.size() == 1);
  CHECK(times.of("ch01_naive", "reduce") == 422.1);
  CHECK(times.of("ch02_divergence", "reduce") == 0);
}
