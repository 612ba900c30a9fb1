#include "common/harness/check/hardware.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise;
using harness::compare_with_hardware;

namespace {

report::Report reduce_with_seven_shuffles() {
  report::Report report;
  report.chapters.emplace_back().name = "ch01_naive";
  report::Launch launch;
  launch.chapter = "ch01_naive";
  launch.report.kernel = "reduce";
  launch.report.counters.shuffles = 7;
  report.launches = {launch};
  return report;
}

}  // namespace

TEST_CASE("counters are held against the rows of their chapter that agreed on the hardware") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "# a comment\n"
                                                "ch01_naive\treduce\tshuffles\t7\t7\t=\n"
                                                "ch01_naive\treduce\tvotes\t1\t2\tmachine code\n"
                                                "ch02_other\treduce\tshuffles\t9\t9\t=\n");
  CHECK(comparison.compared == 1);
  CHECK(comparison.differences.empty());
}

TEST_CASE("what the hardware counted otherwise, or what was not launched here, differs") {
  const auto comparison = compare_with_hardware(reduce_with_seven_shuffles(),
                                                "ch01_naive\treduce\tshuffles\t8\t8\t=\n"
                                                "ch01_naive\tother\tvotes\t1\t1\t=\n");
  CHECK(comparison.compared == 2);
  CHECK(comparison.differences ==
        "reduce, shuffles: simulated 7, hardware 8\nother, votes: simulated 0, hardware 1\n");
}
