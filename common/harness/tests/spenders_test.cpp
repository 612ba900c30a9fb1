#include "common/harness/spenders.hpp"

#include "common/testing/catch.hpp"

using namespace warpwise::harness;
using warpwise::report::LineShare;
using warpwise::simulator::Counters;
using warpwise::simulator::LaunchReport;

namespace {

/// 4 blocks of 2 warps. Line 10 has 24 barriers, line 12 8; atomics: 3 shared at line 11, 5 global at
/// line 12.
SharedReport a_launch() {
  LaunchReport launch;
  launch.grid = {4, 1, 1};
  launch.block = {64, 1, 1};
  Counters ten, eleven, twelve;
  ten.block_barriers = 24;
  eleven.shared_atomic_requests = 3;
  eleven.shuffles = 16;
  twelve.block_barriers = 8;
  twelve.global_atomic_requests = 5;
  launch.lines = {{"a.cu", 10, ten}, {"a.cu", 11, eleven}, {"a.cu", 12, twelve}};
  for (const auto& line : launch.lines) launch.counters += line.counters;
  return std::make_shared<const LaunchReport>(launch);
}

std::vector<LineShare> of_one(std::string_view what, double amount) {
  const std::vector<SharedReport> launches{a_launch()};
  return spenders(what, amount, launches);
}

LineShare share(unsigned line, const char* text) { return {"a.cu", line, "", text}; }

}  // namespace

TEST_CASE("the lines that spend a count, the most first, in the unit of the expectation") {
  CHECK(of_one("block barriers", 32) == std::vector{share(10, "24 of the 32"), share(12, "8 of the 32")});
  CHECK(of_one("block barriers a block of 64", 8) ==
        std::vector{share(10, "6 of the 8"), share(12, "2 of the 8")});
  CHECK(of_one("shuffles a warp", 2) == std::vector{share(11, "2 of the 2")});
}

TEST_CASE("several counters have a name together, and one name may have two readings") {
  CHECK(of_one("atomic requests", 8) == std::vector{share(12, "5 of the 8"), share(11, "3 of the 8")});
  CHECK(of_one("atomic operations a round", 8) ==
        std::vector{share(12, "5 of the 8"), share(11, "3 of the 8")});
  CHECK(of_one("atomic operations", 5) == std::vector{share(12, "5 of the 5")});
  CHECK(of_one("atomic requests on global memory", 5) == std::vector{share(12, "5 of the 5")});
  CHECK(of_one("shared memory atomic requests", 3) == std::vector{share(11, "3 of the 3")});
}

TEST_CASE("the launch that is meant is the latest that counted as much") {
  LaunchReport other = *a_launch();
  other.lines[0].counters.block_barriers = 80;
  other.counters.block_barriers = 88;
  const std::vector<SharedReport> launches{a_launch(), std::make_shared<const LaunchReport>(other)};
  CHECK(spenders("block barriers", 32, launches).front() == share(10, "24 of the 32"));
  CHECK(spenders("block barriers", 88, launches).front() == share(10, "80 of the 88"));
  CHECK(counted_launch("block barriers", 32, launches) == 0);
  CHECK(counted_launch("block barriers", 88, launches) == 1);
  CHECK_FALSE(counted_launch("block barriers", 89, launches));
  CHECK_FALSE(counted_launch("elements", 32, launches));
  // In another unit: of the last one, in percent.
  CHECK(spenders("block barriers a tile", 3, launches).front() == share(10, "91 % of them"));
}

TEST_CASE("the lines that write results") {
  LaunchReport launch = *a_launch();
  launch.lines[0].counters.global_store_requests = 9;
  CHECK(writers(launch) == std::vector{share(10, "writes results"), share(12, "writes results")});
  CHECK(writers(LaunchReport{}).empty());
}

TEST_CASE("at most three lines, and none for what is no counter") {
  LaunchReport launch;
  for (unsigned line = 1; line <= 5; ++line) {
    Counters counters;
    counters.votes = line;
    launch.lines.push_back({"a.cu", line, counters});
    launch.counters += counters;
  }
  const std::vector<SharedReport> launches{std::make_shared<const LaunchReport>(launch)};
  CHECK(spenders("rounds (votes)", 15, launches) ==
        std::vector{share(5, "5 of the 15"), share(4, "4 of the 15"), share(3, "3 of the 15")});
  CHECK(spenders("elements that one block takes", 15, launches).empty());
  CHECK(spenders("votes", 15, {}).empty());
}
